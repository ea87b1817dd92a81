// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "harness/core/printable.hpp"
#include "harness/core/text/json_text.hpp"
#include "results/judge/limits/fleet_limits.hpp"
#include "results/judge/verdict/verdicts.hpp"

namespace assay::results {
namespace {

/// A basic string of TOML escapes as JSON does.
std::string quoted(const std::string& text) {
  return core::json_text(nlohmann::json(core::valid_text(text)));
}

/// Rounds to six digits, towards the bad side: rounding makes no limit stricter.
double rounded_to(BadSide side, double value) {
  if (value == 0) return 0;
  const double unit = std::pow(10, std::floor(std::log10(std::abs(value))) - 5);
  const double steps = value / unit;
  const double rounded = (side == BadSide::low ? std::floor(steps) : std::ceil(steps)) * unit;
  return std::stod(fmt::format("{:.6g}", rounded));
}

std::string point_text(const FleetLimit& limit) {
  std::string text;
  for (const auto& [axis, value] : limit.point)
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", quoted(axis), quoted(value));
  return text;
}

std::string source_of(const FleetLimit& limit, const FleetLimits& fleet) {
  const NodeQuantile& found = limit.found;
  return fmt::format(
      "assay limits: {} {} nodes, {:g} % of them within at {:g} % confidence; quantile {} [{}, {}], median "
      "{}, "
      "{} left out beyond {}",
      found.nodes, fleet.origin, 100 * fleet.rules.coverage, 100 * fleet.rules.confidence,
      number_text({found.quantile.value}), number_text({*found.quantile.lower}),
      number_text({*found.quantile.upper}), number_text({found.median}), found.left_out.size(),
      number_text({found.cut}));
}

/// How many, and of which points.
std::string still_moving_note(const std::map<std::string, std::size_t>& points) {
  std::size_t measurements = 0;
  std::vector<std::string> names;
  for (const auto& [name, count] : points) {
    measurements += count;
    names.push_back(name);
  }
  return fmt::format(
      "left out as their GPU was still getting slower (power or SM clock moved when the warm-up ended; "
      "max_warmup_seconds = 5 or more lets it settle): {} measurements of {} points: {}",
      measurements, names.size(), fmt::join(names, "; "));
}

std::string machine_text(const MachineType& type) {
  std::string text = "[machine]\n";
  if (!type.gpu.empty()) text += fmt::format("gpu = {}\ngpus = {}\n", quoted(type.gpu), *type.gpus);
  if (!type.cpu.empty()) text += fmt::format("cpu = {}\n", quoted(type.cpu));
  return text;
}

std::string template_source(const FleetLimit& limit, const FleetLimits& fleet) {
  return fmt::format("assay limits --template, loose: {:g} % worse than the median {} of {} {} {}",
                     100 * fleet.below.value_or(0), number_text({limit.found.median}), limit.found.nodes,
                     fleet.origin, limit.found.nodes == 1 ? "node" : "nodes");
}

std::string body_of(const FleetLimits& fleet) {
  std::string body = machine_text(fleet.type);
  for (const FleetLimit& limit : fleet.limits) {
    const auto value = fleet.value_of(limit);
    if (!value) continue;
    body += fmt::format(
        "\n[[limit]]\ncase = {}\npoint = {{ {} }}\nmetric = {}\n{} = {}\nunit = {}\nsource = {}\n",
        quoted(limit.case_name), point_text(limit), quoted(limit.metric),
        limit.side == BadSide::low ? "lowest" : "highest", rounded_to(limit.side, *value), quoted(limit.unit),
        quoted(fleet.below ? template_source(limit, fleet) : source_of(limit, fleet)));
  }
  return body;
}

}  // namespace

std::optional<double> FleetLimits::value_of(const FleetLimit& limit) const {
  const NodeQuantile& found = limit.found;
  if (!below) return found.why_not.empty() ? std::optional(found.limit) : std::nullopt;
  if (found.nodes == 0) return std::nullopt;
  return found.median * (limit.side == BadSide::low ? 1 - *below : 1 + *below);
}

Table to_table(const FleetLimits& fleet) {
  using Kind = Column::Kind;
  Table table{.title = fmt::format("limits of {}: {} nodes", fleet.machine, fleet.nodes),
              .origin = fleet.origin};
  table.columns = {{.name = "case", .kind = Kind::word},
                   {.name = "point"},
                   {.name = "metric", .kind = Kind::word},
                   {.name = "limit"},
                   {.name = "nodes"},
                   {.name = "left out"},
                   {.name = "bad nodes move it by"}};
  std::set<std::string> left_out;
  for (const FleetLimit& limit : fleet.limits) {
    const NodeQuantile& found = limit.found;
    left_out.insert(found.left_out.begin(), found.left_out.end());
    const std::optional<double> value = fleet.value_of(limit);
    table.rows.push_back(
        {limit.case_name, point_text(limit), limit.metric,
         value ? fmt::format("{} {} {}", limit.side == BadSide::low ? "at least" : "at most",
                             number_text({rounded_to(limit.side, *value)}), limit.unit)
               : "none: " + found.why_not,
         std::to_string(found.nodes), std::to_string(found.left_out.size()),
         found.why_not.empty()
             ? fmt::format("{:.2f} %", 100 * std::abs(found.limit - found.cut) / std::abs(found.median))
             : std::string()});
  }
  if (!left_out.empty())
    table.notes.push_back(fmt::format("left out as far out: {}", fmt::join(left_out, ", ")));
  if (fleet.of_several_nodes + fleet.in_doubt > 0)
    table.notes.push_back(
        fmt::format("points that take no part: {} of several nodes, {} in doubt or without an interval",
                    fleet.of_several_nodes, fleet.in_doubt));
  if (!fleet.still_moving.empty()) table.notes.push_back(still_moving_note(fleet.still_moving));
  return table;
}

std::string signed_limits(const FleetLimits& fleet, const std::string& signed_by, const std::string& date) {
  const std::string body = body_of(fleet);
  const std::string head =
      fmt::format("about = {}\n\n[signed]\nby = {}\ndate = {}\nnodes = {}\nstore = {}\n",
                  quoted("limits from a fleet, by assay limits: " + fleet.machine), quoted(signed_by),
                  quoted(date), fleet.nodes, quoted(fleet.store_digest));
  const std::string digest = digest_of_limits(head + "\n" + body);
  return fmt::format("{}digest = {}\n\n{}", head, quoted(digest), body);
}

std::string limits_template(const FleetLimits& fleet) {
  return fmt::format("about = {}\n\n{}",
                     quoted(fmt::format("loose limits, unsigned: {:g} % worse than what {} {} of {} reached",
                                        100 * fleet.below.value_or(0), fleet.nodes,
                                        fleet.nodes == 1 ? "node" : "nodes", fleet.machine)),
                     body_of(fleet));
}

}  // namespace assay::results

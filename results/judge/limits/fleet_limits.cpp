// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/limits/fleet_limits.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <tuple>

#include "harness/core/files/sha256.hpp"
#include "harness/core/statistics/statistics.hpp"
#include "harness/core/text/glob.hpp"
#include "harness/core/text/json_from.hpp"
#include "harness/core/text/json_text.hpp"
#include "results/judge/judges.hpp"
#include "results/points/link_state.hpp"
#include "results/points/point_doubts.hpp"
#include "results/store/measured_together.hpp"
#include "results/store/measured_unit.hpp"
#include "results/store/sqlite/database.hpp"
#include "results/store/stored_points.hpp"

namespace assay::results {
namespace {

using Json = nlohmann::ordered_json;

/// Columns of query_of_headlines(), in order.
namespace headline_column {
enum : int { process, case_name, key, axes, samples, bounded, stationary, last_moving, evidence };
}

constexpr const char* headlines_query =
    "SELECT p.process, c.name, p.key, p.axes, p.samples_s, json_extract(p.record, '$.time.bounded'), "
    "json_extract(p.record, '$.warmup.stationary'), json_extract(p.record, '$.warmup.last_moving'), ";

std::string query_of_headlines() {
  return std::string(headlines_query) + point_evidence_columns +
         "FROM points p JOIN cases c ON c.id = p.case_id WHERE p.run = ?1 AND p.status = 0 AND p.metric IS "
         "NOT "
         "NULL AND (?2 = '' OR c.name GLOB ?2 OR c.name || '/' || p.key GLOB ?2) ORDER BY p.process, "
         "p.sequence";
}

std::optional<BadSide> bad_side_of(const std::string& unit) {
  if (unit.ends_with("/s")) return BadSide::low;
  if (std::ranges::any_of(std::array{"s", "ms", "us", "ns"}, [&](const char* time) { return unit == time; }))
    return BadSide::high;
  return std::nullopt;
}

/// As a pattern that matches this text alone.
std::string escaped_glob(const std::string& text) {
  std::string pattern;
  for (const char one : text) {
    if (std::string_view("*?[]\\").find(one) != std::string_view::npos) pattern += '\\';
    pattern += one;
  }
  return pattern;
}

/// Names of a machine's GPUs, once where they are equal, and its processor.
struct MachineNames {
  std::vector<std::string> gpus;
  std::string cpu;

  std::string text() const {
    if (gpus.empty()) return cpu;
    const std::set<std::string> names(gpus.begin(), gpus.end());
    return fmt::format("{} x {}, {}", gpus.size(), fmt::join(names, " and "), cpu);
  }
};

MachineNames names_of(const Json& machine) {
  MachineNames names;
  if (machine.contains("cpu") && machine["cpu"].is_object()) names.cpu = machine["cpu"].value("model", "");
  if (machine.contains("gpus") && machine["gpus"].is_array())
    for (const Json& gpu : machine["gpus"])
      names.gpus.push_back(gpu.is_object() ? gpu.value("name", "") : std::string());
  return names;
}

MachineType type_of(const MachineNames& names) {
  MachineType type{.cpu = escaped_glob(names.cpu)};
  if (names.gpus.empty()) return type;
  type.gpu = escaped_glob(names.gpus.front());
  type.gpus = static_cast<std::int64_t>(names.gpus.size());
  return type;
}

class FleetReader {
 public:
  FleetReader(const Store& store, const std::string& filter, const std::string& machine)
      : store_(store),
        rows_(store.database().prepare(query_of_headlines())),
        filter_(filter),
        glob_(machine) {}

  void read(const StoredRun& run) {
    std::map<std::int64_t, std::string> hosts;
    for (const auto& [process, context] : contexts_by_process(store_, run)) {
      const MachineNames names = names_of(context.machine);
      if (measured_together(context) || (!glob_.empty() && !core::glob_matches(glob_, names.text())))
        continue;
      machines_[names.text()] = names;
      origins_.insert(to_string(context.origin));
      hosts_.insert(context.host);
      hosts[process] = context.host;
    }
    rows_.bind(run.id, filter_);
    while (rows_.step())
      if (const auto host = hosts.find(rows_.integer(headline_column::process)); host != hosts.end())
        take(host->second, run.id);
  }

  FleetLimits finish(const QuantileRules& rules) const;

 private:
  using Point = std::tuple<std::string, std::string, std::string, std::string>;  // case, axes, metric, unit

  void take(const std::string& host, std::int64_t run) {
    const PointEvidence evidence = evidence_from(rows_, headline_column::evidence);
    const auto side = bad_side_of(evidence.unit);
    if (!side) return;
    if (!evidence.links.empty() || hosts_by_rank({}, evidence.ranks).size() > 1)
      return void(++of_several_nodes_);
    const auto& end = *side == BadSide::low ? evidence.value.lower : evidence.value.upper;
    if (doubt_about(evidence, rows_.numbers(headline_column::samples)) || !end ||
        rows_.integer(headline_column::bounded) != 1)
      return void(++in_doubt_);
    const std::string case_name = rows_.text(headline_column::case_name);
    Json axes = core::json_from<Json>(rows_.text(headline_column::axes));
    const PointIdentity identity = identity_of(case_name, rows_.text(headline_column::key));
    if (!identity.gpu.empty()) axes.erase("gpu");
    auto& hosts = values_[{case_name, core::json_text(axes), evidence.metric, evidence.unit}];
    if (still_moving())
      ++still_moving_[identity.metric];
    else
      hosts[host][identity.gpu][run].push_back(*end);
  }

  bool still_moving() const {
    return !results::still_moving({.stationary = rows_.integer(headline_column::stationary) != 0,
                                   .last_moving = rows_.text(headline_column::last_moving)})
                .empty();
  }

  const Store& store_;
  Statement rows_;
  std::string filter_, glob_;
  std::map<std::string, MachineNames> machines_;
  std::set<std::string> origins_, hosts_;
  std::size_t of_several_nodes_ = 0, in_doubt_ = 0;
  std::map<std::string, std::size_t> still_moving_;
  /// Indexed by point, host, GPU and run: repetitions of one run share its hour and heat.
  std::map<Point, std::map<std::string, std::map<std::string, std::map<std::int64_t, std::vector<double>>>>>
      values_;
};

template <class Units>
double worst_unit(const Units& units, BadSide side) {
  std::vector<double> of_units;
  for (const auto& [gpu, runs] : units) {
    std::vector<double> of_runs;
    for (const auto& [run, values] : runs) of_runs.push_back(core::quantile_of(values, 0.5));
    of_units.push_back(core::quantile_of(of_runs, 0.5));
  }
  return side == BadSide::low ? std::ranges::min(of_units) : std::ranges::max(of_units);
}

std::vector<std::pair<std::string, std::string>> axes_from(const std::string& json) {
  std::vector<std::pair<std::string, std::string>> axes;
  const Json object = core::json_from<Json>(json);
  for (const auto& [axis, value] : object.items())
    axes.emplace_back(
        axis, escaped_glob(value.is_string() ? value.template get<std::string>() : core::json_text(value)));
  return axes;
}

FleetLimits FleetReader::finish(const QuantileRules& rules) const {
  if (values_.empty())
    throw std::runtime_error("no rate or time of single nodes that a limit could be made of");
  std::vector<std::string> machines;
  for (const auto& [text, names] : machines_) machines.push_back(text);
  if (machines.size() > 1)
    throw std::runtime_error(fmt::format("several types of machine (expected --machine GLOB for one): {}",
                                         fmt::join(machines, "; ")));
  if (machines.front().empty())
    throw std::runtime_error(
        "records that name neither GPU nor processor: limits are of one type of machine");
  if (origins_.size() > 1)
    throw std::runtime_error(fmt::format("numbers that are {} in one fleet: --filter or another store",
                                         fmt::join(origins_, " and ")));
  FleetLimits fleet{.machine = machines.front(),
                    .type = type_of(machines_.begin()->second),
                    .nodes = hosts_.size(),
                    .origin = *origins_.begin(),
                    .store_digest = {},
                    .rules = rules,
                    .limits = {},
                    .of_several_nodes = of_several_nodes_,
                    .in_doubt = in_doubt_,
                    .still_moving = still_moving_};
  for (const auto& [point, hosts] : values_) {
    const auto& [case_name, axes, metric, unit] = point;
    const BadSide side = *bad_side_of(unit);
    std::vector<std::pair<std::string, double>> nodes;
    for (const auto& [host, units] : hosts) nodes.emplace_back(host, worst_unit(units, side));
    fleet.limits.push_back(
        {case_name, axes_from(axes), metric, unit, side, node_quantile(nodes, side, rules)});
  }
  return fleet;
}

std::string digest_of_runs(const Store& store) {
  std::string text;
  for (const JudgedRun& run : judged_runs(store)) text += run.run_id + " " + run.digest + "\n";
  return core::sha256(text).substr(0, 16);
}

}  // namespace

FleetLimits limits_of_fleet(const Store& store, const std::string& filter, const std::string& machine,
                            const QuantileRules& rules) {
  FleetReader reader(store, filter, machine);
  for (const StoredRun& run : all_runs(store)) reader.read(run);
  FleetLimits fleet = reader.finish(rules);
  fleet.store_digest = digest_of_runs(store);
  return fleet;
}

}  // namespace assay::results

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/measured/measured_part.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

#include "harness/core/error.hpp"
#include "model/fit/laws/overlap_fit.hpp"
#include "model/fit/laws/usage_fit.hpp"

namespace assay::model {
namespace {

constexpr double seconds_of_us = 1e-6;
constexpr std::size_t most_named = 4;

bool has(const std::string& name, std::string_view word) { return name.find(word) != std::string::npos; }

/// The names of `all` that `wanted` accepts.
template <class Value, class Wanted>
std::vector<std::string> names_where(const std::map<std::string, Value>& all, Wanted wanted) {
  std::vector<std::string> names;
  for (const auto& [name, value] : all)
    if (wanted(name)) names.push_back(name);
  return names;
}

/// The only one, where `expected` says of what kind.
const std::string& only(const std::string& path, const std::string& expected,
                        const std::vector<std::string>& names) {
  if (names.size() == 1) return names.front();
  if (names.empty()) core::usage_error(fmt::format("{}: models: expected one {}, got none", path, expected));
  const std::vector<std::string> shown(
      names.begin(), names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), most_named)));
  core::usage_error(fmt::format("{}: models: expected one {}, got {}: {}{}; fit it alone with --filter", path,
                                expected, names.size(), fmt::join(shown, "; "),
                                names.size() > shown.size() ? "; ..." : ""));
}

std::string measured_on(const std::string& path, const fit::Provenance& provenance) {
  return fmt::format("{}, on {}", path, fit::machine_and_origin(provenance.machine, provenance.origin));
}

/// Half an octave a step from the largest size down to `from_bytes`, each at the rate of its size; smaller
/// amounts keep the table. Above `to_bytes` the rate of that size holds.
template <class Time>
Staircase over_sizes(const Staircase& table, double from_bytes, double to_bytes, Time time_us) {
  std::vector<Staircase::Step> steps;
  const auto add = [&](double bytes) { steps.push_back({bytes, time_us(bytes) * seconds_of_us / bytes}); };
  for (double bytes = to_bytes; bytes > from_bytes; bytes /= std::sqrt(2.0)) add(bytes);
  add(from_bytes);
  for (const Staircase::Step& step : table.steps())
    if (step.threshold < from_bytes) steps.push_back(step);
  return Staircase(std::move(steps));
}

MeasuredPart memory_part(const std::string& path) {
  const fit::SizeCoefficients file = fit::read_size_coefficients(path);
  std::vector<std::string> names = names_where(
      file.curves, [](const std::string& name) { return !fit::ConditionedName::from(name).is_in_a_cache(); });
  const auto on_gpu = [](const std::string& name) { return name.starts_with("cuda."); };
  if (std::ranges::any_of(names, on_gpu)) std::erase_if(names, std::not_fn(on_gpu));
  const std::string name = only(path, "curve of memory beyond the caches", names);
  return [path, file, name](System& system, std::size_t) {
    const std::vector<fit::Segment>& segments = file.curves.at(name);
    const double from = segments.front().from_bytes, to = segments.back().to_bytes;
    system.mem1.by_bytes = over_sizes(system.mem1.by_bytes, from, to,
                                      [&](double bytes) { return fit::segments_us(segments, bytes); });
    system.mem1.is_measured = true;
    return fmt::format("first memory: {}: {}, from {:.0f} to {:.0f} bytes; below, the system's table",
                       measured_on(path, file.provenance), name, from, to);
  };
}

/// The model moves one way at a time, with one bandwidth for both: the slower way at each size.
MeasuredPart link_part(const std::string& path) {
  const fit::SizeCoefficients file = fit::read_size_coefficients(path);
  std::vector<std::string> ways;
  for (const char* way : {"h2d", "d2h"}) {
    const auto names = names_where(file.curves, [&](const std::string& name) { return has(name, way); });
    if (!names.empty()) ways.push_back(only(path, fmt::format("curve of copies {}", way), names));
  }
  if (ways.empty()) static_cast<void>(only(path, "curve of copies h2d or d2h", ways));
  double from = 0, to = INFINITY;
  for (const std::string& way : ways) {
    from = std::max(from, file.curves.at(way).front().from_bytes);
    to = std::min(to, file.curves.at(way).back().to_bytes);
  }
  if (from > to)
    core::usage_error(fmt::format("{}: models: {}: expected sizes that both were measured at", path,
                                  fmt::join(ways, " and ")));
  return [path, file, ways, from, to](System& system, std::size_t) {
    system.mem2.by_bytes = over_sizes(system.mem2.by_bytes, from, to, [&](double bytes) {
      double slower_us = 0;
      for (const std::string& way : ways)
        slower_us = std::max(slower_us, fit::segments_us(file.curves.at(way), bytes));
      return slower_us;
    });
    system.mem2.is_measured = true;
    return fmt::format("second memory: {}: {}{}, from {:.0f} to {:.0f} bytes; below, the system's table",
                       measured_on(path, file.provenance), ways.size() > 1 ? "the slower of " : "",
                       fmt::join(ways, " and "), from, to);
  };
}

/// L + 2 o + (k - 1) G of a message of k bytes.
MeasuredPart message_part(const std::string& path) {
  const fit::LogGpCoefficients file = fit::read_loggp_coefficients(path);
  const std::string name =
      only(path, "link", names_where(file.links, [](const std::string&) { return true; }));
  return [path, file, name](System& system, std::size_t named) {
    const std::size_t tier = system.network_of(fit::Tier::over).value_or(named);
    std::vector<CollectiveCurve>& curves = system.networks[tier].curves;
    const auto seconds = [link = file.links.at(name)](double bytes) {
      return link.time_us(fit::VerbsRow::Kind::latency, std::max(bytes, 1.0)) * seconds_of_us;
    };
    curves.insert(curves.begin(), CollectiveCurve{Collective::p2p, 2, seconds});
    return fmt::format("network {}: {}: p2p by LogGP of {}", tier, measured_on(path, file.provenance), name);
  };
}

MeasuredPart usage_part(const std::string& path) {
  const fit::ShareCoefficients file = fit::read_share_coefficients(path, fit::CoefficientsKind::interference);
  const std::string name =
      only(path, "contest of gemm with nccl, sm_copy or copy", fit::contests_of_a_step(file.shares));
  return [path, file, name](System& system, std::size_t tier) {
    const fit::Coefficient& usage = file.shares.at(name);
    system.networks[tier].processor_usage = usage.value;
    system.networks[tier].usage_is_measured = true;
    return fmt::format("network {}: {}: processor usage {:.4g} of {}{}", tier,
                       measured_on(path, file.provenance), usage.value, name,
                       usage.supported ? "" : ", not distinguished from 0");
  };
}

struct Efficiency {
  double value = 1;
  std::string text = {};
};

/// The efficiency of one operation, where the file has it: on GPUs, where it has any.
std::optional<Efficiency> efficiency_of(const std::string& path, const fit::ShareCoefficients& file,
                                        std::string_view operation) {
  std::vector<std::string> contests = fit::contests_of_operation(file.shares, operation);
  if (contests.empty()) return std::nullopt;
  const auto on_gpus = [](const std::string& contest) { return has(contest, fit::passes_on_gpus); };
  const bool by_nccl = std::ranges::any_of(contests, on_gpus);
  if (by_nccl) std::erase_if(contests, std::not_fn(on_gpus));
  const fit::Coefficient& found =
      file.shares.at(only(path, fmt::format("overlap of {}", operation), contests));
  return Efficiency{found.value, fmt::format("{:.4g} of {} {}{}", found.value, operation,
                                             by_nccl ? "by NCCL on GPUs" : "on a host twin",
                                             found.supported ? "" : " (not determined)")};
}

MeasuredPart overlap_part(const std::string& path) {
  const fit::ShareCoefficients file = fit::read_share_coefficients(path, fit::CoefficientsKind::overlap);
  std::optional<double> gradients, gathers;
  std::string text;
  const auto take = [&](std::string_view operation, std::optional<double>& efficiency) {
    const std::optional<Efficiency> found = efficiency_of(path, file, operation);
    if (!found) return;
    efficiency = found->value;
    text += (text.empty() ? "" : ", ") + found->text;
  };
  take(fit::gradients_beside_pass, gradients);
  take(fit::gathers_beside_pass, gathers);
  if (text.empty())
    core::usage_error(fmt::format("{}: models: expected an overlap of {} or {}, got none", path,
                                  fit::gradients_beside_pass, fit::gathers_beside_pass));
  return [=, provenance = file.provenance](System& system, std::size_t tier) {
    Network& network = system.networks[tier];
    network.overlap_is_measured = true;
    if (gradients) network.gradient_overlap = gradients;
    if (gathers) network.gather_overlap = gathers;
    return fmt::format("network {}: {}: overlap efficiency {}", tier, measured_on(path, provenance), text);
  };
}

}  // namespace

MeasuredPart read_measured_part(const std::string& path, fit::CoefficientsKind kind) {
  using fit::CoefficientsKind;
  switch (kind) {
    case CoefficientsKind::memory:
      return memory_part(path);
    case CoefficientsKind::links:
      return link_part(path);
    case CoefficientsKind::loggp:
      return message_part(path);
    case CoefficientsKind::interference:
      return usage_part(path);
    case CoefficientsKind::overlap:
      return overlap_part(path);
    case CoefficientsKind::gemm:
    case CoefficientsKind::collectives:
    case CoefficientsKind::vector:
      break;
  }
  core::usage_error(
      fmt::format("{}: coefficients of {} are no part of a machine", path, fit::to_string(kind)));
}

}  // namespace assay::model

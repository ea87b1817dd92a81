// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/measure/group_figures.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/core/statistics.hpp"

namespace assay::collectives {
namespace {

/// The slowest rank's time of each iteration that all ranks kept.
std::vector<double> slowest_s(const std::vector<RankFigures>& group) {
  std::vector<double> slowest;
  for (const RankFigures& one : group) {
    if (&one == &group.front()) slowest = one.durations_s;
    slowest.resize(std::min(slowest.size(), one.durations_s.size()));
    for (std::size_t i = 0; i < slowest.size(); ++i) slowest[i] = std::max(slowest[i], one.durations_s[i]);
  }
  return slowest;
}

}  // namespace

std::vector<core::Metric> group_metrics(const std::vector<std::vector<RankFigures>>& by_group) {
  std::vector<core::Metric> metrics;
  std::vector<double> medians_us;
  for (std::size_t group = 0; group < by_group.size(); ++group) {
    const std::vector<double> times_s = slowest_s(by_group[group]);
    if (times_s.empty()) continue;
    medians_us.push_back(1e6 * core::summarize(times_s).median);
    metrics.push_back({fmt::format("group{}_time_us", group), "us", medians_us.back()});
    for (const core::Metric& metric : metrics_of(by_group[group]))
      if (metric.name == "arrival_skew_us")
        metrics.push_back({fmt::format("group{}_arrival_skew_us", group), "us", metric.value});
  }
  if (medians_us.empty() || std::ranges::min(medians_us) <= 0) return metrics;
  metrics.push_back(
      {"slowest_over_fastest_group", "", std::ranges::max(medians_us) / std::ranges::min(medians_us)});
  return metrics;
}

void add_tiers(std::vector<core::Metric>& metrics, const std::vector<std::vector<RankFigures>>& by_group) {
  double inside = 0, across = 0;
  for (const std::vector<RankFigures>& group : by_group)
    for (const RankFigures& one : group) {
      inside += static_cast<double>(one.bytes_inside);
      across += static_cast<double>(one.bytes_across);
    }
  metrics.push_back({"wire_bytes_inside_nodes", "B", inside});
  metrics.push_back({"wire_bytes_across_nodes", "B", across});
}

}  // namespace assay::collectives

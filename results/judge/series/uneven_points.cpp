// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/series/uneven_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <numeric>
#include <string>

#include "harness/core/statistics/order_statistic.hpp"
#include "results/judge/fleet/fleet_rounds.hpp"
#include "results/judge/statistics/robust_statistics.hpp"

namespace assay::results {
namespace {

constexpr std::size_t fewest_read = 8, fewest_runs = 3;
/// The least excess that counts, as the default margin of acceptance, and how many robust deviations of its
/// equals it takes: means have the tails of their samples, of which nothing is known.
constexpr double least_excess = 0.015, deviations = 10;

/// Runs of one metric, by unit.
using Excesses = std::vector<std::vector<double>>;

/// Excesses by metric, without metrics in which no point exceeds.
std::map<std::uint32_t, Excesses> excesses_of(const Fleet& fleet, const FleetRunValues& runs) {
  std::map<std::uint32_t, Excesses> excesses;
  for (const auto& run : runs)
    for (const FleetValue& value : run)
      if (value.excess > least_excess) excesses.try_emplace(value.metric, fleet.units.size());
  if (excesses.empty()) return excesses;
  for (const auto& run : runs)
    for (const FleetValue& value : run)
      if (const auto found = excesses.find(value.metric); found != excesses.end())
        found->second[value.unit].push_back(value.excess);
  return excesses;
}

/// The median excess of each unit; NaN for those with few runs.
std::vector<double> usual_excesses(Excesses excesses) {
  std::vector<double> usual;
  for (std::vector<double>& runs : excesses)
    usual.push_back(runs.size() < fewest_runs ? std::numeric_limits<double>::quiet_NaN()
                                              : core::median_in_place(runs));
  return usual;
}

/// Adds the uneven points among these equals.
void add_uneven(const Fleet& fleet, const std::string& metric, const std::vector<std::size_t>& units,
                const std::vector<double>& usual, std::vector<FleetIssue>& uneven) {
  std::vector<double> known;
  for (const std::size_t unit : units)
    if (!std::isnan(usual[unit])) known.push_back(usual[unit]);
  if (known.size() < least_equals) return;
  const Core core = core_of(known);
  for (const std::size_t unit : units)
    if (usual[unit] - core.centre > std::max(least_excess, deviations * core.deviation))
      uneven.push_back(
          {.unit = fleet.units[unit].name,
           .metric = metric,
           .reason = fmt::format(
               "the mean of its samples is {:.1f} % above its median, that of its equals {:.1f} %",
               100 * usual[unit], 100 * core.centre)});
}

}  // namespace

double excess_of(const FleetPoint& point) {
  const std::vector<double>& samples = point.samples_s;
  const double time_s = point.evidence.time_s;
  if (samples.size() < fewest_read || point.evidence.quantile != PointEvidence::assumed_quantile ||
      !(time_s > 0))
    return 0;
  return std::accumulate(samples.begin(), samples.end(), 0.0) / static_cast<double>(samples.size()) / time_s -
         1;
}

std::vector<FleetIssue> uneven_points(const Fleet& fleet, const FleetRunValues& runs) {
  const auto blocks = blocks_of(fleet);
  std::vector<FleetIssue> uneven;
  for (auto& [metric, excesses] : excesses_of(fleet, runs)) {
    const std::vector<double> usual = usual_excesses(std::move(excesses));
    for (const std::vector<std::size_t>& units : blocks)
      add_uneven(fleet, fleet.metrics[metric].name, units, usual, uneven);
  }
  return uneven;
}

}  // namespace assay::results

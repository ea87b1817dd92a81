// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/fleet_suspects.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "harness/core/statistics.hpp"

namespace assay::results {
namespace {

std::vector<double> row_of(const Deviations& deviations, std::size_t metric) {
  const auto begin =
      deviations.values.begin() + static_cast<std::ptrdiff_t>(metric * deviations.places.size());
  std::vector<double> row(begin, begin + static_cast<std::ptrdiff_t>(deviations.places.size()));
  std::erase_if(row, [](double value) { return std::isnan(value); });
  return row;
}

/// Faults are on the lower side: what noise does is read from the upper one, tails and all.
double noise_quantile(const std::vector<double>& row, double probability) {
  return core::quantile_of(row, probability);
}

struct Limits {
  double threshold = 0, margin = 0;
};

/// Of what is a metric's own: as many as may go to a second look, and none that could not be a fault.
Limits own_limits(const std::vector<double>& row, const FleetRules& rules) {
  return {std::min(-rules.margin, -noise_quantile(row, 1 - rules.most_suspects)), rules.margin};
}

/// Of what a place has in common over a group: it lasts, so that measuring again shows it again. Only what is
/// far outside the spread of its equals is a fault.
Limits common_limits(const std::vector<double>& row, const FleetRules& rules) {
  constexpr double normal_upper_quartile = 0.6745;
  const double deviation = noise_quantile(row, 0.75) / normal_upper_quartile;
  const double margin = std::max(rules.margin, rules.spread * deviation);
  return {-margin, margin};
}

using LimitsOf = Limits (*)(const std::vector<double>&, const FleetRules&);

void look_at(const Deviations& deviations, const FleetRules& rules, LimitsOf limits_of,
             FleetSuspects& found) {
  for (std::size_t metric = 0; metric < deviations.metrics.size(); ++metric) {
    const std::vector<double> row = row_of(deviations, metric);
    if (row.empty()) continue;
    const Limits limits = limits_of(row, rules);
    FirstLook look{deviations.level,
                   deviations.metrics[metric],
                   static_cast<std::int64_t>(row.size()),
                   0,
                   limits.threshold,
                   noise_quantile(row, 0.99) - limits.threshold};
    for (std::size_t place = 0; place < deviations.places.size(); ++place)
      if (const double value = deviations.at(metric, place); value < limits.threshold) {
        found.suspects.push_back({deviations.level, deviations.places[place], deviations.metrics[metric],
                                  value, limits.threshold, limits.margin});
        ++look.suspects;
      }
    found.looks.push_back(look);
  }
}

void look_at_both(const Deviations& deviations, const FleetRules& rules, FleetSuspects& found) {
  if (deviations.places.size() < least_equals) {
    found.too_few.push_back(fmt::format("{}: {} places", deviations.level, deviations.places.size()));
    return;
  }
  const SplitDeviations parts = split(deviations);
  look_at(parts.own, rules, own_limits, found);
  look_at(parts.common, rules, common_limits, found);
}

}  // namespace

FleetSuspects first_look(const Fleet& fleet, const FleetRules& rules) {
  FleetSuspects found;
  std::map<std::string, std::size_t> blocks;
  for (const FleetUnit& unit : fleet.units) ++blocks[unit.block];
  for (const auto& [name, units] : blocks)
    if (units < least_equals)
      found.small_blocks.push_back(
          fmt::format("{}: {} units", name.empty() ? "of no known kind" : name, units));
  const Deviations units = deviations_of(fleet);
  look_at_both(units, rules, found);
  for (std::size_t level = 0; level < fleet.levels.size(); ++level)
    look_at_both(at_level(fleet, units, level), rules, found);
  std::stable_sort(found.suspects.begin(), found.suspects.end(),
                   [](const Suspect& one, const Suspect& other) { return one.deviation < other.deviation; });
  return found;
}

}  // namespace assay::results

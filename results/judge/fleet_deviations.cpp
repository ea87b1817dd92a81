// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/fleet_deviations.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>

#include "harness/core/statistics.hpp"

namespace assay::results {
namespace {

constexpr std::size_t least_metrics = 3;  // of a group whose common part can be told
constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

/// Of the values that are there; NaN where none is.
double median_of(std::vector<double>& values) {
  std::erase_if(values, [](double value) { return std::isnan(value); });
  return core::quantile_of(values, 0.5);
}

/// Indices of equal keys together.
std::map<std::string, std::vector<std::size_t>> by_key(const std::vector<std::string>& keys) {
  std::map<std::string, std::vector<std::size_t>> together;
  for (std::size_t at = 0; at < keys.size(); ++at) together[keys[at]].push_back(at);
  return together;
}

std::vector<std::string> blocks_of(const Fleet& fleet) {
  std::vector<std::string> blocks;
  for (const FleetUnit& unit : fleet.units) blocks.push_back(unit.block);
  return blocks;
}

double oriented_log(const Fleet& fleet, std::size_t metric, std::size_t unit) {
  const double value = fleet.at(metric, unit);
  if (std::isnan(value)) return no_value;
  if (!(value > 0) || std::isinf(value))
    throw std::invalid_argument(fmt::format("{} of {} is {}: expected a number above 0",
                                            fleet.metrics[metric].name, fleet.units[unit].name, value));
  return fleet.metrics[metric].larger_is_better ? std::log(value) : -std::log(value);
}

void take_median_out(Deviations& deviations, std::size_t metric, const std::vector<std::size_t>& block) {
  std::vector<double> values;
  values.reserve(block.size());
  for (const std::size_t unit : block) values.push_back(deviations.at(metric, unit));
  const double centre = median_of(values);
  for (const std::size_t unit : block) deviations.at(metric, unit) -= centre;
}

/// Metrics of each group that has enough of them.
std::map<std::string, std::vector<std::size_t>> groups_of(const Deviations& all) {
  auto groups = by_key(all.groups);
  std::erase_if(groups, [](const auto& group) { return group.second.size() < least_metrics; });
  return groups;
}

}  // namespace

Deviations deviations_of(const Fleet& fleet) {
  Deviations deviations{fleet.unit_level, {}, {}, {}, std::vector<double>(fleet.values.size())};
  for (const FleetUnit& unit : fleet.units) deviations.places.push_back(unit.name);
  const auto blocks = by_key(blocks_of(fleet));
  for (std::size_t metric = 0; metric < fleet.metrics.size(); ++metric) {
    deviations.metrics.push_back(fleet.metrics[metric].name);
    deviations.groups.push_back(fleet.metrics[metric].group);
    for (std::size_t unit = 0; unit < fleet.units.size(); ++unit)
      deviations.at(metric, unit) = oriented_log(fleet, metric, unit);
    for (const auto& [name, block] : blocks) take_median_out(deviations, metric, block);
  }
  return deviations;
}

Deviations deviations_against(const Fleet& first, const Deviations& looked, const Fleet& again,
                              const Excluded& excluded) {
  Deviations deviations = looked;
  const auto blocks = by_key(blocks_of(first));
  std::vector<double> changes;
  for (std::size_t metric = 0; metric < first.metrics.size(); ++metric)
    for (const auto& [name, block] : blocks) {
      changes.clear();
      for (const std::size_t unit : block) {
        const double change = oriented_log(again, metric, unit) - oriented_log(first, metric, unit);
        deviations.at(metric, unit) += change;
        if (!excluded[metric * first.units.size() + unit] && !std::isnan(change)) changes.push_back(change);
      }
      const double of_all = changes.size() < least_partners ? no_value : median_of(changes);
      for (const std::size_t unit : block) deviations.at(metric, unit) -= of_all;
    }
  return deviations;
}

Deviations at_level(const Fleet& fleet, const Deviations& units, std::size_t level) {
  std::vector<std::string> keys;
  for (const FleetUnit& unit : fleet.units) keys.push_back(unit.places.at(level));
  const auto places = by_key(keys);
  Deviations deviations{fleet.levels.at(level), {}, units.metrics, units.groups, {}};
  for (const auto& [name, members] : places) deviations.places.push_back(name);
  deviations.values.reserve(units.metrics.size() * places.size());
  std::vector<double> values;
  for (std::size_t metric = 0; metric < units.metrics.size(); ++metric)
    for (const auto& [name, members] : places) {
      values.clear();
      for (const std::size_t unit : members)
        if (const double value = units.at(metric, unit); !std::isnan(value)) values.push_back(value);
      deviations.values.push_back(2 * values.size() < members.size() ? no_value : median_of(values));
    }
  return deviations;
}

SplitDeviations split(const Deviations& all) {
  SplitDeviations parts{all, {all.level, all.places, {}, {}, {}}};
  std::vector<double> values;
  for (const auto& [group, metrics] : groups_of(all)) {
    parts.common.metrics.push_back("all of " + group);
    parts.common.groups.push_back(group);
    for (std::size_t place = 0; place < all.places.size(); ++place) {
      values.clear();
      for (const std::size_t metric : metrics)
        if (const double value = all.at(metric, place); !std::isnan(value)) values.push_back(value);
      const double common = values.size() < least_metrics ? no_value : median_of(values);
      parts.common.values.push_back(common);
      for (const std::size_t metric : metrics) parts.own.at(metric, place) -= common;
    }
  }
  return parts;
}

}  // namespace assay::results

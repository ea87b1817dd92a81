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

}  // namespace

Deviations logarithms_of(const Fleet& fleet) {
  Deviations logarithms{fleet.unit_level, {}, {}, {}, std::vector<double>(fleet.values.size())};
  for (const FleetUnit& unit : fleet.units) logarithms.places.push_back(unit.name);
  for (std::size_t metric = 0; metric < fleet.metrics.size(); ++metric) {
    logarithms.metrics.push_back(fleet.metrics[metric].name);
    logarithms.groups.push_back(fleet.metrics[metric].group);
    for (std::size_t unit = 0; unit < fleet.units.size(); ++unit)
      logarithms.at(metric, unit) = oriented_log(fleet, metric, unit);
  }
  return logarithms;
}

Deviations deviations_of(const Fleet& fleet) {
  Deviations deviations = logarithms_of(fleet);
  const auto blocks = by_key(blocks_of(fleet));
  for (std::size_t metric = 0; metric < fleet.metrics.size(); ++metric)
    for (const auto& [name, block] : blocks) take_median_out(deviations, metric, block);
  return deviations;
}

}  // namespace assay::results

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How far each unit is from its equals: logarithms, less the median of the block, then split into what a unit
// has in common over a group of metrics (silicon, clock, time of day) and what is a metric's own.
#pragma once

#include <string>
#include <vector>

#include "results/judge/fleet.hpp"

namespace assay::results {

/// Of places of one level. A deviation of -0.05 is 5 % worse than the block's median; NaN where not measured.
struct Deviations {
  std::string level;
  std::vector<std::string> places;
  std::vector<std::string> metrics;  // or "all of gemm"
  std::vector<std::string> groups;   // of each metric
  std::vector<double> values;        // by metric, then place

  double at(std::size_t metric, std::size_t place) const { return values[metric * places.size() + place]; }
  double& at(std::size_t metric, std::size_t place) { return values[metric * places.size() + place]; }
};

/// Of the fleet's units. Throws std::invalid_argument for a value that is not above 0, naming unit and
/// metric.
Deviations deviations_of(const Fleet& fleet);

/// Fresh values of the same units and metrics against the centres of the first look, `first` being its fleet
/// and `looked` its deviations.
Deviations deviations_against(const Fleet& first, const Deviations& looked, const Fleet& again);

/// Of the places of one level of the fleet: the median over the units there, where half of them at least were
/// measured.
Deviations at_level(const Fleet& fleet, const Deviations& units, std::size_t level);

struct SplitDeviations {
  Deviations own;     // less what the place has in common
  Deviations common;  // one row a group: the median over its metrics
};

/// A group of fewer than three metrics has nothing in common that could be told from its own.
SplitDeviations split(const Deviations& all);

}  // namespace assay::results

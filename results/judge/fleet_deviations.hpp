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

/// Which cells of a fleet, by metric and unit, are no partners to hold others against: suspects themselves.
using Excluded = std::vector<bool>;

/// Fewer sound units measured at the same time cannot tell what time did to all.
inline constexpr std::size_t least_partners = 3;

/// Fresh values of the same units and metrics as deviations: `looked`, those of `first`, and what changed
/// since, less the median change of the partners in the block; NaN where fewer than least_partners were
/// measured.
Deviations deviations_against(const Fleet& first, const Deviations& looked, const Fleet& again,
                              const Excluded& excluded);

/// Of the places of one level of the fleet: the median over the units there, where half of them at least were
/// measured.
Deviations at_level(const Fleet& fleet, const Deviations& units, std::size_t level);

struct SplitDeviations {
  Deviations own;     // less what the place has in common
  Deviations common;  // one row a group: the median over its metrics
};

/// A group of fewer than three metrics has nothing in common that could be told from its own; of a larger
/// group, where fewer than three were measured neither part is told.
SplitDeviations split(const Deviations& all);

}  // namespace assay::results

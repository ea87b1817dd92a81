// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How far each unit is from its equals in one run: logarithms, less the median of the block.
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

/// Of the fleet's units, worse below. Throws std::invalid_argument for a value that is not above 0, naming
/// unit and metric.
Deviations logarithms_of(const Fleet& fleet);

/// The same, less the median of each block.
Deviations deviations_of(const Fleet& fleet);

}  // namespace assay::results

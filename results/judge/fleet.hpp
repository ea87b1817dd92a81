// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What every unit of a fleet measured, as a table: units by metrics, and where each unit stands.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace assay::results {

struct FleetMetric {
  std::string name;
  std::string group;  // metrics that what a unit is made of moves together: gemm, memory, link
  bool larger_is_better = true;
};

struct FleetUnit {
  std::string name;
  std::string block;                // units of one block are of equal hardware and held against each other
  std::vector<std::string> places;  // one for each of Fleet::levels: its node, its rail, its switch
};

struct Fleet {
  std::vector<FleetMetric> metrics;
  std::string unit_level = "gpu";   // what a unit is
  std::vector<std::string> levels;  // places above a unit: node, rail, switch
  std::vector<FleetUnit> units;
  std::vector<double> values;  // by metric, then unit; above 0, NaN where not measured

  double& at(std::size_t metric, std::size_t unit) { return values[metric * units.size() + unit]; }
  double at(std::size_t metric, std::size_t unit) const { return values[metric * units.size() + unit]; }
};

}  // namespace assay::results

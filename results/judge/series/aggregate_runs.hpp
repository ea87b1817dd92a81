// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Runs of points that another tool summed up in one number (PointEvidence::is_aggregate): their noise is
// known between runs only, so that fewer than three show nothing.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace assay::results {

class AggregateRuns {
 public:
  static constexpr std::size_t fewest = 3;

  /// A run's point of this unit; runs come one after the other.
  void note(const std::string& unit, const std::string& metric, std::size_t run) {
    OfPoint& point = points_[{unit, metric}];
    if (point.runs == 0 || point.latest != run) ++point.runs;
    point.latest = run;
  }
  /// One line where units have fewer runs of a point; else none.
  std::vector<std::string> lines() const;

 private:
  struct OfPoint {
    std::size_t runs = 0, latest = 0;
  };
  std::map<std::pair<std::string, std::string>, OfPoint> points_;  // by unit and metric
};

}  // namespace assay::results

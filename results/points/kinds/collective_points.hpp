// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The collectives module's points as tables need them, and which algorithm wins where.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/names.hpp"
#include "results/points/run_points.hpp"

namespace assay::results {

struct CollectivePoint : MeasuredPoint {
  /// Ranks of one collective; 0: unknown.
  std::int64_t ranks() const { return field_integer(conditions, {core::names::ranks}).value_or(0); }
  /// Nodes that those ranks are on; 0: unknown.
  std::int64_t nodes() const { return field_integer(conditions, {core::names::nodes}).value_or(0); }
  /// Whether the point is so stamped: no comparison uses its time.
  bool not_a_performance_measurement() const { return !stamp.empty(); }
  std::string operation() const { return point.benchmark(); }
  /// Whether the algorithm was the library's choice, not the point's.
  bool by_library() const;
  /// "ring", "mpi", "nccl", or "tree/ll" where NCCL was forced.
  std::string contender() const;
  std::optional<std::int64_t> bytes() const { return field_integer(point.axes, {"bytes"}); }
  /// The rank that began last most often, and the share of the iterations in which it did.
  std::optional<std::int64_t> latest_rank() const {
    return field_integer(conditions, {core::names::latest_rank});
  }
  std::optional<double> latest_rank_share() const {
    return number_in(conditions, core::names::latest_rank_share);
  }
  /// Bytes that all wires saw over those that the algorithm implies, where the record has both.
  std::optional<double> seen_over_implied() const;
  /// Microseconds of the slowest rank, with its interval.
  Number time_us() const;
};

/// Points of the module's cases that match the glob, passes with exchanges left out.
std::vector<CollectivePoint> collective_points(const RunPoints& run, const std::string& cases);

/// One operation at one size on one number of ranks, whoever ran it.
struct Contest {
  std::string operation;
  std::int64_t ranks = 0;
  Fields axes;                          // but for the algorithm
  std::vector<CollectivePoint> fields;  // the contenders, the fastest first

  const CollectivePoint& winner() const { return fields.front(); }
  /// The runner-up's interval lies above the winner's.
  bool decided() const;
  const CollectivePoint* library() const;  // null: it did not run
  /// The library's time over the best one's; at least 1.
  std::optional<Number> regret() const;
};

/// Those of at least two contenders; stamped points take no part.
std::vector<Contest> contests_of(const std::vector<CollectivePoint>& points);

/// Axes but for one, and all of them as " bytes=8 dtype=int32".
Fields without(const Fields& axes, const std::string& name);
std::string text_of(const Fields& axes);

}  // namespace assay::results

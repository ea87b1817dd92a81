// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The rdma module's points: their flows, their hosts, and the class of their links in words.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/names.hpp"
#include "results/points/run_points.hpp"

namespace assay::results {

struct FabricPoint : MeasuredPoint {
  /// A message sent one way over a link that lost nothing: not a read, whose time is a round trip.
  bool is_one_way() const;
  /// Time of a processor at one end, in us, where the record has both halves of it.
  std::optional<double> overhead_us() const;
  /// One more than the highest rank that a flow names.
  std::size_t ranks_of_flows() const;
  /// Payload of all flows at the pace of the slowest; also where another rate is the headline.
  Number bandwidth_gb_per_s() const;
  bool is_latency() const { return point.metric == core::names::latency_us; }
  /// Whether the payload goes to the rank that its flow begins at.
  bool fetches() const;
};

/// Points of the module's cases that match the glob.
std::vector<FabricPoint> fabric_points(const RunPoints& run, const std::string& cases);
/// Slowest first, those without a rate last; equally slow ones by their ranks.
std::vector<FlowReport> flows_of(const FabricPoint& point);
/// "2 of 20 points not clean: 1 lossy, 1 unknown"; empty where all are clean.
std::string unclean_text(const std::vector<FabricPoint>& points);

/// "bandwidth send 64 KiB: lossy: rank 1: ...": the first of the worst class; empty where all are clean.
std::string worst_text(const std::vector<FabricPoint>& points);
/// Those of all the points; an axis that only some benchmarks have folds where these agree.
std::vector<Column> fabric_axis_columns(const std::vector<FabricPoint>& points);

}  // namespace assay::results

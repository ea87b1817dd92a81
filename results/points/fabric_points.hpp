// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The rdma module's points as tables, the card and charts need them: every metric by name, the tail of the
// times, and the worst class that any rank's counters gave the link.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/store/stored_points.hpp"

namespace assay::results {

/// In ascending gravity, as the module orders them: that counters could not tell is worse than congestion
/// they did see, and not as bad as loss they saw.
enum class LinkClass { clean, congested, unknown, lossy, faulty };

struct LinkState {
  LinkClass link_class = LinkClass::unknown;
  std::string why;  // "rank 1: mlx5_0 out_of_sequence +12 (...)"
};

/// Where repetitions were joined: the highest of theirs.
struct TailTimes {
  std::optional<double> p99_s, p999_s;
  double max_s = 0, cold_first_s = 0;
};

struct FabricPoint {
  StoredPoint point;
  std::map<std::string, double> metrics;  // over repetitions the median
  TailTimes tail;
  LinkState link;
  std::map<int, std::string> hosts;  // of the ranks, where the record tells them
  double quantile = 0.5;             // that the headline of a latency is
  std::size_t repetitions = 1;

  std::optional<double> metric(const std::string& name) const;
  /// Payload of all flows at the pace of the slowest; also where another rate is the headline.
  Number bandwidth_gb_per_s() const;
  bool is_latency() const { return point.metric == "latency_us"; }
};

/// One flow among those that ran in a point.
struct FabricFlow {
  int from = 0, to = 0;                            // ranks
  std::optional<double> gb_per_s, alone_gb_per_s;  // among the others; run again by itself
};

/// Ok points of the module's cases that match the glob, repetitions joined, in order of first appearance; of
/// the first summary_point_limit records.
std::vector<FabricPoint> fabric_points(const Store& store, const StoredRun& run, const std::string& cases);
/// The worst of all ranks that the conditions tell; unknown where they tell none.
LinkState link_state(const Fields& conditions);
LinkClass link_class_from(const std::string& word);  // unknown where it is none
/// A condition as each rank tells it: "link_class" of rank 0, "rank3_link_class" of rank 3.
std::map<int, std::string> told_by_ranks(const Fields& conditions, std::string_view name);
/// From the metrics flow_A_to_B_gb_per_s and alone_A_to_B_gb_per_s; slowest first, those without a rate last.
std::vector<FabricFlow> flows_of(const FabricPoint& point);
/// "2 of 20 points not clean: 1 lossy, 1 unknown"; empty where all are clean.
std::string unclean_text(const std::vector<FabricPoint>& points);

/// "bandwidth send 64 KiB: lossy: rank 1: ...": the first of the gravest; empty where all are clean.
std::string gravest_text(const std::vector<FabricPoint>& points);
/// Those of all the points; an axis that only some benchmarks have folds where these agree.
std::vector<Column> fabric_axis_columns(const std::vector<FabricPoint>& points);

std::string to_string(LinkClass link_class);

}  // namespace assay::results

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A point with everything that the records of its repetitions hold.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "results/points/link_state.hpp"
#include "results/record/record.hpp"
#include "results/store/stored_points.hpp"

namespace assay::results {

struct TailTimes {
  std::optional<double> p99_s, p999_s;
  double max_s = 0, cold_first_s = 0;
};

/// A point with its repetitions joined, by one rule wherever points are shown:
/// - headline, time, efficiency and every metric: the median, with the union of the intervals; n is the sum;
/// - tail and cold first operation: the highest; class of the link: the worst, with its reason;
/// - the rates of a flow: likewise; flows by their ranks; queue pairs where all repetitions had the same;
/// - a condition: of the first repetition that has it; unknown, and left out, where repetitions differ;
/// - conditions of other ranks: of the first repetition;
/// - the stamp of what is not a performance measurement: that of any repetition.
/// Repetitions that failed or have no finite headline take no part.
struct MeasuredPoint {
  StoredPoint point;
  std::map<std::string, Number> metrics;  // finite ones, by name
  Fields conditions;
  std::vector<RankReport> ranks;
  std::vector<FlowReport> flows;
  TailTimes tail;
  LinkState link;
  std::string stamp;      // "several ranks on one GPU": why it is not a performance measurement
  double quantile = 0.5;  // that the time is

  /// Hosts and rails of the ranks, where the record names them.
  std::map<int, std::string> hosts() const;
  std::map<int, std::int64_t> rails() const;
  /// address_of_gid() of the ranks, where the record names their GIDs.
  std::map<int, std::string> addresses() const;
  std::optional<double> metric(const std::string& name) const;
  Number interval(const std::string& name) const;  // NaN where there is no such metric
};

/// `rows` and `records` are those of the same repetitions; at least one.
MeasuredPoint joined_point(std::vector<StoredPoint> rows, const std::vector<const PointRecord*>& records);

}  // namespace assay::results

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// One reader of a run, opened once for a table, a card or a whole report: rows, records and contexts are kept
// for the next who asks, of large runs the latest of them.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "results/points/link_state.hpp"
#include "results/store/stored_points.hpp"
#include "results/store/stored_records.hpp"

namespace assay::results {

/// Points read for what joins points: a table, card or chart. It says when a run has more (cut_short()).
inline constexpr std::int64_t summary_point_limit = 10'000;

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
  std::size_t repetitions = 1;

  /// Of the ranks, where the record names them.
  std::map<int, std::string> hosts() const;
  std::map<int, std::int64_t> rails() const;
  /// address_of_gid() of the ranks, where the record names their GIDs.
  std::map<int, std::string> addresses() const;
  std::optional<double> metric(const std::string& name) const;
  Number interval(const std::string& name) const;  // NaN where there is no such metric
};

/// Of one thread. The store must live as long.
class RunPoints {
 public:
  /// The latest run where `run_id` is empty or "latest". Throws std::runtime_error with one line where there
  /// is none. `limit`: rows read for one glob.
  explicit RunPoints(const Store& store, const std::optional<std::string>& run_id = {},
                     std::int64_t limit = summary_point_limit);

  const Store& store() const { return store_; }
  const StoredRun& stored() const { return run_; }
  /// In process order.
  const std::vector<ContextRecord>& contexts() const;
  /// "measured", or every origin the contexts name.
  const std::string& origin() const;
  /// As ending_of().
  const std::string& ending() const;

  /// Every status, all cases matching the glob, case by case; the first `limit`.
  std::vector<StoredPoint> rows(const std::string& cases) const;
  /// Those with this headline, repetitions joined, without reading the records: only ok points.
  std::vector<StoredPoint> joined(const std::string& cases, const std::string& metric) const;
  /// Ok points, repetitions joined, with what their records hold.
  std::vector<MeasuredPoint> measured(const std::string& cases) const;

  /// In the order measured, the first `most`. `filter` as in points_in_order().
  std::vector<StoredPoint> in_order(const std::string& filter, std::int64_t most,
                                    Chosen chosen = Chosen::all) const;

  /// Everything but the samples. Lasts until the next question for several points.
  const PointRecord& record(std::int64_t point) const;
  /// Of the record where it was read before, else alone.
  Fields conditions(std::int64_t point) const;
  std::vector<double> samples(std::int64_t point) const { return samples_of(store_, point); }

  /// Where only the first points were read, so far: "the first 10000 of 652174 points of memory.*".
  std::vector<std::string> cut_short() const;

 private:
  struct Case {
    StoredCase stored;
    std::optional<std::vector<StoredPoint>> rows;  // once they were asked for
  };

  void make_room() const;
  void note_cut(const std::string& cases) const;

  const Store& store_;
  StoredRun run_;
  std::int64_t limit_;
  mutable RecordReader reader_;
  mutable std::map<std::string, std::int64_t>
      points_of_;  // where the limit was reached: all there are, by glob
  mutable std::vector<Case> cases_;
  mutable std::map<std::int64_t, PointRecord> records_;
  mutable std::optional<std::vector<ContextRecord>> contexts_;
  mutable std::optional<std::string> origin_, ending_;
};

/// The points as one kind of them, such as FabricPoint.
template <class View>
std::vector<View> as_view(std::vector<MeasuredPoint> points) {
  std::vector<View> views;
  views.reserve(points.size());
  for (MeasuredPoint& point : points) views.push_back(View{std::move(point)});
  return views;
}

}  // namespace assay::results

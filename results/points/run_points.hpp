// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// One reader of a run, opened once for a table, a card or a whole report: rows, records and contexts are kept
// for the next who asks, of large runs the latest of them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "results/points/measured_point.hpp"
#include "results/store/doubts/different_cases.hpp"
#include "results/store/stored_points.hpp"
#include "results/store/stored_records.hpp"

namespace assay::results {

/// Points read for a table, card or chart: different ones where repetitions are joined while they are read,
/// else rows. It says when a run has more (cut_short()).
inline constexpr std::int64_t summary_point_limit = 10'000;

/// The points of one run, for one thread. The store must live as long.
class RunPoints {
 public:
  /// The latest run where `run_id` is empty or "latest". Throws std::runtime_error with one line where there
  /// is none. `limit`: points read for one glob.
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
  /// Each point of all cases matching the glob once, repetitions joined as different_points() does: all of
  /// them, or of a run with more than `limit` different points those before it has that many.
  std::vector<StoredPoint> different(const std::string& cases) const;
  /// The measured ones of different() with this headline.
  std::vector<StoredPoint> joined(const std::string& cases, const std::string& metric) const;
  /// Ok points, repetitions joined, with what their records hold.
  std::vector<MeasuredPoint> measured(const std::string& cases) const;

  /// In the order measured, the first `most`. `filter` as in points_in_order().
  std::vector<StoredPoint> in_order(const std::string& filter, std::int64_t most,
                                    Chosen chosen = Chosen::all) const;

  /// Everything but the samples. Lasts until the next question for several points.
  const PointRecord& record(std::int64_t point) const;
  /// The conditions of a point: of its record where that was read before, else read alone.
  Fields conditions(std::int64_t point) const;
  std::vector<double> samples(std::int64_t point) const { return samples_of(store_, point); }

  /// A line for each glob of which only the first points were read so far: "the first 10000 of 652174 points
  /// of memory.*", of different() "points of memory.* up to the first 10000 different ones, of 652174 in
  /// all".
  std::vector<std::string> cut_short() const;

 private:
  struct Case {
    StoredCase stored;
    std::optional<std::vector<StoredPoint>> rows;  // once they were asked for
    std::optional<PointsOfCase> different;         // likewise, where they were joined while they were read
  };
  struct Cut {
    std::string cases;
    bool different = false;  // else rows
    auto operator<=>(const Cut&) const = default;
  };

  const std::vector<StoredPoint>& rows_of(Case& one) const;
  void read_together(const std::string& cases) const;
  PointsOfCase different_of(Case& one) const;
  void read_records(const std::vector<std::vector<StoredPoint>>& groups) const;
  void join_groups(std::span<std::vector<StoredPoint>> groups, std::span<MeasuredPoint> points) const;
  void make_room() const;
  void note_cut(const Cut& cut) const;

  const Store& store_;
  StoredRun run_;
  std::int64_t limit_;
  mutable RecordReader reader_;
  mutable std::map<Cut, std::int64_t> points_of_;  // where the limit was reached: all there are
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

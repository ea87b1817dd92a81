// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/points/run_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "harness/core/process/side_by_side.hpp"
#include "harness/core/text/glob.hpp"
#include "results/store/doubts/different_points.hpp"
#include "results/store/doubts/run_doubts.hpp"
#include "results/store/repetitions.hpp"
#include "results/store/sqlite/database.hpp"

namespace assay::results {
namespace {

// Limits, chosen for a run of a million points.
constexpr std::size_t most_rows_kept = 40'000, most_records_kept = 20'000;
constexpr std::size_t worth_several_readers = 1000;  // records
constexpr std::size_t joined_at_once = 10'000;       // rows, at least
constexpr std::size_t joined_in_turn = 256;          // points of one thread

}  // namespace

RunPoints::RunPoints(const Store& store, const std::optional<std::string>& run_id, std::int64_t limit)
    : store_(store), run_(find_run(store, run_id)), limit_(limit), reader_(store) {
  for (StoredCase& one : cases_of(store, run_)) cases_.push_back({std::move(one), {}, {}});
}

const std::vector<ContextRecord>& RunPoints::contexts() const {
  if (!contexts_) contexts_ = contexts_of(store_, run_);
  return *contexts_;
}

const std::string& RunPoints::origin() const {
  if (!origin_) origin_ = origin_of(store_, run_);
  return *origin_;
}

const std::string& RunPoints::ending() const {
  if (!ending_) ending_ = ending_of(store_, run_);
  return *ending_;
}

const std::vector<StoredPoint>& RunPoints::rows_of(Case& one) const {
  if (!one.rows) {
    make_room();
    one.rows = points_of_case(store_, run_, one.stored, limit_);
  }
  return *one.rows;
}

std::vector<StoredPoint> RunPoints::rows(const std::string& cases) const {
  std::vector<StoredPoint> all;
  for (Case& one : cases_) {
    if (std::ssize(all) == limit_) break;
    if (!core::glob_matches(cases, one.stored.name)) continue;
    const std::vector<StoredPoint>& rows = rows_of(one);
    const auto count = std::min(std::ssize(rows), static_cast<std::ptrdiff_t>(limit_) - std::ssize(all));
    all.insert(all.end(), rows.begin(), rows.begin() + count);
  }
  if (std::ssize(all) == limit_) note_cut({cases});
  return all;
}

/// Rows that are read one by one serve others too.
PointsOfCase RunPoints::different_of(Case& one) const {
  if (one.different) return *one.different;
  const std::vector<StoredPoint>& rows = rows_of(one);
  return {different_points(rows), std::ssize(rows) == limit_};  // it may have more since then
}

/// Joins rows of these cases while they are read if one of them is large: its own and those of the others.
void RunPoints::read_together(const std::string& cases) const {
  const auto is_large = [&](const Case& one) { return one.stored.points > limit_; };
  const auto is_missing = [&](const Case& one) {
    return core::glob_matches(cases, one.stored.name) && !one.different && (is_large(one) || !one.rows);
  };
  if (std::ranges::none_of(cases_, [&](const Case& one) { return is_missing(one) && is_large(one); })) return;
  std::size_t kept = 0;
  for (const Case& one : cases_) kept += one.different ? one.different->points.size() : 0;
  if (kept >= most_rows_kept)
    for (Case& one : cases_) one.different.reset();
  std::vector<Case*> missing;
  std::vector<StoredCase> stored;
  for (Case& one : cases_)
    if (is_missing(one)) {
      missing.push_back(&one);
      stored.push_back(one.stored);
    }
  auto read = different_points_of_cases(store_, run_, stored, limit_);
  for (std::size_t at = 0; at < missing.size(); ++at) missing[at]->different = std::move(read[at]);
}

std::vector<StoredPoint> RunPoints::different(const std::string& cases) const {
  read_together(cases);
  std::vector<StoredPoint> all;
  bool is_whole = true;
  for (Case& one : cases_) {
    if (!core::glob_matches(cases, one.stored.name)) continue;
    PointsOfCase more = std::ssize(all) < limit_ ? different_of(one) : PointsOfCase{{}, true};
    is_whole = is_whole && !more.cut_short && std::ssize(all) + std::ssize(more.points) <= limit_;
    std::ranges::move(more.points, std::back_inserter(all));
  }
  if (!is_whole) note_cut({cases, true});
  if (std::ssize(all) > limit_) all.resize(static_cast<std::size_t>(limit_));
  return all;
}

void RunPoints::make_room() const {
  std::size_t kept = 0;
  for (const Case& one : cases_) kept += one.rows ? one.rows->size() : 0;
  if (kept < most_rows_kept) return;
  for (Case& one : cases_) one.rows.reset();
}

void RunPoints::note_cut(const Cut& cut) const {
  const auto [place, fresh] = points_of_.try_emplace(cut, 0);
  if (!fresh) return;
  for (const StoredCase& one : cases_of(store_, run_))
    if (core::glob_matches(cut.cases, one.name)) place->second += one.points;
}

std::vector<std::string> RunPoints::cut_short() const {
  std::vector<std::string> lines;
  for (const auto& [cut, points] : points_of_)
    if (points > limit_)
      lines.push_back(cut.different
                          ? fmt::format("points of {1} up to the first {0} different ones, of {2} in all",
                                        limit_, cut.cases, points)
                          : fmt::format("the first {} of {} points of {}", limit_, points, cut.cases));
  return lines;
}

std::vector<StoredPoint> RunPoints::joined(const std::string& cases, const std::string& metric) const {
  auto points = different(cases);
  std::erase_if(points,
                [&](const StoredPoint& point) { return point.metric != metric || !has_value(point); });
  return points;
}

std::vector<MeasuredPoint> RunPoints::measured(const std::string& cases) const {
  const ReadTransaction one_lock(store_.database());
  auto groups = repetitions_in(rows(cases));
  read_records(groups);
  std::vector<MeasuredPoint> points(groups.size());
  for (std::size_t first = 0, end = 0; first < groups.size(); first = end) {
    for (std::size_t rows = 0; end < groups.size() && rows < joined_at_once; ++end)
      rows += groups[end].size();
    join_groups(std::span(groups).subspan(first, end - first), std::span(points).subspan(first, end - first));
  }
  return points;
}

/// On all processors: copies of what the records hold are much of a table's work.
void RunPoints::join_groups(std::span<std::vector<StoredPoint>> groups,
                            std::span<MeasuredPoint> points) const {
  if (records_.size() > most_records_kept) records_.clear();
  std::vector<std::vector<const PointRecord*>> records(groups.size());
  for (std::size_t group = 0; group < groups.size(); ++group)
    for (const StoredPoint& one : groups[group]) records[group].push_back(&record(one.id));
  const auto join = [&](std::size_t group) {
    points[group] = joined_point(std::move(groups[group]), records[group]);
  };
  core::side_by_side(groups.size(), join, {.in_turn = joined_in_turn});
}

/// Reads the records of these points if they are many, and can all be kept.
void RunPoints::read_records(const std::vector<std::vector<StoredPoint>>& groups) const {
  std::vector<std::int64_t> points;
  for (const std::vector<StoredPoint>& repetitions : groups)
    for (const StoredPoint& one : repetitions) points.push_back(one.id);
  if (points.size() > most_records_kept) return;
  if (records_.size() + points.size() > most_records_kept) records_.clear();
  std::erase_if(points, [&](std::int64_t point) { return records_.contains(point); });
  if (points.size() < worth_several_readers) return;
  std::vector<PointRecord> records = records_of(store_, points);
  for (std::size_t at = 0; at < points.size(); ++at) records_.emplace(points[at], std::move(records[at]));
}

const PointRecord& RunPoints::record(std::int64_t point) const {
  const auto known = records_.find(point);
  return known != records_.end() ? known->second : records_.emplace(point, reader_.read(point)).first->second;
}

Fields RunPoints::conditions(std::int64_t point) const {
  const auto known = records_.find(point);
  return known != records_.end() ? known->second.conditions : conditions_of(store_, point);
}

/// A small run's rows are read once, case by case, and asked for again; of a large one only what is asked
/// for.
std::vector<StoredPoint> RunPoints::in_order(const std::string& filter, std::int64_t most,
                                             Chosen chosen) const {
  if (records_.size() >= most_records_kept) records_.clear();
  if (!filter.empty() || run_.points() > limit_) return points_in_order(store_, run_, filter, most, chosen);
  std::vector<StoredPoint> points = rows("*");
  std::erase_if(points, [&](const StoredPoint& point) {
    const bool counts_as_bad = point.status != Status::unsupported || chosen == Chosen::not_ok;
    return chosen != Chosen::all && (point.status == Status::ok || !counts_as_bad);
  });
  std::ranges::sort(points, {}, [](const StoredPoint& point) {
    return std::tuple(point.process, point.sequence, point.id);
  });
  if (std::ssize(points) > most) points.resize(static_cast<std::size_t>(most));
  return points;
}

}  // namespace assay::results

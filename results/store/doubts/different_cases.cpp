// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/store/doubts/different_cases.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <mutex>
#include <utility>

#include "results/store/doubts/different_points.hpp"
#include "results/store/point_rows.hpp"
#include "results/store/several_readers.hpp"
#include "results/store/sqlite/database.hpp"

namespace assay::results {
namespace {

struct RowsOfCase {
  std::size_t of_case = 0;
  RowRange rows;
};

/// Rows that one thread reads in turn.
using Part = std::vector<RowsOfCase>;

/// Takes the first `most` rows, or all there are.
Part take_rows(std::deque<RowsOfCase>& from, std::int64_t most) {
  Part part;
  while (most > 0 && !from.empty()) {
    auto& [of_case, rest] = from.front();
    const std::int64_t count = std::min(most, rest.last - rest.first + 1);
    part.push_back({of_case, {rest.first, rest.first + count - 1}});
    most -= count;
    rest.first += count;
    if (rest.first > rest.last) from.pop_front();
  }
  return part;
}

struct FoundPoints {
  DifferentPoints points;
  bool cut_short = false;
};

/// Ends at a point that would be one more than `most`; of rows after that reads none.
void read_rows(RepetitionRows& reader, const RowRange& rows, std::int64_t most, FoundPoints& found) {
  if (found.cut_short) return;
  reader.start(rows);
  while (reader.step()) {
    if (found.points.join(reader.key(), reader.metric(), reader.status(), reader.numbers())) continue;
    found.cut_short = std::cmp_equal(found.points.size(), most);
    if (found.cut_short) return;
    found.points.add(reader.point());
  }
}

/// Reads what repetitions do not join.
PointsOfCase whole(FoundPoints found, const Store& store) {
  PointsOfCase all{found.points.take(), found.cut_short};
  PointReader reader(store);
  for (StoredPoint& point : all.points) {
    const RepetitionNumbers numbers = numbers_of(point);
    point = reader.read(point.id);
    set_numbers(point, numbers);
  }
  return all;
}

struct JoinedCase {
  std::vector<std::size_t> parts;              // that hold rows of it
  std::size_t joined = 0;                      // of `parts`
  std::map<std::size_t, FoundPoints> waiting;  // by part: parts before them are not read yet
  FoundPoints found;                           // in those that are joined
};

/// Hands out rows of all cases in the order they came into the store: where cases took turns, a page holds
/// rows of many and is read once. What is found of a case is joined in the order of its rows.
class SharedReading {
 public:
  SharedReading(const Store& store, const StoredRun& run, std::span<const StoredCase> cases,
                std::int64_t most, std::int64_t in_part)
      : most_(most), cases_(cases.size()) {
    std::deque<RowsOfCase> ranges;
    for (std::size_t at = 0; at < cases.size(); ++at)
      for (const RowRange& rows : rows_of_case(store, run, cases[at])) ranges.push_back({at, rows});
    std::ranges::sort(ranges, {}, [](const RowsOfCase& one) { return one.rows.first; });
    while (!ranges.empty()) parts_.push_back(take_rows(ranges, in_part));
    for (std::size_t part = 0; part < parts_.size(); ++part)
      for (const auto& [of_case, rows] : parts_[part])
        if (auto& own = cases_[of_case].parts; own.empty() || own.back() != part) own.push_back(part);
  }

  std::size_t parts() const { return parts_.size(); }

  /// Reads parts until none is left, on each of several threads.
  void read(const Store& store) {
    try {
      RepetitionRows reader(store);
      while (const auto turn = next_turn()) join(*turn, read_part(reader, *turn), reader);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      next_ = parts_.size();  // the others end, too
      throw;
    }
  }

  /// Ends the use of this.
  std::vector<std::optional<PointsOfCase>> take(const Store& store) {
    std::vector<std::optional<PointsOfCase>> all(cases_.size());
    std::int64_t points = 0;
    for (std::size_t at = 0; at < cases_.size() && points < most_; ++at) {
      all[at] = whole(std::move(cases_[at].found), store);
      points += std::ssize(all[at]->points);
    }
    return all;
  }

 private:
  struct Turn {
    std::size_t part = 0;
    std::vector<bool> wanted;  // by case
  };
  using FoundByCase = std::map<std::size_t, FoundPoints>;

  std::optional<Turn> next_turn() {
    const std::lock_guard lock(mutex_);
    const std::vector<bool> wanted = wanted_cases();
    while (next_ < parts_.size()) {
      const std::size_t part = next_++;
      if (std::ranges::any_of(parts_[part], [&](const auto& one) { return wanted[one.of_case]; }))
        return Turn{part, wanted};
    }
    return std::nullopt;
  }

  /// A case is wanted until it has too many points, or those before it have enough.
  std::vector<bool> wanted_cases() const {
    std::vector<bool> wanted;
    std::size_t points = 0;
    for (const JoinedCase& one : cases_) {
      wanted.push_back(!one.found.cut_short && std::cmp_less(points, most_));
      points += one.found.points.size();
    }
    return wanted;
  }

  FoundByCase read_part(RepetitionRows& reader, const Turn& turn) const {
    FoundByCase found;
    for (const auto& [of_case, rows] : parts_[turn.part])
      if (turn.wanted[of_case]) read_rows(reader, rows, most_, found[of_case]);
    return found;
  }

  /// Joins what can be joined by now.
  void join(const Turn& turn, FoundByCase found, RepetitionRows& reader) {
    const std::lock_guard lock(mutex_);
    for (auto& [of_case, own] : found) {
      cases_[of_case].waiting.emplace(turn.part, std::move(own));
      join_waiting(of_case, reader);
    }
  }

  void join_waiting(std::size_t of_case, RepetitionRows& reader) {
    JoinedCase& one = cases_[of_case];
    while (!one.found.cut_short && one.joined < one.parts.size()) {
      const auto next = one.waiting.find(one.parts[one.joined]);
      if (next == one.waiting.end()) return;
      join_next(of_case, std::move(next->second), reader);
      one.waiting.erase(next);
      ++one.joined;
    }
    one.waiting.clear();
  }

  /// Joins the next part of a case. If its points become too many, the part's rows are read again, because
  /// the case ends at one of them.
  void join_next(std::size_t of_case, FoundPoints more, RepetitionRows& reader) {
    JoinedCase& one = cases_[of_case];
    if (!more.cut_short && one.found.points.append(std::move(more.points), static_cast<std::size_t>(most_)))
      return;
    for (const auto& [other, rows] : parts_[one.parts[one.joined]])
      if (other == of_case) read_rows(reader, rows, most_, one.found);
  }

  std::int64_t most_;
  std::vector<Part> parts_;
  std::size_t next_ = 0;  // of parts_
  std::vector<JoinedCase> cases_;
  std::mutex mutex_;  // of next_ and cases_
};

/// The points of a case that has too many within as many rows.
std::optional<PointsOfCase> cut_at_once(const Store& store, const StoredRun& run, const StoredCase& of_case,
                                        std::int64_t most) {
  std::deque<RowsOfCase> ranges;
  for (const RowRange& rows : rows_of_case(store, run, of_case)) ranges.push_back({0, rows});
  RepetitionRows reader(store);
  FoundPoints found;
  for (const auto& [one, rows] : take_rows(ranges, std::min(most, of_case.points) + 1))
    read_rows(reader, rows, most, found);
  return found.cut_short ? std::optional(whole(std::move(found), store)) : std::nullopt;
}

}  // namespace

std::vector<std::optional<PointsOfCase>> different_points_of_cases(const Store& store, const StoredRun& run,
                                                                   std::span<const StoredCase> cases,
                                                                   std::int64_t most, std::int64_t in_part) {
  std::vector<std::optional<PointsOfCase>> all(cases.size());
  if (cases.empty() || most < 1) return all;
  const ReadTransaction one_lock(store.database());  // no one writes before the others have read
  if (auto first = cut_at_once(store, run, cases.front(), most)) {
    all.front() = std::move(first);
    return all;
  }
  SharedReading reading(store, run, cases, most, in_part);
  with_several_readers(store, reading.parts(), [&](const Store& own) { reading.read(own); });
  return reading.take(store);
}

}  // namespace assay::results

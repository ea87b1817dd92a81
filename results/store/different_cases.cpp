// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/store/different_cases.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <mutex>
#include <utility>

#include "results/store/database.hpp"
#include "results/store/different_points.hpp"
#include "results/store/point_rows.hpp"
#include "results/store/several_readers.hpp"

namespace assay::results {
namespace {

struct RowsOfCase {
  std::size_t of_case = 0;
  RowRange rows;
};

/// What one thread reads in turn.
using Part = std::vector<RowsOfCase>;

/// The first `most` rows, or all there are. Leaves the others.
Part take_rows(std::deque<RowsOfCase>& from, std::int64_t most) {
  Part part;
  while (most > 0 && !from.empty()) {
    auto& [of_case, rest] = from.front();
    const std::int64_t last = std::min(rest.last, rest.first + most - 1);
    part.push_back({of_case, {rest.first, last}});
    most -= last - rest.first + 1;
    rest.first = last + 1;
    if (rest.first > rest.last) from.pop_front();
  }
  return part;
}

struct ReadPoints {
  DifferentPoints points;
  std::size_t rows = 0;
  bool cut_short = false;
};

/// Ends at a point that would be one more than `most`.
void read_rows(RepetitionRows& reader, const RowRange& rows, std::int64_t most, ReadPoints& read) {
  const bool mostly_new = 2 * read.points.size() >= read.rows;
  reader.start(rows, mostly_new);
  for (; reader.step(); ++read.rows) {
    if (read.points.join(reader.key(), reader.metric(), reader.status(), reader.numbers())) continue;
    read.cut_short = std::cmp_equal(read.points.size(), most);
    if (read.cut_short) return;
    read.points.add(reader.whole());
  }
}

struct CaseInParts {
  std::vector<std::size_t> parts;             // that hold rows of it
  std::map<std::size_t, ReadPoints> waiting;  // by part, for those before them
  std::size_t joined = 0;                     // of `parts`
  ReadPoints read;                            // of those
};

/// Hands out the first rows of the first case: it may have as many points as are wanted of all. Then rows of
/// all cases in the order they came into the store: where cases took turns, a page holds rows of many and is
/// read once. What is read of a case is joined in the order of its rows, as soon as what comes before it is.
class CasesInParts {
 public:
  CasesInParts(const Store& store, const StoredRun& run, std::span<const StoredCase> cases, std::int64_t most,
               std::int64_t in_part)
      : most_(most), cases_(cases.size()) {
    std::deque<RowsOfCase> ranges;
    for (std::size_t at = 0; at < cases.size(); ++at) {
      for (const RowRange& rows : rows_of_case(store, run, cases[at])) ranges.push_back({at, rows});
      if (at == 0) parts_.push_back(take_rows(ranges, most + 1));
    }
    std::ranges::sort(ranges, {}, [](const RowsOfCase& one) { return one.rows.first; });
    while (!ranges.empty()) parts_.push_back(take_rows(ranges, in_part));
    for (std::size_t part = 0; part < parts_.size(); ++part)
      for (const auto& [of_case, rows] : parts_[part])
        if (auto& own = cases_[of_case].parts; own.empty() || own.back() != part) own.push_back(part);
  }

  std::size_t parts() const { return parts_.size(); }

  /// Reads parts until none is left, on each of several threads.
  void read(const Store& store) {
    RepetitionRows reader(store);
    while (const auto next = take_next()) {
      std::map<std::size_t, ReadPoints> read = read_part(reader, *next);
      const std::lock_guard lock(mutex_);
      for (auto& [of_case, points] : read) {
        cases_[of_case].waiting.emplace(next->part, std::move(points));
        join_waiting(of_case, reader);
      }
    }
  }

  /// Ends the use of this.
  std::vector<std::optional<PointsOfCase>> take() {
    std::vector<std::optional<PointsOfCase>> all(cases_.size());
    std::int64_t points = 0;
    for (std::size_t at = 0; at < cases_.size() && points < most_; ++at) {
      all[at] = {cases_[at].read.points.take(), cases_[at].read.cut_short};
      points += std::ssize(all[at]->points);
    }
    return all;
  }

 private:
  struct Turn {
    std::size_t part = 0;
    std::vector<bool> wanted;  // by case
  };

  std::optional<Turn> take_next() {
    const std::lock_guard lock(mutex_);
    const std::vector<bool> wanted = wanted_cases();
    while (next_ < parts_.size()) {
      const std::size_t part = next_++;
      if (std::ranges::any_of(parts_[part], [&](const auto& one) { return wanted[one.of_case]; }))
        return Turn{part, wanted};
    }
    return std::nullopt;
  }

  /// Not those that have all points they may, and none after cases that have enough.
  std::vector<bool> wanted_cases() const {
    std::vector<bool> wanted;
    std::size_t points = 0;
    for (const CaseInParts& one : cases_) {
      wanted.push_back(!one.read.cut_short && std::cmp_less(points, most_));
      points += one.read.points.size();
    }
    return wanted;
  }

  std::map<std::size_t, ReadPoints> read_part(RepetitionRows& reader, const Turn& turn) const {
    std::map<std::size_t, ReadPoints> read;
    for (const auto& [of_case, rows] : parts_[turn.part]) {
      if (!turn.wanted[of_case]) continue;
      ReadPoints& own = read[of_case];
      if (!own.cut_short) read_rows(reader, rows, most_, own);
    }
    return read;
  }

  void join_waiting(std::size_t of_case, RepetitionRows& reader) {
    CaseInParts& one = cases_[of_case];
    while (!one.read.cut_short && one.joined < one.parts.size()) {
      const auto next = one.waiting.find(one.parts[one.joined]);
      if (next == one.waiting.end()) return;
      join(of_case, std::move(next->second), reader);
      one.waiting.erase(next);
      ++one.joined;
    }
    one.waiting.clear();
  }

  /// Reads its rows of the next part again where the points become too many: it ends at one of them.
  void join(std::size_t of_case, ReadPoints more, RepetitionRows& reader) {
    CaseInParts& one = cases_[of_case];
    if (one.joined == 0) {
      one.read = std::move(more);
    } else if (!more.cut_short &&
               std::cmp_less_equal(one.read.points.size() + one.read.points.count_new(more.points), most_)) {
      one.read.points.append(std::move(more.points));
      one.read.rows += more.rows;
    } else {
      for (const auto& [other, rows] : parts_[one.parts[one.joined]])
        if (other == of_case && !one.read.cut_short) read_rows(reader, rows, most_, one.read);
    }
  }

  std::int64_t most_;
  std::vector<Part> parts_;
  std::size_t next_ = 0;  // of parts_
  std::vector<CaseInParts> cases_;
  std::mutex mutex_;  // of next_ and what is read of the cases
};

}  // namespace

std::vector<std::optional<PointsOfCase>> different_points_of_cases(const Store& store, const StoredRun& run,
                                                                   std::span<const StoredCase> cases,
                                                                   std::int64_t most, std::int64_t in_part) {
  const ReadTransaction one_lock(store.database());  // nothing is written while others read
  CasesInParts parts(store, run, cases, most, in_part);
  with_several_readers(store, parts.parts(), [&](const Store& own) { parts.read(own); });
  return parts.take();
}

}  // namespace assay::results

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Rows of the table of points: whole, or only what joins repetitions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "results/store/repetitions.hpp"
#include "results/store/sqlite/database.hpp"
#include "results/store/stored_points.hpp"

namespace assay::results {

/// The SELECT that whole_point() reads, up to its WHERE: the point is "p", its case "c". `from` names "p".
std::string whole_points(const std::string& from = "points p");
StoredPoint whole_point(const Statement& row);

/// Points by their ids, both included.
struct RowRange {
  std::int64_t first = 0, last = 0;
};
/// The ranges of a case's rows, in the order they came into the store.
std::vector<RowRange> rows_of_case(const Store& store, const StoredRun& run, const StoredCase& of_case);

/// Reads rows one after the other: only what distinguishes points, and the numbers that repetitions join.
class RepetitionRows {
 public:
  explicit RepetitionRows(const Store& store);
  void start(const RowRange& rows);
  /// True while there is a row.
  bool step() { return rows_.step(); }

  std::string_view key() const;  // until the next step, as metric()
  std::string_view metric() const;
  Status status() const;
  RepetitionNumbers numbers() const;
  /// All of these, and the id.
  StoredPoint point() const;

 private:
  Statement rows_;
};

/// Reads whole points by their ids.
class PointReader {
 public:
  explicit PointReader(const Store& store);
  /// Throws DamagedStore where there is none.
  StoredPoint read(std::int64_t point);

 private:
  Statement row_;
};

}  // namespace assay::results

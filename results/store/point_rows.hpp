// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Rows of the table of points: whole, and only the numbers that repetitions add.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "results/store/database.hpp"
#include "results/store/repetitions.hpp"
#include "results/store/stored_points.hpp"

namespace assay::results {

/// The SELECT that whole_point() reads, up to its WHERE: the point is "p", its case "c". `from` names "p".
std::string whole_points(const std::string& from = "points p");
StoredPoint whole_point(const Statement& row);

/// Points by their ids, both included.
struct RowRange {
  std::int64_t first = 0, last = 0;
};
/// Where the rows of a case lie, in the order they came into the store.
std::vector<RowRange> rows_of_case(const Store& store, const StoredRun& run, const StoredCase& of_case);

/// Rows of which the first of each point is wanted whole, of the others what repetitions add.
class RepetitionRows {
 public:
  explicit RepetitionRows(const Store& store);
  /// `mostly_new`: most rows are wanted whole. Then each is read whole at once, which is faster for those and
  /// slower for the others.
  void start(const RowRange& rows, bool mostly_new);
  /// True while there is a row.
  bool step() { return rows_->step(); }

  std::string_view key() const;  // until the next step, as metric()
  std::string_view metric() const;
  Status status() const;
  RepetitionNumbers numbers() const;
  StoredPoint whole();

 private:
  Statement whole_rows_, number_rows_, one_row_;
  Statement* rows_ = nullptr;
};

}  // namespace assay::results

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The columns of a table that people see, and how wide they are: found by reading the rows once.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "results/table/long_table.hpp"
#include "results/table/table.hpp"

namespace assay::results {

/// Facts about one column, gathered over the rows.
class ColumnFacts {
 public:
  void take(const Cell& cell, const Column& column);
  /// The value of all rows that count; empty where none counts. Nothing where they differ, or where the
  /// column stays.
  std::optional<std::string> same_value(const Column& column, std::size_t rows) const;
  bool has_gaps() const { return has_gaps_; }
  std::size_t width() const { return width_; }  // of the widest cell

 private:
  std::optional<std::string> same_, before_;
  bool differs_ = false, has_gaps_ = false, before_was_gap_ = false;
  std::size_t width_ = 0;
};

struct Folding {
  Table head;                       // as people see it; without rows
  std::vector<std::size_t> kept;    // which columns these are
  std::vector<std::size_t> widths;  // of their cells and headings
  std::size_t rows = 0;
};

Folding folding_of(const Table& head, const EachRow& each_row);

/// One line a row, and nothing that a terminal obeys: what records quote must not break the table.
std::string one_line(const std::string& text);
/// "speed (GB/s)"
std::string heading_of(const Column& column);

}  // namespace assay::results

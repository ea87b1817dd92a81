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

/// In characters. Words are what blanks separate.
struct ColumnWidths {
  std::size_t heading = 0, heading_word = 0;  // the longest word of the heading
  std::size_t cells = 0, cell_word = 0;       // the widest cell, the longest word of any
};

/// Choice of columns that text and Markdown leave out of the rows.
enum class Fold {
  none,    // no column
  chosen,  // columns that say so and do not vary, and those that say nothing
  all,     // every column that does not vary
};

/// Facts about one column, gathered over the rows.
class ColumnFacts {
 public:
  void take(const Cell& cell, const Column& column);
  /// The value of all rows that count; empty where none counts. Nothing where they differ, or where the
  /// column stays.
  std::optional<std::string> same_value(const Column& column, std::size_t rows,
                                        Fold fold = Fold::chosen) const;
  bool has_gaps() const { return has_gaps_; }
  bool says_nothing() const { return !has_value_; }
  std::size_t width() const { return width_; }
  std::size_t longest_word() const { return longest_word_; }

 private:
  std::optional<std::string> same_, before_;
  bool differs_ = false, has_gaps_ = false, has_value_ = false, before_was_gap_ = false;
  std::size_t width_ = 0, longest_word_ = 0;
};

struct Folding {
  Table head;                        // as people see it; without rows
  std::vector<std::string> shared;   // lines: what was taken out of all rows
  std::vector<std::size_t> kept;     // which columns these are
  std::vector<ColumnWidths> widths;  // of these
  std::size_t rows = 0;
};

/// The facts of all columns, by reading the rows once.
class TableFacts {
 public:
  TableFacts(const Table& head, const EachRow& each_row);
  Folding folded(const Table& head, Fold fold) const;
  std::size_t rows() const { return rows_; }

 private:
  std::vector<ColumnFacts> columns_;
  std::size_t rows_ = 0;
};

/// One line a row, and nothing that a terminal obeys: what records quote must not break the table.
std::string one_line(const std::string& text);
/// The texts of a row in the columns that are kept.
std::vector<std::string> texts_of(const std::vector<Cell>& row, const Folding& folding);
std::vector<std::string> headings_of(const Table& table);
bool is_left(const Column& column);
/// "speed (GB/s)"
std::string heading_of(const Column& column);

}  // namespace assay::results

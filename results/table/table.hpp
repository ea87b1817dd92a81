// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A table as data, before it is text: what `assay show` prints and what a report and a test read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace assay::results {

/// A measured number. The bounds are of its interval where one is known.
struct Number {
  double value = 0;
  std::optional<double> lower = {}, upper = {};
};

/// The value and its bounds, each by this function.
template <class Function>
Number mapped(const Number& number, Function function) {
  const auto of_bound = [&](const std::optional<double>& bound) {
    return bound ? std::optional(function(*bound)) : std::nullopt;
  };
  return {function(number.value), of_bound(number.lower), of_bound(number.upper)};
}

/// Nothing, a word, a count, or a measured number.
using Cell = std::variant<std::monostate, std::string, std::int64_t, Number>;

struct Column {
  enum class Kind {
    text,    // left; wrapped where the terminal is narrow, or below its row
    word,    // left; broken at blanks only, and later than a text
    count,   // right, exact
    bytes,   // right, exact; as "64 MiB" for people
    number,  // right, four significant digits with interval for people
  };
  std::string name;
  std::string unit = {};
  Kind kind = Kind::text;
  bool folds = false;  // text and Markdown show it once, above the rows, where every row has the same
  // Rows without a value do not count: a column that folds does so where the others have the same, be it in a
  // single row; a column without any value is gone.
  bool may_lack = false;
};

struct Table {
  std::string title;
  std::vector<std::string> notes = {};  // what a reader must know: limits reached, how sums were made
  std::vector<Column> columns = {};
  std::vector<std::vector<Cell>> rows = {};
  /// "measured", "imported", ... of all rows: people read it in the heading, CSV has it as the last column.
  /// Empty: unknown, or a column of the table says it row by row.
  std::string origin = {};
};

inline constexpr std::string_view origin_column = "origin";

/// Sets the origin where neither the table nor a cell of that column says another one.
void name_origin(Table& table, const std::string& origin);
/// "Points of run r1 (imported)"
std::string heading_of(const Table& table);
/// The origin of the table, or of its column where that has one word only; else "".
std::string origin_of(const Table& table);

/// "21.47 ± 0.22", or "21.47 [19.50, 23.90]" where the interval is lopsided, or four significant digits
/// alone.
std::string number_text(const Number& number);
/// "64 MiB", "1 GiB", "1000 B"; exact.
std::string bytes_text(std::int64_t bytes);
/// Characters, not bytes: tables hold "±" and "…".
std::size_t width_of(const std::string& text);
/// As a person reads it; "-" for nothing.
std::string cell_text(const Cell& cell, Column::Kind kind);

/// Leaves the first rows, and says so in a note: "The first 200 of 312 places.".
void cut_rows(Table& table, std::size_t most, const char* what);

/// The table as people see it: columns that fold and do not vary are gone, and a note shows their value.
Table folded(const Table& table);

/// Aligned; `width` 0 is unlimited, else cells are wrapped or below their row, what rows share is above.
std::string to_text(const Table& table, int width = 0);
std::string to_markdown(const Table& table);
/// Every digit; a number with an interval takes three fields: name, name_lower, name_upper.
std::string to_csv(const Table& table);
std::string to_json(const Table& table);

}  // namespace assay::results

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fit/rows/csv_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <sstream>

#include "harness/core/error.hpp"
#include "harness/core/files/sha256.hpp"
#include "harness/core/printable.hpp"
#include "model/json/read_text.hpp"
#include "results/record/record.hpp"

namespace assay::model::fit {
namespace {

std::vector<std::string> cells_of(std::string line) {
  if (!line.empty() && line.back() == '\r') line.pop_back();
  std::vector<std::string> cells;
  std::size_t from = 0;
  for (std::size_t comma; (comma = line.find(',', from)) != std::string::npos; from = comma + 1)
    cells.push_back(line.substr(from, comma - from));
  cells.push_back(line.substr(from));
  return cells;
}

template <class Number>
bool parses(const std::string& text, Number& number) {
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, number);
  return result.ec == std::errc{} && result.ptr == end;
}

}  // namespace

void CsvTable::read_header(const std::string& line, const Columns& columns) {
  const auto known = [&](const std::string& name) {
    return std::ranges::count(columns.required, name) + std::ranges::count(columns.optional, name) > 0;
  };
  for (const std::string& name : cells_of(line)) {
    if (!known(name))
      core::usage_error(fmt::format("{}:1: unknown column '{}'; expected {}, and optionally {}", path_, name,
                                    fmt::join(columns.required, ", "), fmt::join(columns.optional, ", ")));
    if (!place_.emplace(name, place_.size()).second)
      core::usage_error(fmt::format("{}:1: column '{}' is there twice; keep one", path_, name));
  }
  for (const std::string& name : columns.required)
    if (!has(name))
      core::usage_error(fmt::format("{}:1: column '{}' is missing; expected {}", path_, name,
                                    fmt::join(columns.required, ", ")));
}

void CsvTable::read_origin() {
  std::set<std::string> words;
  for (std::size_t row = 0; row < rows(); ++row) {
    std::istringstream cell(text(row, "origin"));
    for (std::string word; cell >> word;) {
      if (word == "and") continue;
      if (!results::origin_from(word))
        complain(row, "origin",
                 fmt::format("expected measured, imported, simulated or predicted, got '{}'", word));
      words.insert(word);
    }
  }
  origin_ = words.empty() ? "imported" : fmt::format("{}", fmt::join(words, " and "));
}

namespace {

/// A fit resamples its rows: these take a minute, and no coefficient has a narrower interval that matters
/// from more.
constexpr std::size_t most_rows = 200'000;

/// Names in it are printed and written on.
void refuse_what_is_no_text(const std::string& line, const std::string& path, std::size_t number) {
  const std::string shown = line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
  if (core::printable(shown, 4 * shown.size() + 1) != shown)
    core::usage_error(fmt::format("{}:{}: expected UTF-8 text without control characters", path, number));
}

}  // namespace

const std::string& CsvSource::text() const {
  if (content) return *content;
  if (!*read_) *read_ = read_text(name, "a CSV file");
  return **read_;
}

CsvTable CsvTable::read(const CsvSource& source, Columns columns) {
  columns.optional.emplace_back("origin");
  const std::string& path = source.name;
  const std::string& content = source.text();
  CsvTable table;
  table.path_ = path;
  table.sha256_ = core::sha256(content);
  std::istringstream lines(content);
  std::string line;
  if (!std::getline(lines, line)) core::usage_error(path + ": is empty; expected a line of column names");
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (line.starts_with(byte_order_mark)) line.erase(0, byte_order_mark.size());
  table.read_header(line, columns);
  for (std::size_t number = 2; std::getline(lines, line); ++number) {
    if (line.empty() || line == "\r") continue;
    if (table.cells_.size() == most_rows)
      core::usage_error(fmt::format("{}: has more than {} rows; expected a sample of them (shuf -n {})", path,
                                    most_rows, most_rows));
    refuse_what_is_no_text(line, path, number);
    std::vector<std::string> cells = cells_of(line);
    if (cells.size() != table.place_.size())
      core::usage_error(fmt::format("{}:{}: has {} cells; expected {}, one for each column", path, number,
                                    cells.size(), table.place_.size()));
    table.cells_.push_back(std::move(cells));
    table.line_.push_back(number);
  }
  if (table.cells_.empty()) core::usage_error(path + ": has no row after the column names");
  table.read_origin();
  return table;
}

std::string CsvTable::text(std::size_t row, const std::string& column) const {
  const auto place = place_.find(column);
  return place == place_.end() ? "" : cells_[row][place->second];
}

std::string CsvTable::where(std::size_t row, const std::string& column) const {
  return fmt::format("{}:{}: column '{}'", path_, line_[row], column);
}

void CsvTable::complain(std::size_t row, const std::string& column, const std::string& what) const {
  core::usage_error(where(row, column) + ": " + what);
}

double CsvTable::positive(std::size_t row, const std::string& column) const {
  double number = 0;
  if (!parses(text(row, column), number) || !std::isfinite(number) || number <= 0)
    complain(row, column, fmt::format("expected a number above 0, got '{}'", text(row, column)));
  return number;
}

std::int64_t CsvTable::count(std::size_t row, const std::string& column) const {
  std::int64_t number = 0;
  if (!parses(text(row, column), number) || number < 1)
    complain(row, column, fmt::format("expected a whole number from 1, got '{}'", text(row, column)));
  return number;
}

}  // namespace assay::model::fit

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/table/folding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/core/printable.hpp"

namespace assay::results {

void ColumnFacts::take(const Cell& cell, const Column& column) {
  const bool is_gap = std::holds_alternative<std::monostate>(cell);
  has_gaps_ = has_gaps_ || is_gap;
  std::string text = cell_text(cell, column.kind);
  if (before_ == text && before_was_gap_ == is_gap) return;
  width_ = std::max(width_, width_of(one_line(text)));
  if (!(column.may_lack && is_gap)) {
    differs_ = differs_ || (same_ && *same_ != text);
    if (!same_) same_ = text;
  }
  before_ = std::move(text);
  before_was_gap_ = is_gap;
}

std::optional<std::string> ColumnFacts::same_value(const Column& column, std::size_t rows) const {
  if (differs_) return std::nullopt;
  const bool is_gone = column.may_lack && !same_;
  const bool is_shown_once = column.folds && (column.may_lack || rows > 1);
  return is_gone || is_shown_once ? same_.value_or("") : std::optional<std::string>();
}

namespace {

/// Puts columns that do not vary into the notes.
Folding folding_by(const Table& whole, const std::vector<ColumnFacts>& facts, std::size_t rows) {
  Folding folding{
      .head = {.title = whole.title, .origin = whole.origin}, .kept = {}, .widths = {}, .rows = rows};
  Table& head = folding.head;
  std::string same, where_known;
  for (std::size_t i = 0; i < whole.columns.size(); ++i) {
    const Column& column = whole.columns[i];
    if (const auto value = rows > 0 ? facts[i].same_value(column, rows) : std::nullopt) {
      if (column.may_lack && value->empty()) continue;  // gone
      if (column.name == origin_column && !facts[i].has_gaps()) {
        head.origin = *value;  // the heading has it
        continue;
      }
      std::string& note = column.may_lack && facts[i].has_gaps() ? where_known : same;
      note += fmt::format("{}{} {}", note.empty() ? "" : ", ", column.name, *value);
      continue;
    }
    head.columns.push_back(column);
    folding.kept.push_back(i);
    folding.widths.push_back(std::max(width_of(heading_of(column)), facts[i].width()));
  }
  if (!same.empty()) head.notes.push_back(fmt::format("Every row: {}.", same));
  if (!where_known.empty()) head.notes.push_back(fmt::format("Where a row has it: {}.", where_known));
  head.notes.insert(head.notes.end(), whole.notes.begin(), whole.notes.end());
  return folding;
}

}  // namespace

Folding folding_of(const Table& head, const EachRow& each_row) {
  std::vector<ColumnFacts> facts(head.columns.size());
  std::size_t rows = 0;
  each_row([&](const std::vector<Cell>& row) {
    ++rows;
    for (std::size_t i = 0; i < row.size(); ++i) facts[i].take(row[i], head.columns[i]);
  });
  return folding_by(head, facts, rows);
}

std::string one_line(const std::string& text) { return core::valid_text(text, ""); }

std::string heading_of(const Column& column) {
  return column.unit.empty() ? column.name : column.name + " (" + column.unit + ")";
}

}  // namespace assay::results

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/table/folding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "harness/core/printable.hpp"

namespace assay::results {

namespace {

std::size_t longest_word_of(std::string_view text) {
  std::size_t longest = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    longest = std::max(longest, width_of(std::string(text.substr(begin, end - begin))));
    begin = end + 1;
  }
  return longest;
}

ColumnWidths widths_of(const Column& column, const ColumnFacts& facts) {
  const std::string heading = heading_of(column);
  return {width_of(heading), longest_word_of(heading), facts.width(), facts.longest_word()};
}

}  // namespace

void ColumnFacts::take(const Cell& cell, const Column& column) {
  const bool is_gap = std::holds_alternative<std::monostate>(cell);
  has_gaps_ = has_gaps_ || is_gap;
  std::string text = cell_text(cell, column.kind);
  if (before_ == text && before_was_gap_ == is_gap) return;
  has_value_ = has_value_ || !(is_gap || text.empty());
  const std::string line = one_line(text);
  width_ = std::max(width_, width_of(line));
  longest_word_ = std::max(longest_word_, longest_word_of(line));
  if (!(column.may_lack && is_gap)) {
    differs_ = differs_ || (same_ && *same_ != text);
    if (!same_) same_ = text;
  }
  before_ = std::move(text);
  before_was_gap_ = is_gap;
}

std::optional<std::string> ColumnFacts::same_value(const Column& column, std::size_t rows, Fold fold) const {
  if (says_nothing()) return "";
  if (differs_) return std::nullopt;
  const bool is_shown_once =
      column.folds ? column.may_lack || rows > 1 : fold == Fold::all && rows > 1 && !has_gaps_;
  return is_shown_once ? same_ : std::nullopt;
}

namespace {

/// Lines above a table: what its rows share.
class SharedText {
 public:
  void add(const Column& column, const std::string& value, bool where_known) {
    const std::string text =
        fmt::format("{} {}{}{}", column.name, value, column.unit.empty() ? "" : " ", column.unit);
    if (value.size() > longest_in_a_list)
      sentences_.push_back(fmt::format("{}: {}", opening(where_known), text));
    else
      append_to(where_known ? where_known_ : every_, text);
  }
  std::vector<std::string> lines() const {
    std::vector<std::string> lines;
    if (!every_.empty()) lines.push_back(fmt::format("{}: {}.", opening(false), every_));
    if (!where_known_.empty()) lines.push_back(fmt::format("{}: {}.", opening(true), where_known_));
    lines.insert(lines.end(), sentences_.begin(), sentences_.end());
    return lines;
  }

 private:
  static constexpr std::size_t longest_in_a_list = 40;
  static void append_to(std::string& list, const std::string& text) {
    list += (list.empty() ? "" : ", ") + text;
  }
  static const char* opening(bool where_known) { return where_known ? "Where a row has it" : "Every row"; }

  std::string every_, where_known_;
  std::vector<std::string> sentences_;
};

}  // namespace

TableFacts::TableFacts(const Table& head, const EachRow& each_row) : columns_(head.columns.size()) {
  each_row([&](const std::vector<Cell>& row) {
    ++rows_;
    for (std::size_t i = 0; i < row.size(); ++i) columns_[i].take(row[i], head.columns[i]);
  });
}

Folding TableFacts::folded(const Table& whole, Fold fold) const {
  Folding folding{.head = {.title = whole.title, .notes = whole.notes, .origin = whole.origin},
                  .shared = {},
                  .kept = {},
                  .widths = {},
                  .rows = rows_};
  Table& head = folding.head;
  SharedText shared;
  for (std::size_t i = 0; i < whole.columns.size(); ++i) {
    const Column& column = whole.columns[i];
    const ColumnFacts& facts = columns_[i];
    const bool may_go = rows_ > 0 && fold != Fold::none;
    if (const auto value = may_go ? facts.same_value(column, rows_, fold) : std::nullopt) {
      if (facts.says_nothing()) continue;
      if (column.name == origin_column && !facts.has_gaps()) {
        head.origin = *value;  // the heading has it
        continue;
      }
      shared.add(column, *value, column.may_lack && facts.has_gaps());
      continue;
    }
    head.columns.push_back(column);
    folding.kept.push_back(i);
    folding.widths.push_back(widths_of(column, facts));
  }
  if (head.columns.empty() && fold != Fold::none) return folded(whole, Fold::none);  // a row says something
  folding.shared = shared.lines();
  return folding;
}

std::string one_line(const std::string& text) { return core::valid_text(text, ""); }

std::vector<std::string> texts_of(const std::vector<Cell>& row, const Folding& folding) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < folding.kept.size(); ++i)
    texts.push_back(one_line(cell_text(row[folding.kept[i]], folding.head.columns[i].kind)));
  return texts;
}

std::vector<std::string> headings_of(const Table& table) {
  std::vector<std::string> names;
  for (const Column& column : table.columns) names.push_back(heading_of(column));
  return names;
}

bool is_left(const Column& column) {
  return column.kind == Column::Kind::text || column.kind == Column::Kind::word;
}

std::string heading_of(const Column& column) {
  return column.unit.empty() ? column.name : column.name + " (" + column.unit + ")";
}

}  // namespace assay::results

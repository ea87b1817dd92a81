// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A table as Markdown or JSON.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "harness/core/printable.hpp"
#include "harness/core/text/json_text.hpp"
#include "results/table/escaped_html.hpp"
#include "results/table/folding.hpp"
#include "results/table/long_table.hpp"
#include "results/table/table.hpp"

namespace assay::results {
namespace {

using Json = nlohmann::ordered_json;

std::string lines_of(const std::vector<std::string>& texts) {
  std::string text;
  for (const auto& one : texts) text += fmt::format("\n{}\n", core::valid_text(one));
  return text;
}

Json json_cell(const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  if (const auto* count = std::get_if<std::int64_t>(&cell)) return *count;
  const auto* number = std::get_if<Number>(&cell);
  if (!number || !std::isfinite(number->value)) return nullptr;
  Json object{{"value", number->value}};
  if (number->lower && std::isfinite(*number->lower)) object["lower"] = *number->lower;
  if (number->upper && std::isfinite(*number->upper)) object["upper"] = *number->upper;
  return object;
}

/// The value of all rows that count in this column, where it does not stay.
std::optional<std::string> same_value(const Table& table, std::size_t place) {
  ColumnFacts facts;
  for (const auto& row : table.rows) facts.take(row[place], table.columns[place]);
  return facts.same_value(table.columns[place], table.rows.size());
}

/// Gives the rows of a table that is held, and that outlives this.
EachRow each_row_of(const Table& table) {
  return [&table](const RowSink& take) {
    for (const auto& row : table.rows) take(row);
  };
}

Table head_of(const Table& table) {
  return {.title = table.title, .notes = table.notes, .columns = table.columns, .origin = table.origin};
}

LongTable view_of(const Table& table) { return {head_of(table), each_row_of(table)}; }

}  // namespace

std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char byte) { return (byte & 0xc0) != 0x80; }));
}

void name_origin(Table& table, const std::string& origin) {
  const auto column = std::ranges::find(table.columns, origin_column, &Column::name);
  if (column == table.columns.end()) {
    if (table.origin.empty()) table.origin = origin;
    return;
  }
  for (auto& row : table.rows)
    if (Cell& cell = row[static_cast<std::size_t>(column - table.columns.begin())];
        std::holds_alternative<std::monostate>(cell) && !origin.empty())
      cell = origin;
}

std::string heading_of(const Table& table) {
  return table.origin.empty() ? table.title : fmt::format("{} ({})", table.title, table.origin);
}

std::string origin_of(const Table& table) {
  const auto column = std::ranges::find(table.columns, origin_column, &Column::name);
  if (column == table.columns.end()) return table.origin;
  return same_value(table, static_cast<std::size_t>(column - table.columns.begin())).value_or("");
}

void cut_rows(Table& table, std::size_t most, const char* what) {
  if (table.rows.size() <= most) return;
  table.notes.push_back(fmt::format("The first {} of {} {}.", most, table.rows.size(), what));
  table.rows.resize(most);
}

Table folded(const Table& table) {
  if (table.rows.empty()) return table;
  Folding folding = TableFacts(table, each_row_of(table)).folded(table, Fold::chosen);
  for (const auto& row : table.rows) {
    auto& kept = folding.head.rows.emplace_back();
    for (const std::size_t column : folding.kept) kept.push_back(row[column]);
  }
  auto& notes = folding.head.notes;
  notes.insert(notes.begin(), folding.shared.begin(), folding.shared.end());
  return std::move(folding.head);
}

LongTable::LongTable(Table table) : head(head_of(table)) {
  each_row = [rows = std::make_shared<const std::vector<std::vector<Cell>>>(std::move(table.rows))](
                 const RowSink& take) {
    for (const auto& row : *rows) take(row);
  };
}

Table whole_table(const LongTable& table) {
  Table whole = table.head;
  table.each_row([&](const std::vector<Cell>& row) { whole.rows.push_back(row); });
  return whole;
}

void write_markdown(const LongTable& table, const core::ByteSink& sink) {
  const Folding folding = TableFacts(table.head, table.each_row).folded(table.head, Fold::chosen);
  const Table& head = folding.head;
  const auto line = [&](std::vector<std::string> words) {
    for (std::string& word : words) word = replaced(word, {{'|', "\\|"}});
    return fmt::format("| {} |\n", fmt::join(words, " | "));
  };
  std::vector<std::string> rule;
  for (const Column& column : head.columns) rule.emplace_back(is_left(column) ? "---" : "---:");
  sink("### " + one_line(heading_of(head)) + "\n" + lines_of(folding.shared) + "\n" +
       line(headings_of(head)) + fmt::format("| {} |\n", fmt::join(rule, " | ")));
  table.each_row([&](const std::vector<Cell>& row) { sink(line(texts_of(row, folding))); });
  sink(lines_of(head.notes));
}

std::string to_text(const Table& table, int width) {
  return core::written([&](const core::ByteSink& sink) { write_text(view_of(table), width, sink); });
}

std::string to_markdown(const Table& table) {
  return core::written([&](const core::ByteSink& sink) { write_markdown(view_of(table), sink); });
}

std::string to_csv(const Table& table) {
  return core::written([&](const core::ByteSink& sink) { write_csv(view_of(table), sink); });
}

std::string to_json(const Table& table) {
  Json columns = Json::array(), rows = Json::array();
  for (const Column& column : table.columns)
    columns.push_back({{"name", column.name}, {"unit", column.unit}});
  for (const auto& row : table.rows) {
    Json cells = Json::array();
    for (const Cell& cell : row) cells.push_back(json_cell(cell));
    rows.push_back(std::move(cells));
  }
  Json object{{"title", heading_of(table)}, {"notes", table.notes}, {"columns", columns}, {"rows", rows}};
  if (const std::string origin = origin_of(table); !origin.empty()) object["origin"] = origin;
  return core::json_text(object, 2) + "\n";
}

}  // namespace assay::results

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A table as aligned text, Markdown, CSV or JSON.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "harness/core/csv_text.hpp"
#include "harness/core/json_text.hpp"
#include "harness/core/printable.hpp"
#include "results/table/escaped_html.hpp"
#include "results/table/table.hpp"

namespace assay::results {
namespace {

using Json = nlohmann::ordered_json;
using Lines = std::vector<std::vector<std::string>>;

constexpr std::size_t narrowest_cut = 8, narrowest_reason = 20;

std::string cut(const std::string& text, std::size_t width) {
  if (width_of(text) <= width) return text;
  std::size_t characters = 0, end = 0;
  for (; end < text.size(); ++end) {
    if ((text[end] & 0xc0) != 0x80 && ++characters == width) break;
  }
  return text.substr(0, end) + "…";
}

/// One line a row, and nothing that a terminal obeys: what records quote must not break the table.
std::string one_line(const std::string& text) { return core::valid_text(text, ""); }

bool is_left(const Column& column) {
  return column.kind == Column::Kind::text || column.kind == Column::Kind::word;
}

std::string name_of(const Column& column) {
  return column.unit.empty() ? column.name : column.name + " (" + column.unit + ")";
}

Lines lines_of(const Table& table) {
  Lines lines(1);
  for (const Column& column : table.columns) lines[0].push_back(name_of(column));
  for (const auto& row : table.rows) {
    auto& line = lines.emplace_back();
    for (std::size_t i = 0; i < row.size(); ++i)
      line.push_back(one_line(cell_text(row[i], table.columns[i].kind)));
  }
  return lines;
}

std::vector<std::size_t> widths_of(const Lines& lines) {
  std::vector<std::size_t> widths(lines[0].size(), 0);
  for (const auto& line : lines)
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], width_of(line[i]));
  return widths;
}

/// Takes from the last text column (it holds reasons), then from the widest ones, until the table fits.
void shrink(std::vector<std::size_t>& widths, const Table& table, std::size_t limit) {
  const std::size_t gaps = widths.empty() ? 0 : 2 * (widths.size() - 1);
  const auto excess = [&] {
    const std::size_t total = std::accumulate(widths.begin(), widths.end(), gaps);
    return total > limit ? total - limit : 0;
  };
  const auto last = std::find_if(table.columns.rbegin(), table.columns.rend(),
                                 [](const Column& column) { return column.kind == Column::Kind::text; });
  if (last != table.columns.rend()) {
    std::size_t& width = widths[static_cast<std::size_t>(table.columns.rend() - last) - 1];
    width -= std::min(excess(), width - std::min(width, narrowest_reason));
  }
  while (excess() > 0) {
    std::size_t* widest = nullptr;
    for (std::size_t i = 0; i < widths.size(); ++i)
      if (table.columns[i].kind == Column::Kind::text && widths[i] > narrowest_cut &&
          (!widest || widths[i] > *widest))
        widest = &widths[i];
    if (!widest) return;
    --*widest;
  }
}

std::string aligned(const std::vector<std::string>& line, const std::vector<std::size_t>& widths,
                    const Table& table) {
  std::string text;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const std::string word = cut(line[i], widths[i]);
    const std::string space(widths[i] - std::min(widths[i], width_of(word)), ' ');
    text += (i == 0 ? "" : "  ") + (is_left(table.columns[i]) ? word + space : space + word);
  }
  while (text.ends_with(' ')) text.pop_back();
  return text + '\n';
}

std::string notes_of(const Table& table) {
  std::string text;
  for (const auto& note : table.notes) text += fmt::format("\n{}\n", core::valid_text(note));
  return text;
}

std::string csv_number(double value) { return std::isfinite(value) ? fmt::format("{}", value) : ""; }

std::string csv_fields(const Cell& cell, Column::Kind kind) {
  const auto* number = std::get_if<Number>(&cell);
  if (number)
    return csv_number(number->value) + "," + csv_number(number->lower.value_or(NAN)) + "," +
           csv_number(number->upper.value_or(NAN));
  if (const auto* text = std::get_if<std::string>(&cell))
    return core::csv_cell(*text) + (kind == Column::Kind::number ? ",," : "");
  if (const auto* count = std::get_if<std::int64_t>(&cell)) return fmt::format("{}", *count);
  return kind == Column::Kind::number ? ",," : "";
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

/// What all rows that count have in this column; empty where none counts. Nothing where they differ, or where
/// the column stays.
std::optional<std::string> same_value(const Table& table, std::size_t place) {
  const Column& column = table.columns[place];
  std::optional<std::string> same;
  for (const auto& row : table.rows) {
    if (column.may_lack && std::holds_alternative<std::monostate>(row[place])) continue;
    const std::string value = cell_text(row[place], column.kind);
    if (same && *same != value) return std::nullopt;
    same = value;
  }
  const bool is_gone = column.may_lack && !same;
  const bool is_shown_once = column.folds && (column.may_lack || table.rows.size() > 1);
  return is_gone || is_shown_once ? same.value_or("") : std::optional<std::string>();
}

bool has_gaps(const Table& table, std::size_t column) {
  return std::ranges::any_of(
      table.rows, [&](const auto& row) { return std::holds_alternative<std::monostate>(row[column]); });
}

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
  Table rest{.title = table.title,
             .rows = std::vector<std::vector<Cell>>(table.rows.size()),
             .origin = table.origin};
  std::string same, where_known;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const Column& column = table.columns[i];
    if (const auto value = same_value(table, i)) {
      if (column.may_lack && value->empty()) continue;  // gone
      if (column.name == origin_column && !has_gaps(table, i)) {
        rest.origin = *value;  // the heading has it
        continue;
      }
      std::string& note = column.may_lack && has_gaps(table, i) ? where_known : same;
      note += fmt::format("{}{} {}", note.empty() ? "" : ", ", column.name, *value);
      continue;
    }
    rest.columns.push_back(column);
    for (std::size_t row = 0; row < table.rows.size(); ++row) rest.rows[row].push_back(table.rows[row][i]);
  }
  if (!same.empty()) rest.notes.push_back(fmt::format("Every row: {}.", same));
  if (!where_known.empty()) rest.notes.push_back(fmt::format("Where a row has it: {}.", where_known));
  rest.notes.insert(rest.notes.end(), table.notes.begin(), table.notes.end());
  return rest;
}

std::string to_text(const Table& whole, int width) {
  const Table table = folded(whole);
  Lines lines = lines_of(table);
  auto widths = widths_of(lines);
  if (width > 0) shrink(widths, table, static_cast<std::size_t>(width));
  std::vector<std::string> rule;
  for (const std::size_t column : widths) rule.emplace_back(column, '-');
  lines.insert(lines.begin() + 1, rule);
  std::string text = one_line(heading_of(table)) + "\n\n";
  for (const auto& line : lines) text += aligned(line, widths, table);
  if (table.rows.empty()) text += "(none)\n";
  return text + notes_of(table);
}

std::string to_markdown(const Table& whole) {
  const Table table = folded(whole);
  Lines lines = lines_of(table);
  for (auto& line : lines)
    for (auto& word : line) word = replaced(word, {{'|', "\\|"}});
  std::vector<std::string> rule;
  for (const Column& column : table.columns) rule.emplace_back(is_left(column) ? "---" : "---:");
  lines.insert(lines.begin() + 1, rule);
  std::string text = "### " + one_line(heading_of(table)) + "\n\n";
  for (const auto& line : lines) text += fmt::format("| {} |\n", fmt::join(line, " | "));
  return text + notes_of(table);
}

std::string to_csv(const Table& table) {
  std::string text;
  for (const Column& column : table.columns) {
    const std::string name = core::csv_cell(name_of(column));
    text.append(text.empty() ? "" : ",").append(name);
    if (column.kind == Column::Kind::number)
      text += fmt::format(",{},{}", core::csv_cell(column.name + " lower"),
                          core::csv_cell(column.name + " upper"));
  }
  if (!table.origin.empty()) text.append(",").append(origin_column);
  text += '\n';
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i)
      text.append(i == 0 ? "" : ",").append(csv_fields(row[i], table.columns[i].kind));
    if (!table.origin.empty()) text.append(",").append(core::csv_cell(table.origin));
    text += '\n';
  }
  return text;
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

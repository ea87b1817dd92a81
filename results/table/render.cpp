// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A table as aligned text, Markdown or JSON.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>

#include "harness/core/printable.hpp"
#include "harness/core/text/json_text.hpp"
#include "results/table/escaped_html.hpp"
#include "results/table/folding.hpp"
#include "results/table/long_table.hpp"
#include "results/table/table.hpp"

namespace assay::results {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t narrowest_cut = 8, narrowest_reason = 20;

std::string cut(const std::string& text, std::size_t width) {
  if (width_of(text) <= width) return text;
  std::size_t characters = 0, end = 0;
  for (; end < text.size(); ++end) {
    if ((text[end] & 0xc0) != 0x80 && ++characters == width) break;
  }
  return text.substr(0, end) + "…";
}

bool is_left(const Column& column) {
  return column.kind == Column::Kind::text || column.kind == Column::Kind::word;
}

/// The texts of a row in the columns that are kept.
std::vector<std::string> line_of(const std::vector<Cell>& row, const Folding& folding) {
  std::vector<std::string> line;
  for (std::size_t i = 0; i < folding.kept.size(); ++i)
    line.push_back(one_line(cell_text(row[folding.kept[i]], folding.head.columns[i].kind)));
  return line;
}

std::vector<std::string> headings_of(const Table& table) {
  std::vector<std::string> names;
  for (const Column& column : table.columns) names.push_back(heading_of(column));
  return names;
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
  Folding folding = folding_of(table, each_row_of(table));
  for (const auto& row : table.rows) {
    auto& kept = folding.head.rows.emplace_back();
    for (const std::size_t column : folding.kept) kept.push_back(row[column]);
  }
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

void write_text(const LongTable& table, int width, const core::ByteSink& sink) {
  const Folding folding = folding_of(table.head, table.each_row);
  const Table& head = folding.head;
  std::vector<std::size_t> widths = folding.widths;
  if (folding.rows == 0)
    return sink(one_line(heading_of(head)) + "\n" + (head.notes.empty() ? "\n(none)\n" : notes_of(head)));
  if (width > 0) shrink(widths, head, static_cast<std::size_t>(width));
  std::vector<std::string> rule;
  for (const std::size_t column : widths) rule.emplace_back(column, '-');
  sink(one_line(heading_of(head)) + "\n\n" + aligned(headings_of(head), widths, head) +
       aligned(rule, widths, head));
  table.each_row([&](const std::vector<Cell>& row) { sink(aligned(line_of(row, folding), widths, head)); });
  sink(notes_of(head));
}

void write_markdown(const LongTable& table, const core::ByteSink& sink) {
  const Folding folding = folding_of(table.head, table.each_row);
  const Table& head = folding.head;
  const auto line = [&](std::vector<std::string> words) {
    for (std::string& word : words) word = replaced(word, {{'|', "\\|"}});
    return fmt::format("| {} |\n", fmt::join(words, " | "));
  };
  std::vector<std::string> rule;
  for (const Column& column : head.columns) rule.emplace_back(is_left(column) ? "---" : "---:");
  sink("### " + one_line(heading_of(head)) + "\n\n" + line(headings_of(head)) +
       fmt::format("| {} |\n", fmt::join(rule, " | ")));
  table.each_row([&](const std::vector<Cell>& row) { sink(line(line_of(row, folding))); });
  sink(notes_of(head));
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

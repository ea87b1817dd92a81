// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A table as CSV.
#include <fmt/format.h>

#include <cmath>

#include "harness/core/text/csv_text.hpp"
#include "results/table/folding.hpp"
#include "results/table/long_table.hpp"

namespace assay::results {
namespace {

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

std::string csv_heading(const Table& table) {
  std::string text;
  for (const Column& column : table.columns) {
    const std::string name = core::csv_cell(heading_of(column));
    text.append(text.empty() ? "" : ",").append(name);
    if (column.kind == Column::Kind::number)
      text += fmt::format(",{},{}", core::csv_cell(column.name + " lower"),
                          core::csv_cell(column.name + " upper"));
  }
  if (!table.origin.empty()) text.append(",").append(origin_column);
  return text + '\n';
}

}  // namespace

void write_csv(const LongTable& table, const core::ByteSink& sink) {
  const Table& head = table.head;
  sink(csv_heading(head));
  const std::string end = head.origin.empty() ? "\n" : "," + core::csv_cell(head.origin) + "\n";
  table.each_row([&](const std::vector<Cell>& row) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i)
      line.append(i == 0 ? "" : ",").append(csv_fields(row[i], head.columns[i].kind));
    sink(line + end);
  });
}

}  // namespace assay::results

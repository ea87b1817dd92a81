// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/show/axes_table.hpp"

#include <cmath>
#include <utility>

namespace assay::results {

AxesTable::AxesTable(const std::string& title, std::vector<Column> before, std::vector<Column> axes,
                     const std::vector<Column>& after)
    : table{.title = title, .columns = std::move(before)}, axes_(std::move(axes)) {
  for (const auto& more : {axes_, after}) table.columns.insert(table.columns.end(), more.begin(), more.end());
}

void AxesTable::add(std::vector<Cell> before, const Fields& axes, const std::vector<Cell>& after) {
  for (const Column& axis : axes_) before.push_back(axis_cell(axes, axis));
  before.insert(before.end(), after.begin(), after.end());
  table.rows.push_back(std::move(before));
}

Cell number_cell(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? Cell(Number{*value}) : Cell();
}

Cell percent_cell(const std::optional<Number>& share) {
  return share ? Cell(mapped(*share, [](double value) { return 100 * value; })) : Cell();
}

}  // namespace assay::results

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A table of points: what each is, a column for each axis that varies, and what was measured.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/points/axis_columns.hpp"

namespace assay::results {

class AxesTable {
 public:
  AxesTable(const std::string& title, std::vector<Column> before, std::vector<Column> axes,
            const std::vector<Column>& after);
  void add(std::vector<Cell> before, const Fields& axes, const std::vector<Cell>& after);

  Table table;

 private:
  std::vector<Column> axes_;
};

/// Nothing where it is unknown or not finite.
Cell number_cell(const std::optional<double>& value);
/// 1 is 100 %; likewise.
Cell percent_cell(const std::optional<Number>& share);

}  // namespace assay::results

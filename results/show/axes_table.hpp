// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A table of points: what each is, a column for each axis that varies, and what was measured.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/points/axis_columns.hpp"

namespace assay::results {

/// Of a StoredPoint, of what has one as its `point`, or of a group of points.
template <class Point>
const Fields& axes_of(const Point& one) {
  if constexpr (requires { one.axes; })
    return one.axes;
  else if constexpr (requires { one.group; })
    return one.group;
  else
    return one.point.axes;
}
template <class Point>
std::vector<Fields> axes_of(const std::vector<Point>& points) {
  std::vector<Fields> axes;
  for (const Point& one : points) axes.push_back(axes_of(one));
  return axes;
}

class AxesTable {
 public:
  AxesTable(const std::string& title, std::vector<Column> before, std::vector<Column> axes,
            const std::vector<Column>& after);
  void add(std::vector<Cell> before, const Fields& axes, const std::vector<Cell>& after);

  Table table;

 private:
  std::vector<Column> axes_;
};

/// Nothing where it is not known.
Cell number_cell(const std::optional<double>& value);
/// 1 is 100 %; likewise.
Cell percent_cell(const std::optional<Number>& share);

}  // namespace assay::results

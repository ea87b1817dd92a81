// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The axes of many points as columns of one table.
#pragma once

#include <vector>

#include "results/record/record.hpp"
#include "results/table/table.hpp"

namespace assay::results {

/// The axes of a StoredPoint, of a type that has one as its `point`, or of a group of points.
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

/// Every axis that occurs, in order of first appearance; such columns fold.
std::vector<Column> axis_columns(const std::vector<Fields>& points);
/// The point's value on that axis; nothing where it has none.
Cell axis_cell(const Fields& point, const Column& axis);

}  // namespace assay::results

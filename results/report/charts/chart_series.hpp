// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What the data of every chart of the report is written with.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "results/record/record.hpp"
#include "results/table/table.hpp"

namespace assay::results::chart {

/// Null where it is not finite.
nlohmann::ordered_json number(double value);
/// value, lower and upper of the object.
void put(nlohmann::ordered_json& object, const Number& value, double scale = 1);

/// The axes of each point: of a StoredPoint, or of what has one as its `point`.
template <class Point>
std::vector<Fields> axes_of(const std::vector<Point>& points) {
  std::vector<Fields> axes;
  for (const Point& one : points)
    if constexpr (requires { one.axes; })
      axes.push_back(one.axes);
    else
      axes.push_back(one.point.axes);
  return axes;
}

/// How many different values an axis has; points without it count as one of them.
std::size_t different_values(const std::vector<Fields>& points, const std::string& axis);

/// Splits axes into those that vary over all points (they name the series) and those that do not.
class Series {
 public:
  /// `drawn`: axes that the chart shows itself.
  Series(const std::vector<Fields>& points, std::set<std::string> drawn);
  std::string name_of(const Fields& point) const;
  std::string same() const;

 private:
  Fields only(const Fields& point, bool varying) const;

  std::set<std::string> drawn_;
  std::map<std::string, std::set<std::string>> values_;
  std::map<std::string, std::size_t> times_;
  Fields first_;
};

}  // namespace assay::results::chart

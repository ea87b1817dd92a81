// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/points/axis_columns.hpp"

#include <algorithm>

#include "results/store/stored_points.hpp"

namespace assay::results {
namespace {

using Kind = Column::Kind;

Kind kind_of(const std::string& name, const Scalar& value) {
  if (!std::holds_alternative<std::int64_t>(value)) return Kind::text;
  return name == "bytes" || name == "footprint" || name.ends_with("_bytes") ? Kind::bytes : Kind::count;
}

}  // namespace

std::vector<Column> axis_columns(const std::vector<Fields>& points) {
  std::vector<Column> axes;
  for (const Fields& point : points)
    for (const auto& [name, value] : point) {
      const auto known =
          std::find_if(axes.begin(), axes.end(), [&](const Column& axis) { return axis.name == name; });
      if (known == axes.end())
        axes.push_back({name, "", kind_of(name, value), true});
      else if (known->kind != kind_of(name, value))
        known->kind = Kind::text;
    }
  return axes;
}

Cell axis_cell(const Fields& point, const Column& axis) {
  const Scalar* const value = find(point, axis.name);
  if (value == nullptr) return {};
  const auto* integer = std::get_if<std::int64_t>(value);
  return integer && axis.kind != Kind::text ? Cell(*integer) : Cell(scalar_text(*value));
}

}  // namespace assay::results

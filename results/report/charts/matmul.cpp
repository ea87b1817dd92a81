// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/report/charts/matmul.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "results/points/axis_columns.hpp"
#include "results/report/charts/chart_series.hpp"
#include "results/show/tables.hpp"

namespace assay::results {
namespace {

using Json = nlohmann::ordered_json;
using Kind = Column::Kind;

/// The first of m, n and k that varies; nothing where none does.
std::optional<std::string> swept(const std::vector<StoredPoint>& points) {
  const std::vector<Fields> axes = chart::axes_of(points);
  for (const char* axis : {"m", "n", "k"})
    if (chart::different_values(axes, axis) > 1) return axis;
  return std::nullopt;
}

/// Those of n and k that are as large as m in every point: so is what 0 asks for.
std::vector<std::string> followers_of(const std::vector<StoredPoint>& points) {
  std::vector<std::string> followers;
  for (const char* axis : {"n", "k"})
    if (std::ranges::all_of(points, [&](const StoredPoint& point) {
          const auto size = field_integer(point.axes, {axis});
          return size.value_or(0) == 0 || size == field_integer(point.axes, {"m"});
        }))
      followers.emplace_back(axis);
  return followers;
}

std::optional<Number> percent(const std::optional<Number>& efficiency) {
  if (!efficiency) return std::nullopt;
  const auto scaled = [](std::optional<double> value) { return value ? std::optional(100 * *value) : value; };
  return Number{100 * efficiency->value, scaled(efficiency->lower), scaled(efficiency->upper)};
}

}  // namespace

std::vector<StoredPoint> matmul_points(const RunPoints& run) {
  auto points = run.joined("gemm.*.matmul");
  std::erase_if(points, [](const StoredPoint& point) { return point.metric != "tflops"; });
  return points;
}

Table matmul_table(const std::vector<StoredPoint>& points) {
  Table table{.title = "Matrix products over size",
              .notes = {},
              .columns = {{"back end", "", Kind::word}},
              .rows = {}};
  const std::vector<Column> axes = axis_columns(chart::axes_of(points));
  table.columns.insert(table.columns.end(), axes.begin(), axes.end());
  table.columns.insert(
      table.columns.end(),
      {{"rate", "TFLOP/s", Kind::number}, {"of peak", "%", Kind::number}, {"n", "", Kind::count}});
  for (const StoredPoint& point : points) {
    std::vector<Cell> row{point.back_end()};
    for (const Column& axis : axes) row.push_back(axis_cell(point.axes, axis));
    const auto of_peak = percent(point.efficiency);
    row.insert(row.end(), {point.headline, of_peak ? Cell(*of_peak) : Cell(), point.n});
    table.rows.push_back(std::move(row));
  }
  return table;
}

Json matmul_chart(const std::vector<StoredPoint>& points) {
  const auto axis = swept(points);
  if (!axis) return {{"points", Json::array()}, {"same", ""}, {"size", ""}};
  const auto followers = followers_of(points);
  std::set<std::string> drawn{*axis, "dtype"};
  drawn.insert(followers.begin(), followers.end());
  const chart::Series series(chart::axes_of(points), drawn);
  std::string size_text = *axis;
  if (*axis == "m")
    for (const std::string& follower : followers) size_text += " = " + follower;
  Json all = Json::array();
  for (const StoredPoint& point : points) {
    const auto size = field_integer(point.axes, {*axis});
    if (!size) continue;
    Json object{{"back_end", point.back_end()},
                {"kernel", field_text(point.axes, {"dtype"})},
                {"series", series.name_of(point.axes)},
                {"size", *size}};
    chart::put(object, point.headline);
    const auto of_peak = percent(point.efficiency);
    object["of_peak"] = of_peak ? chart::number(of_peak->value) : Json(nullptr);
    all.push_back(std::move(object));
  }
  return {{"points", all}, {"same", series.same()}, {"size", size_text}};
}

}  // namespace assay::results

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The rate of single matrix products over their size.
#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "harness/core/names.hpp"
#include "results/report/charts/chart_series.hpp"
#include "results/report/charts/charts.hpp"

namespace assay::results {
namespace {

using Json = nlohmann::ordered_json;
using Kind = Column::Kind;

/// The first of m, n and k that varies; nothing where none does.
std::optional<std::string> swept(const std::vector<StoredPoint>& points) {
  const std::vector<Fields> axes = axes_of(points);
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

}  // namespace

std::vector<StoredPoint> matmul_points(const RunPoints& run) {
  return run.joined("gemm.*.matmul", core::names::tflops);
}

Table matmul_table(const std::vector<StoredPoint>& points) {
  AxesTable shown(
      "Matrix products over size", {{"back end", "", Kind::word}}, axis_columns(axes_of(points)),
      {{"rate", "TFLOP/s", Kind::number}, {"of peak", "%", Kind::number}, {"n", "", Kind::count}});
  for (const StoredPoint& point : points)
    shown.add({point.back_end()}, point.axes, {point.headline, percent_cell(point.efficiency), point.n});
  return shown.table;
}

Json matmul_chart(const std::vector<StoredPoint>& points) {
  const auto axis = swept(points);
  if (!axis) return {{"points", Json::array()}, {"same", ""}, {"size", ""}};
  const auto followers = followers_of(points);
  std::set<std::string> drawn{*axis, "dtype"};
  drawn.insert(followers.begin(), followers.end());
  const chart::Series series(axes_of(points), drawn);
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
    object["of_peak"] = chart::number(point.efficiency ? 100 * point.efficiency->value : NAN);
    all.push_back(std::move(object));
  }
  return {{"points", all}, {"same", series.same()}, {"size", size_text}};
}

}  // namespace assay::results

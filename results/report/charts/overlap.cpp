// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Copying and computing at once: the block pipeline over its cap, and the tables of both.
#include "harness/core/names.hpp"
#include "results/report/charts/chart_series.hpp"
#include "results/report/charts/charts.hpp"

namespace assay::results {
namespace {

using Json = nlohmann::ordered_json;
using Kind = Column::Kind;

struct Shown {
  const char *metric, *column, *unit;
};

Table table_of(const std::vector<OverlapPoint>& points, const std::string& title,
               const std::vector<Shown>& shown) {
  std::vector<Column> columns;
  for (const Shown& one : shown) columns.push_back({one.column, one.unit, Kind::number});
  columns.push_back({"n", "", Kind::count});
  AxesTable all(title, {{"back end", "", Kind::word}}, axis_columns(axes_of(points)), columns);
  for (const OverlapPoint& point : points) {
    std::vector<Cell> values;
    for (const Shown& one : shown) values.emplace_back(point.interval(one.metric));
    values.emplace_back(point.point.n);
    all.add({point.point.back_end()}, point.point.axes, values);
  }
  return all.table;
}

}  // namespace

Table pipeline_table(const std::vector<OverlapPoint>& points) {
  return table_of(points, "Block pipeline",
                  {{core::names::time_us, "step", "us"},
                   {core::names::compute_only_us, "compute only", "us"},
                   {core::names::transfer_only_us, "transfer only", "us"},
                   {core::names::interference_us, "interference", "us"},
                   {core::names::predicted_us, "predicted", "us"},
                   {core::names::deviation_percent, "deviation", "%"},
                   {core::names::sustained_in_gb_per_s, "sustained in", "GB/s"},
                   {core::names::hiding_in_gb_per_s, "would hide it", "GB/s"},
                   {core::names::reached_in_gb_per_s, "reached in", "GB/s"},
                   {core::names::reached_out_gb_per_s, "reached out", "GB/s"}});
}

Table interference_table(const std::vector<OverlapPoint>& points) {
  return table_of(points, "Interference",
                  {{core::names::slowdown, "slowdown", ""},
                   {core::names::slowdown_of_spinning, "of spinning", ""},
                   {core::names::slowdown_beyond_spinning, "beyond spinning", ""},
                   {core::names::predicted_tail_wave_slowdown, "predicted, tail wave", ""},
                   {core::names::aggressor_gb_per_s, "aggressor", "GB/s"}});
}

Json pipeline_chart(const std::vector<OverlapPoint>& points) {
  const chart::Series series(axes_of(points), {"cap_gb_per_s", "resident"});
  Json all = Json::array();
  for (const OverlapPoint& point : points) {
    Json object{{"back_end", point.point.back_end()},
                {"series", series.name_of(point.point.axes)},
                {"kernel", field_text(point.point.axes, {"resident"}) + " blocks resident"},
                {"cap", field_text(point.point.axes, {"cap_gb_per_s"})}};
    chart::put(object, point.interval(core::names::time_us), 1e-3);
    object["compute_only"] = chart::number(1e-3 * point.interval(core::names::compute_only_us).value);
    object["predicted"] = chart::number(1e-3 * point.interval(core::names::predicted_us).value);
    all.push_back(std::move(object));
  }
  return series.chart_of(std::move(all));
}

}  // namespace assay::results

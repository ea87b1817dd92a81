// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Copying and computing at once: the block pipeline over its cap, and the tables of both.
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
                  {{"time_us", "step", "us"},
                   {"compute_only_us", "compute only", "us"},
                   {"transfer_only_us", "transfer only", "us"},
                   {"interference_us", "interference", "us"},
                   {"predicted_us", "predicted", "us"},
                   {"deviation_percent", "deviation", "%"},
                   {"sustained_in_gb_per_s", "sustained in", "GB/s"},
                   {"hiding_in_gb_per_s", "would hide it", "GB/s"},
                   {"reached_in_gb_per_s", "reached in", "GB/s"},
                   {"reached_out_gb_per_s", "reached out", "GB/s"}});
}

Table interference_table(const std::vector<OverlapPoint>& points) {
  return table_of(points, "Interference",
                  {{"slowdown", "slowdown", ""},
                   {"slowdown_of_spinning", "of spinning", ""},
                   {"slowdown_beyond_spinning", "beyond spinning", ""},
                   {"predicted_tail_wave_slowdown", "predicted, tail wave", ""},
                   {"aggressor_gb_per_s", "aggressor", "GB/s"}});
}

Json pipeline_chart(const std::vector<OverlapPoint>& points) {
  const chart::Series series(axes_of(points), {"cap_gb_per_s", "resident"});
  Json all = Json::array();
  for (const OverlapPoint& point : points) {
    Json object{{"back_end", point.point.back_end()},
                {"series", series.name_of(point.point.axes)},
                {"kernel", field_text(point.point.axes, {"resident"}) + " blocks resident"},
                {"cap", field_text(point.point.axes, {"cap_gb_per_s"})}};
    chart::put(object, point.interval("time_us"), 1e-3);
    object["compute_only"] = chart::number(1e-3 * point.interval("compute_only_us").value);
    object["predicted"] = chart::number(1e-3 * point.interval("predicted_us").value);
    all.push_back(std::move(object));
  }
  return series.chart_of(std::move(all));
}

}  // namespace assay::results

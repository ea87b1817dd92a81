// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Bandwidth and latency: a row a point, a column for each axis that varies.
#include <algorithm>

#include "harness/core/names.hpp"
#include "results/show/axes_table.hpp"
#include "results/show/tables.hpp"

namespace assay::results {
namespace {

using Kind = Column::Kind;

Table by_axes(const std::string& title, const std::string& metric, const std::string& unit,
              std::vector<StoredPoint> points) {
  std::erase_if(points, [&](const StoredPoint& point) { return point.metric != metric; });
  const std::size_t before = points.size();
  points = combine_repetitions(std::move(points));
  AxesTable shown(title, {{"back end", "", Kind::word, true}, {"kernel", "", Kind::word, true}},
                  axis_columns(axes_of(points)),
                  {{metric.substr(0, metric.find('_')), unit, Kind::number}, {"n", "", Kind::count}});
  for (const StoredPoint& point : points)
    shown.add({point.back_end(), point.benchmark()}, point.axes, {point.headline, point.n});
  Table& table = shown.table;
  if (points.size() < before)
    table.notes.push_back(
        "Repetitions are joined: median of their values, union of their intervals, all samples.");
  return table;
}

}  // namespace

Table show_memory(const RunPoints& run, const ShowOptions& options) {
  return by_axes(title_of("Memory bandwidth", run), core::names::bandwidth_gb_per_s, "GB/s",
                 run.rows(options.filter.empty() ? "memory.*" : options.filter));
}

Table show_latency(const RunPoints& run, const ShowOptions& options) {
  return by_axes(title_of("Memory latency over footprint", run), core::names::latency_ns, "ns",
                 run.rows(options.filter.empty() ? "memory.*.latency" : options.filter));
}

}  // namespace assay::results

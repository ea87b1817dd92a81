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
              const std::vector<StoredPoint>& points) {
  AxesTable shown(title, {{"back end", "", Kind::word, true}, {"kernel", "", Kind::word, true}},
                  axis_columns(axes_of(points)),
                  {{metric.substr(0, metric.find('_')), unit, Kind::number}, {"n", "", Kind::count}});
  for (const StoredPoint& point : points)
    shown.add({point.back_end(), point.benchmark()}, point.axes, {point.headline, point.n});
  Table& table = shown.table;
  if (std::ranges::any_of(points, [](const StoredPoint& point) { return point.repetitions > 1; }))
    table.notes.push_back(
        "Repetitions are joined: median of their values, union of their intervals, all samples.");
  return table;
}

}  // namespace

Table show_memory(const RunPoints& run, const ShowOptions& options) {
  const char* const metric = core::names::bandwidth_gb_per_s;
  return by_axes(title_of("Memory bandwidth", run), metric, "GB/s",
                 run.joined(options.filter.empty() ? "memory.*" : options.filter, metric));
}

Table show_latency(const RunPoints& run, const ShowOptions& options) {
  const char* const metric = core::names::latency_ns;
  return by_axes(title_of("Memory latency over footprint", run), metric, "ns",
                 run.joined(options.filter.empty() ? "memory.*.latency" : options.filter, metric));
}

}  // namespace assay::results

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Bandwidth and latency of memory over the size of what is read: {points: [{back_end, kernel, series, bytes,
// value, lower, upper}], same}, where a point names its series by the axes that vary and "same" names those
// that do not; and the caches between, [{back_end, name, bytes}].
#include "harness/core/names.hpp"
#include "results/report/charts/chart_series.hpp"
#include "results/report/sections.hpp"
#include "results/show/facts.hpp"

namespace assay::results {
namespace {

using Json = nlohmann::ordered_json;

/// "copy", or where the kernel moves data in more than one manner "copy, tma".
std::string kernel_of(const StoredPoint& point) {
  return chart::joined_parts(point.benchmark(), field_text(point.axes, {"mover"}));
}

Json footprint_chart(const RunPoints& run, const std::string& cases, const std::string& metric) {
  const auto chosen = run.joined(cases, metric);
  const chart::Series series(axes_of(chosen), {"bytes", "footprint", "mover"});
  Json points = Json::array();
  for (const StoredPoint& point : chosen)
    if (const auto bytes = field_integer(point.axes, {"bytes", "footprint"}))
      points.push_back(
          chart::point_of(point, kernel_of(point), series.name_of(point.axes), *bytes, point.headline));
  return series.chart_of(std::move(points));
}

}  // namespace

Json bandwidth_chart(const RunPoints& run) {
  return footprint_chart(run, "memory.*", core::names::bandwidth_gb_per_s);
}

Json latency_chart(const RunPoints& run) {
  return footprint_chart(run, "memory.*.latency", core::names::latency_ns);
}

Json cache_levels_chart(const RunPoints& run) {
  Json levels = Json::array();
  for (const CacheLevel& level : cache_levels(machine_of(run)))
    levels.push_back({{"back_end", level.back_end}, {"name", level.name}, {"bytes", level.bytes}});
  return levels;
}

}  // namespace assay::results

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/points/overlap_points.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "results/points/summary_point_limit.hpp"

namespace assay::results {
namespace {

std::vector<OverlapPoint> points_of(const Store& store, const StoredRun& run, const std::string& cases) {
  std::vector<OverlapPoint> points;
  for (StoredPoint& point : points_of_cases(store, run, cases, summary_point_limit)) {
    if (point.status != Status::ok || !std::isfinite(point.headline.value)) continue;
    OverlapPoint& one = points.emplace_back(OverlapPoint{std::move(point), {}});
    for (const Metric& metric : record_of(store, one.point.id).metrics)
      one.metrics[metric.name] = {metric.value, metric.lower, metric.upper};
  }
  return points;
}

}  // namespace

AggressorCount aggressor_count(const Fields& axes) {
  for (const char* axis : {"blocks", "threads"})
    if (const auto count = field_integer(axes, {axis})) return {axis, *count};
  return {};
}

Number OverlapPoint::metric(const std::string& name) const {
  const auto known = metrics.find(name);
  return known == metrics.end() ? Number{std::numeric_limits<double>::quiet_NaN()} : known->second;
}

std::vector<OverlapPoint> pipeline_points(const Store& store, const StoredRun& run) {
  return points_of(store, run, "offload.*.pipeline");
}

std::vector<OverlapPoint> interference_points(const Store& store, const StoredRun& run) {
  return points_of(store, run, "offload.*.interference");
}

}  // namespace assay::results

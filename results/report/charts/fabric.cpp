// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Bandwidth of the fabric under its ceiling, and latency with its 99th percentile, over message size:
// {points, same}. Other benchmarks are in the tables alone.
#include <cmath>

#include "harness/core/names.hpp"
#include "results/points/kinds/fabric_points.hpp"
#include "results/report/charts/chart_series.hpp"
#include "results/report/sections.hpp"

namespace assay::results {
namespace {

using Json = nlohmann::ordered_json;

/// The operations share a chart, a series is all else that varies.
Json curves(std::vector<FabricPoint> points, bool (*belongs)(const StoredPoint&),
            void (*complete)(Json&, const FabricPoint&)) {
  std::erase_if(points, [&](const FabricPoint& point) { return !belongs(point.point); });
  const chart::Series series(axes_of(points), {"bytes", "operation"});
  Json all = Json::array();
  for (const FabricPoint& point : points) {
    const auto bytes = field_integer(point.point.axes, {"bytes"});
    if (!bytes) continue;
    Json object =
        chart::point_of(point.point, field_text(point.point.axes, {"operation"}),
                        chart::joined_parts(point.point.benchmark(), series.name_of(point.point.axes)),
                        *bytes, point.point.headline);
    object["link_class"] = to_string(point.link.link_class);
    complete(object, point);
    all.push_back(std::move(object));
  }
  return series.chart_of(std::move(all));
}

/// The ceiling is of one direction of a port; each flow of these benchmarks has one to itself.
void add_ceiling(Json& object, const FabricPoint& point) {
  const auto bytes = field_integer(point.point.axes, {"bytes"});
  const auto ceiling_gbit_per_s = point.metric(core::names::ceiling_gbit_per_s);
  if (!ceiling_gbit_per_s || !bytes || *bytes <= 0) return;
  const double flows = point.point.work_bytes / static_cast<double>(*bytes);
  object["ceiling"] = chart::number(flows * *ceiling_gbit_per_s / 8);
}

void add_tail(Json& object, const FabricPoint& point) {
  object["p99"] = chart::number(1e6 * point.tail.p99_s.value_or(NAN));
}

bool has_bandwidth_curve(const StoredPoint& point) {
  return point.benchmark() == "bandwidth" || point.benchmark() == "bidirectional";
}

bool has_latency_curve(const StoredPoint& point) { return point.benchmark() == "latency"; }

}  // namespace

Json rdma_bandwidth_chart(const RunPoints& run) {
  return curves(fabric_points(run, "rdma.*"), has_bandwidth_curve, add_ceiling);
}

Json rdma_latency_chart(const RunPoints& run) {
  return curves(fabric_points(run, "rdma.*"), has_latency_curve, add_tail);
}

}  // namespace assay::results

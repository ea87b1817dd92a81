// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The data behind the report's charts of the fabric, as results/report/data.ts reads it.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "results/points/fabric_points.hpp"

namespace assay::results {

/// Benchmarks that have a place in the chart over message size; the tables have them all.
bool has_bandwidth_curve(const StoredPoint& point);
bool has_latency_curve(const StoredPoint& point);

nlohmann::ordered_json rdma_bandwidth_chart(const std::vector<FabricPoint>& points);
nlohmann::ordered_json rdma_latency_chart(const std::vector<FabricPoint>& points);
/// Time histograms of the points behind the highlights of latency.
nlohmann::ordered_json rdma_time_charts(const RunPoints& run);

}  // namespace assay::results

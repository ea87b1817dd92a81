// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Bandwidth and latency of the fabric over message size; other benchmarks are in the tables alone.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "results/points/fabric_points.hpp"

namespace assay::results {

/// {points, same}; bandwidth under its ceiling, latency with its 99th percentile.
nlohmann::ordered_json rdma_bandwidth_chart(const std::vector<FabricPoint>& points);
nlohmann::ordered_json rdma_latency_chart(const std::vector<FabricPoint>& points);

}  // namespace assay::results

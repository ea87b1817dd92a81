// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How often which latency of the fabric occurred.
#pragma once

#include <nlohmann/json.hpp>

#include "results/points/run_points.hpp"

namespace assay::results {

/// Of the points behind the highlights of latency: [{label, n, edges_s, counts, median_s, p99_s}].
nlohmann::ordered_json rdma_time_charts(const RunPoints& run);

}  // namespace assay::results

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The rate of single matrix products over their size, for a table and a chart.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "results/points/run_points.hpp"

namespace assay::results {

/// Ok points of gemm.*.matmul whose headline is a rate, in the order measured, repetitions joined.
std::vector<StoredPoint> matmul_points(const RunPoints& run);

Table matmul_table(const std::vector<StoredPoint>& points);

/// TFLOP/s over the size that was swept, which "size" names ("m = n = k", "k"): {points, same, size}. No
/// point where one size was measured.
nlohmann::ordered_json matmul_chart(const std::vector<StoredPoint>& points);

}  // namespace assay::results

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Efficiency of transformer blocks against the tensor-parallel degree, a point for each layer and block.
#pragma once

#include <nlohmann/json.hpp>

#include "results/points/run_points.hpp"

namespace assay::results {

/// {points: [{back_end, series, layer, tp, value, lower, upper, tflops}], same}
nlohmann::ordered_json gemm_chart(const RunPoints& run);

}  // namespace assay::results

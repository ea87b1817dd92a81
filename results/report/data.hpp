// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What the charts of a report draw, as one JSON object: no formatting, no HTML. The tables hold the same
// numbers.
#pragma once

#include <nlohmann/json.hpp>

#include "results/points/run_points.hpp"

namespace assay::results {

/// Keys: gemm, bandwidth, latency (each {points, same, note}), copies, cache_levels, samples, and one for
/// every other chart. A point of a chart names its series by the axes that vary; "same" tells those that do
/// not.
nlohmann::ordered_json report_data(const RunPoints& run);

}  // namespace assay::results

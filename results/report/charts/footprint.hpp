// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Bandwidth and latency of memory over the size of what is read, and the caches between.
#pragma once

#include <nlohmann/json.hpp>

#include "results/points/run_points.hpp"

namespace assay::results {

/// {points: [{back_end, kernel, series, bytes, value, lower, upper}], same}: a point names its series by the
/// axes that vary; "same" names those that do not.
nlohmann::ordered_json bandwidth_chart(const RunPoints& run);
nlohmann::ordered_json latency_chart(const RunPoints& run);

/// [{back_end, name, bytes}]
nlohmann::ordered_json cache_levels_chart(const RunPoints& run);

}  // namespace assay::results

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Every sample behind a few headline numbers, in the order taken.
#pragma once

#include <nlohmann/json.hpp>

#include "results/points/run_points.hpp"

namespace assay::results {

/// Of the points behind the highlights: the last latency step of each ladder, the best kernels, the best
/// dtypes, copies, the fabric's bandwidth (its latency has a histogram).
nlohmann::ordered_json sample_charts(const RunPoints& run);

}  // namespace assay::results

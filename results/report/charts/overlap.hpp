// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The offload module's overlap of copying and computing, for tables and charts: the block pipeline over its
// cap, and who slows down whom (its charts: interference_charts.hpp).
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "results/points/overlap_points.hpp"

namespace assay::results {

Table pipeline_table(const std::vector<OverlapPoint>& points);
Table interference_table(const std::vector<OverlapPoint>& points);

/// Step time over the cap, beside what computing alone takes and what was predicted; milliseconds.
nlohmann::ordered_json pipeline_chart(const std::vector<OverlapPoint>& points);

}  // namespace assay::results

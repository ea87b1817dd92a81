// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Flows among many hosts as maps: who sends, who receives, how fast, and which were suspects.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "results/points/fabric_points.hpp"

namespace assay::results {

/// One map for each point whose record tells more than two flows singly: {series, ranks: [{rank, name}],
/// median, flows: [{from, to, value, alone, of_median, suspect}]}. A suspect is a flow that the module ran
/// again by itself, and one below the share of the median at which it would have.
nlohmann::ordered_json pairs_charts(const std::vector<FabricPoint>& points);

}  // namespace assay::results

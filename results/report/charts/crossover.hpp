// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The data behind the report's crossover charts, as charts/crossover.ts draws it.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "results/points/crossovers.hpp"

namespace assay::results {

/// Of each crossover (a series) the time of every contender, who wins at each size and whether that is
/// decided, the sizes of each reign, and the library's regret where it ran.
nlohmann::ordered_json crossover_chart(const std::vector<Crossover>& crossovers);

}  // namespace assay::results

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The number of rounds that decides about fleets, as `assay plan-runs` and a campaign's dry run print it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/planning/rounds_needed.hpp"

namespace assay::cli {

/// A table for each fleet. Returns the exit code: 3 where no number of rounds decides about one.
int print_rounds_needed(const std::vector<results::PlannedFleet>& fleets, const results::FleetRules& rules,
                        const results::PlanningRules& planning, std::optional<double> minutes_per_round,
                        const std::string& format);

}  // namespace assay::cli

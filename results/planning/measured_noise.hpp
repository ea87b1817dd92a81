// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The fleets of a store as fleets to be planned: their size, and the noise of each point as its first rounds
// show it.
#pragma once

#include <string>
#include <vector>

#include "results/judge/fleet/fleet_judgement.hpp"
#include "results/planning/planned_fleet.hpp"
#include "results/store/store.hpp"

namespace assay::results {

/// One for each level of units that has enough equals. One round shows no difference between what changes and
/// what lasts: all of the spread counts as changing. Throws std::runtime_error with one line where nothing is
/// measured, or nothing that has equals.
std::vector<PlannedFleet> planned_as_measured(const Store& store, const std::string& filter,
                                              const FleetRules& rules);

}  // namespace assay::results

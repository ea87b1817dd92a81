// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The history of a fleet, from what its nodes' checks and burn-ins recorded.
#pragma once

#include <string>
#include <vector>

#include "model/reliability/fleet.hpp"

namespace assay::cli {

/// Logbooks, and folders in which files named health.json or *.health.json are logbooks. Of two logbooks of
/// one node over the same time the one that watched longer counts. Throws a usage Error for what is not a
/// logbook, and for a folder without any.
model::reliability::FleetHistory fleet_of_logbooks(const std::vector<std::string>& paths);

/// Stores of burn-ins.
model::reliability::FleetHistory fleet_of_stores(const std::vector<std::string>& files);

}  // namespace assay::cli

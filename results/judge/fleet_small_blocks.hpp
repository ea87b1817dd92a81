// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Units without enough equals: they are not judged, and that is told.
#pragma once

#include <string>
#include <vector>

#include "results/judge/fleet.hpp"
#include "results/judge/fleet_rounds.hpp"

namespace assay::results {

/// Where there are several kinds, all of a kind in few hosts are equals of themselves only. Returns lines
/// such as "H100 PCIe: 3 units in 2 hosts".
std::vector<std::string> leave_out_small_blocks(const Fleet& fleet, FleetRounds& rounds);

}  // namespace assay::results

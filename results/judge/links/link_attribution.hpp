// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Where an end of a slow link is slow with every peer, the end is named, and not each of its links.
#pragma once

#include <string>
#include <vector>

#include "results/judge/acceptance/acceptance.hpp"

namespace assay::results {

/// Each fleet accepted or not, in their order. Of links, what the faults of their ends explain is left out: a
/// loss that is beyond that of the ends by less than the limit.
std::vector<FleetAcceptance> accept_all(std::vector<MeasuredFleet> fleets, const FleetRules& rules);

/// Whether the place is an end of the link, or the host or the rail of one.
bool is_at_an_end(const std::string& place, const std::string& link);

}  // namespace assay::results

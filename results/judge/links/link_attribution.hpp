// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Attribution of slow links: an end that is slow with every peer is named, and not each of its links.
#pragma once

#include <string>
#include <vector>

#include "results/judge/acceptance/acceptance.hpp"

namespace assay::results {

/// Accepts each fleet or not, in their order. Findings of links that the faults of their ends explain are
/// left out: a loss that is beyond that of the ends by less than the limit.
std::vector<FleetAcceptance> accept_all(std::vector<MeasuredFleet> fleets, const FleetRules& rules);

/// Whether the place is an end of the link, or the host or the rail of one.
bool is_at_an_end(const std::string& place, const std::string& link);

}  // namespace assay::results

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The hosts of a fleet that are measured again, and how many sound ones with them: the others are decided.
#pragma once

#include <cstddef>
#include <set>
#include <string>

#include "results/judge/acceptance/acceptance.hpp"

namespace assay::results {

/// Hosts of each place that is suspect, or not yet shown to be as fast as its equals: of a GPU its host, of a
/// link both ends, of a switch or a rail all that are on it. Also hosts of places that no number of runs
/// would decide, and of those with a run far off that their other runs clear (what is slow now and then shows
/// in many rounds), unless they are several and more than a tenth of the hosts: then it is the noise, and no
/// chance.
std::set<std::string> open_hosts_of(const FleetAcceptance& acceptance);

/// Number of sound hosts to measure again together with `open` hosts, as their equals of the same time:
/// enough that the round's effect on all is known to a third of the noise. `in_pairs`: a partner for each,
/// and one pair more.
std::size_t partners_of(std::size_t open, bool in_pairs);

}  // namespace assay::results

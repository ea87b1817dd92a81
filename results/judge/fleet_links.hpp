// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Which end of a slow link is bad: what is slow with every peer is the host, what is slow with one is that
// peer or the way between them.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "results/judge/fleet_store.hpp"

namespace assay::results {

/// The two hosts of each link, by the name of its unit.
using LinkEnds = std::map<std::string, std::pair<std::string, std::string>>;

/// "h1 - h2", whichever of them started it.
std::string link_name(const std::string& one, const std::string& other);

/// Of measured links, the hosts that have two peers at least: each metric's time is what the host adds to its
/// links, by medians over them, in turns with what their other ends add. No units where fewer hosts than can
/// be judged have so many peers.
MeasuredFleet ends_of(const MeasuredFleet& links, const LinkEnds& ends, const FleetPlaces& places);

}  // namespace assay::results

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Losses of single cables: pairs of hosts without a way, and an all-to-all after the subnet manager's next
// sweep.
#pragma once

#include <cstdint>
#include <vector>

#include "model/fabric/routes/route_patterns.hpp"

namespace assay::model::fabric::routes {

struct LostCable {
  LinkId cable = 0;             // its link up
  std::uint64_t pairs = 0;      // without a way until the sweep
  std::uint64_t separated = 0;  // likewise after it: no other cable joins them
  std::uint64_t moved = 0;      // entries that the sweep changes
  std::uint64_t busiest = 0;    // paths of an all-to-all after it, on the link `at`
  LinkId at = 0;
  double times = 1;  // of an all-to-all after it: as long as over hosts' own links alone
};

/// Every cable between switches in turn, worst first: by pairs separated, then by times, then by pairs. The
/// sweep goes by the rule of opensm's minhop (osm_switch_recommend_path): entries that are still on a
/// shortest way stay, others move to the port with the fewest LIDs of those on one, of equals to the lowest.
/// Entries that were on no shortest way stay while they deliver. LIDs that leaves do not all reach are left
/// out.
std::vector<LostCable> lost_cables(const Topology& topology, const ForwardingTables& tables,
                                   const Planes& planes, unsigned threads = 1);

}  // namespace assay::model::fabric::routes

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// On which of a job's servers its ranks should be, so that little traffic leaves racks and zones.
#pragma once

#include <string>
#include <vector>

#include "model/fabric/placement.hpp"
#include "model/fabric/rank_files.hpp"
#include "model/fabric/simulate/answer/answer.hpp"

namespace assay::model::fabric {

/// Bytes that leave a group of servers, summed over groups.
struct TierCut {
  std::string tier;  // "zone", "leaf"
  double before = 0, after = 0;
  double bound = 0;  // no placement cuts less
};

struct PlacedRanks {
  std::vector<NodeId> host_of_rank;
  std::vector<TierCut> cuts;
};

/// Exchanges whole servers: ranks of a server stay together, on the same GPUs; racks and zones keep as many
/// as they have, which may differ. Throws a usage Error where ranks do not fill whole servers, or an
/// all-to-all is beyond most_placed_sends.
PlacedRanks place_ranks(const Scenario& scenario);
inline constexpr double most_placed_sends = 5e7;

/// The server's name, or its number where there are no names, and the GPU's number, in the order of ranks.
/// Throws a usage Error that opens with `names_file` for fewer names than servers.
std::vector<RankPlace> rank_places(const Scenario& scenario, const std::vector<NodeId>& host_of_rank,
                                   const std::vector<std::string>& names, const std::string& names_file);

/// Places by the names of the fabric's `nodes`; none where it names no servers.
std::vector<RankPlace> places_by_nodes(const Scenario& scenario, const std::vector<NodeId>& host_of_rank);

/// Cuts and times before and after.
Answer placement_answer(const Scenario& scenario, const Simulation& before, const PlacedRanks& placed,
                        const Simulation& after);

}  // namespace assay::model::fabric

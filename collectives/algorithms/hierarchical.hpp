// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Inside the node first, then across: algorithms of two tiers over a map of ranks to nodes.
#pragma once

#include <string>

#include "collectives/algorithms/schedule.hpp"

namespace assay::collectives {

/// One rank a node talks to other nodes, its lowest (or the root, on its node): binomial trees inside the
/// node, halving and doubling (all-reduce) or a binomial tree across. For any map.
Schedule leader_all_reduce(const Problem& problem, int rank);
Schedule leader_broadcast(const Problem& problem, int rank);
Schedule leader_reduce(const Problem& problem, int rank);

/// All ranks of a node talk to their counterparts on other nodes, each for its block: ring reduce-scatter
/// inside, halving and doubling across, ring all-gather inside. Needs as many ranks on every node.
Schedule rail_all_reduce(const Problem& problem, int rank);
std::string why_no_rails(const Problem& problem);

Sent leader_all_reduce_sent(const Problem& problem, int rank);
Sent leader_broadcast_sent(const Problem& problem, int rank);
Sent leader_reduce_sent(const Problem& problem, int rank);
Sent rail_all_reduce_sent(const Problem& problem, int rank);

/// Exact where every node has as many ranks; else an upper bound, since a smaller node is done earlier.
std::int64_t leader_all_reduce_steps(const Problem& problem);
std::int64_t leader_tree_steps(const Problem& problem);  // broadcast, reduce
std::int64_t rail_all_reduce_steps(const Problem& problem);

}  // namespace assay::collectives

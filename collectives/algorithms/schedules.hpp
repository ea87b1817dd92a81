// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The schedules of the algorithms, and what a rank sends in each. Their sources name who invented them;
// double_tree.hpp and all_to_all.hpp have the rest.
#pragma once

#include <string>

#include "collectives/algorithms/schedule.hpp"

namespace assay::collectives {

Schedule ring_all_reduce(const Problem& problem, int rank);
Schedule ring_all_gather(const Problem& problem, int rank);
Schedule ring_reduce_scatter(const Problem& problem, int rank);
/// Not a collective: each rank's whole input to the next.
Schedule ring_shift(const Problem& problem, int rank);

Sent ring_all_reduce_sent(const Problem& problem, int rank);
Sent ring_all_gather_sent(const Problem& problem, int rank);
Sent ring_reduce_scatter_sent(const Problem& problem, int rank);
Sent ring_shift_sent(const Problem& problem, int rank);

/// Whole vectors are exchanged: fewest steps, most bytes.
Schedule doubling_all_reduce(const Problem& problem, int rank);
Schedule doubling_all_gather(const Problem& problem, int rank);
Schedule halving_reduce_scatter(const Problem& problem, int rank);
/// Rabenseifner's: reduce-scatter by halving, then all-gather by doubling.
Schedule halving_doubling_all_reduce(const Problem& problem, int rank);

Sent doubling_all_reduce_sent(const Problem& problem, int rank);
Sent doubling_all_gather_sent(const Problem& problem, int rank);
Sent halving_reduce_scatter_sent(const Problem& problem, int rank);
Sent halving_doubling_all_reduce_sent(const Problem& problem, int rank);

Schedule bruck_all_gather(const Problem& problem, int rank);
Schedule bruck_all_to_all(const Problem& problem, int rank);
Schedule dissemination_barrier(const Problem& problem, int rank);

Sent bruck_all_gather_sent(const Problem& problem, int rank);
Sent bruck_all_to_all_sent(const Problem& problem, int rank);
Sent dissemination_barrier_sent(const Problem& problem, int rank);

Schedule binomial_broadcast(const Problem& problem, int rank);
Schedule binomial_reduce(const Problem& problem, int rank);
Schedule binomial_gather(const Problem& problem, int rank);
Schedule binomial_scatter(const Problem& problem, int rank);
/// Reduce to rank 0, then broadcast from it.
Schedule binomial_all_reduce(const Problem& problem, int rank);

Sent binomial_broadcast_sent(const Problem& problem, int rank);
Sent binomial_reduce_sent(const Problem& problem, int rank);
Sent binomial_gather_sent(const Problem& problem, int rank);
Sent binomial_scatter_sent(const Problem& problem, int rank);
Sent binomial_all_reduce_sent(const Problem& problem, int rank);

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

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Binomial trees: the number of ranks reached doubles every step. Ranks are counted from the root on.
#pragma once

#include "collectives/algorithms/schedule.hpp"

namespace assay::collectives {

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

}  // namespace assay::collectives

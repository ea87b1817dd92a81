// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Recursive doubling and halving: log2 n steps with partners ever farther (or nearer) apart. Thakur,
// Rabenseifner and Gropp 2005, "Optimization of Collective Communication Operations in MPICH".
#pragma once

#include "collectives/algorithms/schedule.hpp"

namespace assay::collectives {

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

}  // namespace assay::collectives

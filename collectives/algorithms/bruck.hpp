// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Bruck's algorithms (Bruck et al. 1997): ceil(log2 n) steps for any n, at the price of blocks that travel
// more than once (all-to-all) and of a rotation at the end; and the barrier that is the same without data
// (Hensgen, Finkel and Manber 1988).
#pragma once

#include "collectives/algorithms/schedule.hpp"

namespace assay::collectives {

Schedule bruck_all_gather(const Problem& problem, int rank);
Schedule bruck_all_to_all(const Problem& problem, int rank);
Schedule dissemination_barrier(const Problem& problem, int rank);

Sent bruck_all_gather_sent(const Problem& problem, int rank);
Sent bruck_all_to_all_sent(const Problem& problem, int rank);
Sent dissemination_barrier_sent(const Problem& problem, int rank);

}  // namespace assay::collectives

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Rings: every rank sends to the next and receives from the one before, a block at a time. Bandwidth-optimal,
// with a latency that grows with n (Patarasuk and Yuan 2009).
#pragma once

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

}  // namespace assay::collectives

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Collective algorithms as functions: whom a rank sends which elements of the vector in a step. Lists would
// not fit: a ring of 24,576 ranks has 1.2 * 10^9 sends. What arrives is what its sender sends.
#pragma once

#include <cstdint>
#include <optional>

namespace assay::schedule {

/// Ranks, and elements of the vector: of all blocks of a rank together where there are blocks.
struct Size {
  int ranks = 1;           // at least 1
  std::int64_t count = 0;  // at least 0
};

/// To a rank, `count` elements from `first` on.
struct Send {
  int to = 0;
  std::int64_t first = 0, count = 0;
  friend bool operator==(const Send&, const Send&) = default;
};

/// None where the rank sends nothing in the step.
using MaybeSend = std::optional<Send>;

/// Steps of each, and what the rank (0 to ranks - 1) sends in the step (0 to steps - 1).
/// Rings pass blocks to the next rank: Patarasuk and Yuan 2009, "Bandwidth optimal all-reduce algorithms for
/// clusters of workstations".
int ring_steps(int ranks);  // of one round
MaybeSend ring_all_gather(Size size, int step, int rank);
MaybeSend ring_reduce_scatter(Size size, int step, int rank);
int ring_all_reduce_steps(int ranks);
MaybeSend ring_all_reduce(Size size, int step, int rank);

/// Recursive doubling of whole vectors, and halving followed by doubling of windows: Thakur, Rabenseifner and
/// Gropp 2005, "Optimization of collective communication operations in MPICH". Other numbers of ranks than
/// powers of two fold first and unfold last (harness/schedule/fold.hpp).
int doubling_all_reduce_steps(int ranks);
MaybeSend doubling_all_reduce(Size size, int step, int rank);
int halving_doubling_all_reduce_steps(int ranks);
MaybeSend halving_doubling_all_reduce(Size size, int step, int rank);

/// Trees from and to rank 0, whole vectors.
int binomial_steps(int ranks);
MaybeSend binomial_broadcast(Size size, int step, int rank);
MaybeSend binomial_reduce(Size size, int step, int rank);

/// One partner a step, ever farther up; the block is the partner's.
MaybeSend pairwise_all_to_all(Size size, int step, int rank);

/// One step, the whole vector to the rank `by` further, not a multiple of ranks.
MaybeSend shift(Size size, int by, int rank);

}  // namespace assay::schedule

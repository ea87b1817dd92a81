// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/schedule/sends.hpp"

#include "harness/schedule/fold.hpp"

namespace assay::schedule {

namespace {

MaybeSend block_to(int to, Size size, int block) {
  const Blocks blocks{size.count, size.ranks};
  const int which = wrapped(block, size.ranks);
  return Send{to, blocks.first(which), blocks.size(which)};
}

/// To the next rank, the block `back` before the rank's own.
MaybeSend pass_on(Size size, int rank, int back) {
  return block_to((rank + 1) % size.ranks, size, rank - back);
}

Send whole_to(int to, Size size) { return {to, 0, size.count}; }

/// The `middle` steps between the folding of pairs and their unfolding; both send whole vectors.
template <class Middle>
MaybeSend folded(Size size, int step, int rank, int middle_steps, const Middle& middle) {
  const Fold fold(size.ranks, rank);
  const int at = step - Fold::extra_steps(size.ranks) / 2;
  if (at >= 0 && at < middle_steps) return fold.gives_away() ? MaybeSend() : MaybeSend(middle(fold, at));
  const bool sends = at < 0 ? fold.gives_away() : fold.acts_for_two();
  return sends ? MaybeSend(whole_to(fold.partner(), size)) : MaybeSend();
}

}  // namespace

int ring_steps(int ranks) { return ranks - 1; }
int ring_all_reduce_steps(int ranks) { return 2 * (ranks - 1); }

MaybeSend ring_all_gather(Size size, int step, int rank) { return pass_on(size, rank, step); }
MaybeSend ring_reduce_scatter(Size size, int step, int rank) { return pass_on(size, rank, step + 1); }
// The first round ends with block rank + 1 reduced here.
MaybeSend ring_all_reduce(Size size, int step, int rank) {
  return pass_on(size, rank, step < size.ranks - 1 ? step : step - size.ranks);
}

int doubling_all_reduce_steps(int ranks) { return log2_floor(ranks) + Fold::extra_steps(ranks); }
MaybeSend doubling_all_reduce(Size size, int step, int rank) {
  return folded(size, step, rank, log2_floor(size.ranks), [&](const Fold& fold, int round) {
    return whole_to(fold.acting_rank(fold.group() ^ (1 << round)), size);
  });
}

int halving_doubling_all_reduce_steps(int ranks) { return 2 * log2_floor(ranks) + Fold::extra_steps(ranks); }
// Halving gives the partner its window of the vector; doubling hands on the window that is complete here.
MaybeSend halving_doubling_all_reduce(Size size, int step, int rank) {
  const int rounds = log2_floor(size.ranks);
  return folded(size, step, rank, 2 * rounds, [&](const Fold& fold, int round) {
    const bool halving = round < rounds;
    const int width = 1 << (halving ? rounds - 1 - round : round - rounds);
    const int partner = fold.group() ^ width, first = (halving ? partner : fold.group()) & ~(width - 1);
    const Blocks shares{size.count, fold.groups()};
    return Send{fold.acting_rank(partner), shares.first(first),
                shares.first(first + width) - shares.first(first)};
  });
}

int binomial_steps(int ranks) { return log2_ceiling(ranks); }
MaybeSend binomial_broadcast(Size size, int step, int rank) {
  const int distance = 1 << (log2_ceiling(size.ranks) - 1 - step);
  if (rank % (2 * distance) != 0 || rank + distance >= size.ranks) return std::nullopt;
  return whole_to(rank + distance, size);
}
MaybeSend binomial_reduce(Size size, int step, int rank) {
  const int distance = 1 << step;
  if (rank % (2 * distance) != distance) return std::nullopt;
  return whole_to(rank - distance, size);
}

MaybeSend pairwise_all_to_all(Size size, int step, int rank) {
  const int to = (rank + step + 1) % size.ranks;
  return block_to(to, size, to);
}

MaybeSend shift(Size size, int by, int rank) { return whole_to(wrapped(rank + by, size.ranks), size); }

}  // namespace assay::schedule

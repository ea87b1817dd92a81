// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Rings: every rank sends to the next and receives from the one before, a block at a time. Bandwidth-optimal,
// with a latency that grows with n (Patarasuk and Yuan 2009).
#include "collectives/algorithms/schedules.hpp"

namespace assay::collectives {
namespace {

/// A rank's place in the ring, and its blocks as ranges.
struct Ring {
  Ring(const Problem& problem, int rank)
      : blocks(problem.blocks()),
        n(problem.ranks),
        next(wrapped(rank + 1, n)),
        previous(wrapped(rank - 1, n)) {}

  std::int64_t size(int block) const { return blocks.size(wrapped(block, n)); }
  Range in(Buffer buffer, int block) const {
    const int wrapped_block = wrapped(block, n);
    return {buffer, blocks.first(wrapped_block), blocks.size(wrapped_block)};
  }
  /// n - 1 steps over the output: `first` is the block sent first, and the one before it follows.
  void pass(Schedule& schedule, int first, bool reduce) const {
    for (int step = 0; step + 1 < n; ++step)
      schedule.steps.push_back({.sends = {{next, in(Buffer::output, first - step)}},
                                .receives = {{previous, in(Buffer::output, first - step - 1), reduce}}});
  }

  Blocks blocks;
  int n, next, previous;
};

}  // namespace

Schedule ring_all_reduce(const Problem& problem, int rank) {
  const Ring ring(problem, rank);
  Schedule schedule{.steps = {copy(input(0, problem.count), output(0, problem.count))}};
  ring.pass(schedule, rank, true);  // ends with block rank + 1 reduced here
  ring.pass(schedule, rank + 1, false);
  return schedule;
}

Schedule ring_all_gather(const Problem& problem, int rank) {
  const Ring ring(problem, rank);
  const Range own = ring.in(Buffer::output, rank);
  Schedule schedule{.steps = {copy(input(0, own.count), own)}};
  ring.pass(schedule, rank, false);
  return schedule;
}

// What travels is the partial sum of one block. It is in one of two scratch slots, so that the input
// stays as it is; only the rank's own block is reduced in the output.
Schedule ring_reduce_scatter(const Problem& problem, int rank) {
  const Ring ring(problem, rank);
  const std::int64_t slot = ring.blocks.size(0);  // the largest
  const Range own = ring.in(Buffer::input, rank);
  Schedule schedule{.scratch = ring.n > 2 ? 2 * slot : 0};
  Range travelling = ring.in(Buffer::input, rank - 1);
  for (int step = 0; step + 2 < ring.n; ++step) {
    const int block = rank - step - 2;
    const Range arriving = scratch((step % 2) * slot, ring.size(block));
    schedule.steps.push_back({.sends = {{ring.next, travelling}},
                              .receives = {{ring.previous, arriving}},
                              .then = {{ring.in(Buffer::input, block), arriving, true}}});
    travelling = arriving;
  }
  schedule.steps.push_back(copy(own, output(0, own.count)));
  if (ring.n > 1)
    schedule.steps.push_back(
        {.sends = {{ring.next, travelling}}, .receives = {{ring.previous, output(0, own.count), true}}});
  return schedule;
}

Schedule ring_shift(const Problem& problem, int rank) {
  const Ring ring(problem, rank);
  const Range whole = input(0, problem.count);
  if (ring.n == 1) return {.steps = {copy(whole, output(0, problem.count))}};
  const Range out = output(0, problem.count);
  if (!problem.in_place)
    return {.steps = {{.sends = {{ring.next, whole}}, .receives = {{ring.previous, out}}}}};
  const Range aside = scratch(0, problem.count);
  return {.scratch = problem.count,
          .steps = {copy(whole, aside), {.sends = {{ring.next, aside}}, .receives = {{ring.previous, out}}}}};
}

// All blocks but the one that is complete at the next rank already, each once a pass.
Sent ring_all_reduce_sent(const Problem& problem, int rank) {
  const Ring ring(problem, rank);
  return {std::int64_t{2} * (ring.n - 1), 2 * problem.count - ring.size(rank + 1) - ring.size(rank + 2)};
}

Sent ring_all_gather_sent(const Problem& problem, int rank) {
  const Ring ring(problem, rank);
  return {ring.n - 1, problem.count - ring.size(rank + 1)};
}

Sent ring_reduce_scatter_sent(const Problem& problem, int rank) {
  const Ring ring(problem, rank);
  return {ring.n - 1, problem.count - ring.size(rank)};
}

Sent ring_shift_sent(const Problem& problem, int) {
  return problem.ranks == 1 ? Sent{} : Sent{1, problem.count};
}

}  // namespace assay::collectives

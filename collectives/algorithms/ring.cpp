// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Rings: every rank sends to the next and receives from the one before, a block at a time. Bandwidth-optimal,
// with a latency that grows with n (Patarasuk and Yuan 2009).
#include "collectives/algorithms/schedules.hpp"
#include "harness/schedule/sends.hpp"

namespace assay::collectives {
namespace {

/// A rank's place in the ring, and its blocks as ranges.
struct Ring {
  Ring(const Problem& problem, int at)
      : blocks(problem.blocks()),
        n(problem.ranks),
        rank(at),
        next(wrapped(rank + 1, n)),
        previous(wrapped(rank - 1, n)) {}

  std::int64_t size(int block) const { return blocks.size(wrapped(block, n)); }
  Range in(Buffer buffer, int block) const {
    const int wrapped_block = wrapped(block, n);
    return {buffer, blocks.first(wrapped_block), blocks.size(wrapped_block)};
  }
  /// The elements that a rank sends in a step and the next rank receives.
  Range sent(schedule::MaybeSend (*declared)(schedule::Size, int, int), int step, int by) const {
    const schedule::Send send = declared({n, blocks.count}, step, by).value();
    return output(send.first, send.count);
  }

  Blocks blocks;
  int n, rank, next, previous;
};

}  // namespace

Schedule ring_all_reduce(const Problem& problem, int rank) {
  const Ring ring(problem, rank);
  Schedule made{.steps = {copy(input(0, problem.count), output(0, problem.count))}};
  for (int step = 0; step < schedule::ring_all_reduce_steps(ring.n); ++step)
    made.steps.push_back(
        {.sends = {{ring.next, ring.sent(schedule::ring_all_reduce, step, rank)}},
         .receives = {{ring.previous, ring.sent(schedule::ring_all_reduce, step, ring.previous),
                       step < schedule::ring_steps(ring.n)}}});
  return made;
}

Schedule ring_all_gather(const Problem& problem, int rank) {
  const Ring ring(problem, rank);
  const Range own = ring.in(Buffer::output, rank);
  Schedule made{.steps = {copy(input(0, own.count), own)}};
  for (int step = 0; step < schedule::ring_steps(ring.n); ++step)
    made.steps.push_back(
        {.sends = {{ring.next, ring.sent(schedule::ring_all_gather, step, rank)}},
         .receives = {{ring.previous, ring.sent(schedule::ring_all_gather, step, ring.previous)}}});
  return made;
}

// The partial sum of one block travels. It is in one of two scratch slots, so that the input stays as it is;
// only the rank's own block is reduced in the output.
Schedule ring_reduce_scatter(const Problem& problem, int rank) {
  const Ring ring(problem, rank);
  const std::int64_t slot = ring.blocks.size(0);  // the largest
  const Range own = ring.in(Buffer::input, rank);
  Schedule made{.scratch = ring.n > 2 ? 2 * slot : 0};
  Range travelling = ring.in(Buffer::input, rank - 1);
  for (int step = 0; step + 1 < schedule::ring_steps(ring.n); ++step) {
    const Range block = ring.sent(schedule::ring_reduce_scatter, step, ring.previous);
    const Range arriving = scratch((step % 2) * slot, block.count);
    made.steps.push_back({.sends = {{ring.next, travelling}},
                          .receives = {{ring.previous, arriving}},
                          .then = {{input(block.first, block.count), arriving, true}}});
    travelling = arriving;
  }
  made.steps.push_back(copy(own, output(0, own.count)));
  if (ring.n > 1)
    made.steps.push_back(
        {.sends = {{ring.next, travelling}}, .receives = {{ring.previous, output(0, own.count), true}}});
  return made;
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

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Bruck's algorithms (Bruck et al. 1997): ceil(log2 n) steps for any n, at the price of blocks that travel
// more than once (all-to-all) and of a rotation at the end; and the barrier that is the same without data
// (Hensgen, Finkel and Manber 1988).
#include <algorithm>
#include <utility>

#include "collectives/algorithms/all_to_all.hpp"
#include "collectives/algorithms/schedules.hpp"

namespace assay::collectives {
namespace {

/// Elements of `many` blocks from block `first` on, past the last one and on from 0.
std::int64_t elements_in(const Blocks& blocks, int first, int many) {
  std::int64_t sum = 0;
  for (int i = 0; i < many; ++i) sum += blocks.size((first + i) % blocks.parts);
  return sum;
}

/// The block for the rank `distance` on travels by the set bits of its distance, lowest first. Before the
/// step of `bit`, rank r holds the one that began at r - (the bits below).
struct Traveller {
  int origin, target;
};
Traveller traveller(int rank, int distance, int bit, int ranks) {
  const int origin = wrapped(rank - (distance & (bit - 1)), ranks);
  return {origin, (origin + distance) % ranks};
}

}  // namespace

// Scratch holds the blocks rank, rank + 1, ... one after the other: what is known is always its beginning.
Schedule bruck_all_gather(const Problem& problem, int rank) {
  const Blocks blocks = problem.blocks();
  const int n = problem.ranks;
  Schedule schedule{.scratch = problem.count,
                    .steps = {copy(input(0, blocks.size(rank)), scratch(0, blocks.size(rank)))}};
  for (int known = 1; known < n; known *= 2) {
    const int many = std::min(known, n - known);
    const int from = (rank + known) % n;
    schedule.steps.push_back(
        {.sends = {{wrapped(rank - known, n), scratch(0, elements_in(blocks, rank, many))}},
         .receives = {{from, scratch(elements_in(blocks, rank, known), elements_in(blocks, from, many))}}});
  }
  const std::int64_t from_rank_on = problem.count - blocks.first(rank);
  schedule.steps.push_back(
      {.then = {{scratch(0, from_rank_on), output(blocks.first(rank), from_rank_on)},
                {scratch(from_rank_on, blocks.first(rank)), output(0, blocks.first(rank))}}});
  return schedule;
}

// Blocks lie where they arrived; those that travel further are packed together before each step.
Schedule bruck_all_to_all(const Problem& problem, int rank) {
  const AllToAllBlocks blocks(problem, rank);
  const int n = problem.ranks;
  Schedule schedule = blocks.begin();
  std::vector<Range> at;  // of the block that goes `distance` on, by distance
  for (int distance = 0; distance < n; ++distance) at.push_back(blocks.to((rank + distance) % n));
  std::int64_t used = blocks.aside();
  for (int bit = 1; bit < n; bit *= 2) {
    Step pack;
    const std::int64_t packed = used;
    for (int distance = bit; distance < n; ++distance)
      if ((distance & bit) != 0) {
        Range& block = at[static_cast<std::size_t>(distance)];
        pack.then.push_back({block, scratch(used, block.count)});
        used += block.count;
      }
    const std::int64_t arrived = used;
    for (int distance = bit; distance < n; ++distance)
      if ((distance & bit) != 0) {
        const Traveller next = traveller(wrapped(rank - bit, n), distance, bit, n);
        const std::int64_t count = problem.between(next.origin, next.target);
        at[static_cast<std::size_t>(distance)] = scratch(used, count);
        used += count;
      }
    schedule.steps.push_back(std::move(pack));
    schedule.steps.push_back({.sends = {{(rank + bit) % n, scratch(packed, arrived - packed)}},
                              .receives = {{wrapped(rank - bit, n), scratch(arrived, used - arrived)}}});
  }
  Step unpack;
  for (int distance = 1; distance < n; ++distance)
    unpack.then.push_back({at[static_cast<std::size_t>(distance)], blocks.from(wrapped(rank - distance, n))});
  schedule.steps.push_back(std::move(unpack));
  schedule.scratch = used;
  return schedule;
}

Schedule dissemination_barrier(const Problem& problem, int rank) {
  const int n = problem.ranks;
  Schedule schedule;
  for (int distance = 1; distance < n; distance *= 2)
    schedule.steps.push_back({.sends = {{(rank + distance) % n, scratch(0, 0)}},
                              .receives = {{wrapped(rank - distance, n), scratch(0, 0)}}});
  return schedule;
}

Sent bruck_all_gather_sent(const Problem& problem, int rank) {
  Sent sent;
  for (int known = 1; known < problem.ranks; known *= 2)
    sent += {1, elements_in(problem.blocks(), rank, std::min(known, problem.ranks - known))};
  return sent;
}

Sent bruck_all_to_all_sent(const Problem& problem, int rank) {
  Sent sent{log2_ceiling(problem.ranks), 0};
  for (int distance = 1; distance < problem.ranks; ++distance)
    for (int bit = 1; bit <= distance; bit *= 2)
      if ((distance & bit) != 0) {
        const Traveller here = traveller(rank, distance, bit, problem.ranks);
        sent.elements += problem.between(here.origin, here.target);
      }
  return sent;
}

Sent dissemination_barrier_sent(const Problem& problem, int) { return {log2_ceiling(problem.ranks), 0}; }

}  // namespace assay::collectives

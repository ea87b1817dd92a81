// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/algorithms/double_tree.hpp"

#include <array>
#include <utility>

namespace assay::collectives {
namespace {

constexpr std::array both{BinaryTree::Which::first, BinaryTree::Which::second};

/// One tree with the half of the data that goes over it. Time runs in global steps: what a rank sends in one,
/// its peer receives in the same.
struct Half {
  Half(const Problem& problem, int places, int half)
      : tree(places, both[static_cast<std::size_t>(half)]),
        data{problem.count, 2},
        base(data.first(half)),
        chunks{data.size(half), chunks_of(problem.count)} {}

  Range chunk(int number) const { return output(base + chunks.first(number), chunks.size(number)); }
  /// The chunk of a global step for work that begins with chunk 0 at step `from`; -1: none.
  int chunk_at(int step, int from) const {
    return step >= from && step < from + chunks.parts ? step - from : -1;
  }

  BinaryTree tree;
  Blocks data;
  std::int64_t base;
  Blocks chunks;
};

/// A broadcast's trees span all ranks but the root, which feeds both.
struct BroadcastPlaces {
  int ranks, root;
  int place_of(int rank) const { return wrapped(rank - root, ranks) - 1; }
  int rank_of(int place) const { return (root + 1 + place) % ranks; }
};

void add(Schedule& schedule, Step step) {
  if (!step.sends.empty() || !step.receives.empty()) schedule.steps.push_back(std::move(step));
}

void broadcast_step(Step& step, const Half& half, const BroadcastPlaces& places, int rank, int time) {
  if (rank == places.root) {
    if (const int chunk = half.chunk_at(time, 0); chunk >= 0)
      step.sends.push_back({places.rank_of(half.tree.root()), half.chunk(chunk)});
    return;
  }
  const int place = places.place_of(rank), depth = half.tree.depth(place), parent = half.tree.parent(place);
  if (const int chunk = half.chunk_at(time, depth); chunk >= 0)
    step.receives.push_back({parent < 0 ? places.root : places.rank_of(parent), half.chunk(chunk)});
  if (const int chunk = half.chunk_at(time, depth + 1); chunk >= 0)
    for (const int child : half.tree.children(place))
      step.sends.push_back({places.rank_of(child), half.chunk(chunk)});
}

/// Up: a place at depth d sends its chunk 0 at step height - d; down: at step height + d.
void all_reduce_step(Step& step, const Half& half, int rank, int time) {
  const int height = half.tree.height(), depth = half.tree.depth(rank), parent = half.tree.parent(rank);
  if (const int chunk = half.chunk_at(time, height - depth); chunk >= 0 && parent >= 0)
    step.sends.push_back({parent, half.chunk(chunk)});
  if (const int chunk = half.chunk_at(time, height - depth - 1); chunk >= 0)
    for (const int child : half.tree.children(rank))
      step.receives.push_back({child, half.chunk(chunk), true});
  if (const int chunk = half.chunk_at(time, height + depth - 1); chunk >= 0 && parent >= 0)
    step.receives.push_back({parent, half.chunk(chunk)});
  if (const int chunk = half.chunk_at(time, height + depth); chunk >= 0)
    for (const int child : half.tree.children(rank)) step.sends.push_back({child, half.chunk(chunk)});
}

}  // namespace

Schedule double_tree_broadcast(const Problem& problem, int rank) {
  Schedule schedule;
  if (rank == problem.root) schedule.steps.push_back(copy(input(0, problem.count), output(0, problem.count)));
  if (problem.ranks == 1) return schedule;
  const BroadcastPlaces places{problem.ranks, problem.root};
  const Half first(problem, problem.ranks - 1, 0), second(problem, problem.ranks - 1, 1);
  const int steps = first.tree.height() + first.chunks.parts;
  for (int time = 0; time < steps; ++time) {
    Step step;
    broadcast_step(step, first, places, rank, time);
    broadcast_step(step, second, places, rank, time);
    add(schedule, std::move(step));
  }
  return schedule;
}

Schedule double_tree_all_reduce(const Problem& problem, int rank) {
  Schedule schedule{.steps = {copy(input(0, problem.count), output(0, problem.count))}};
  if (problem.ranks == 1) return schedule;
  const Half first(problem, problem.ranks, 0), second(problem, problem.ranks, 1);
  const int steps = 2 * first.tree.height() + first.chunks.parts - 1;
  for (int time = 0; time < steps; ++time) {
    Step step;
    all_reduce_step(step, first, rank, time);
    all_reduce_step(step, second, rank, time);
    add(schedule, std::move(step));
  }
  return schedule;
}

// Each half once to every child, and (all-reduce) once up.
Sent double_tree_broadcast_sent(const Problem& problem, int rank) {
  Sent sent;
  if (problem.ranks == 1) return sent;
  for (int number = 0; number < 2; ++number) {
    const Half half(problem, problem.ranks - 1, number);
    const BroadcastPlaces places{problem.ranks, problem.root};
    const std::size_t receivers = rank == problem.root ? 1 : half.tree.children(places.place_of(rank)).size();
    const auto times = static_cast<std::int64_t>(receivers);
    sent += {times * half.chunks.parts, times * half.chunks.count};
  }
  return sent;
}

Sent double_tree_all_reduce_sent(const Problem& problem, int rank) {
  Sent sent;
  if (problem.ranks == 1) return sent;
  for (int number = 0; number < 2; ++number) {
    const Half half(problem, problem.ranks, number);
    const auto times =
        static_cast<std::int64_t>(half.tree.children(rank).size()) + (half.tree.parent(rank) >= 0 ? 1 : 0);
    sent += {times * half.chunks.parts, times * half.chunks.count};
  }
  return sent;
}

}  // namespace assay::collectives

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/phases.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <random>
#include <utility>

#include "harness/schedule/binary_tree.hpp"
#include "model/fabric/refuse.hpp"

namespace assay::model::fabric {

namespace {

std::uint64_t largest_block(PatternSize size, int parts) {
  return static_cast<std::uint64_t>(schedule::Blocks{static_cast<std::int64_t>(size.bytes), parts}.size(0));
}

/// `size.ranks` - 1 steps of a ring within each node.
Phase node_ring(std::string name, PatternSize size, int per_node) {
  const std::uint64_t block = largest_block(size, per_node);
  return {.name = std::move(name),
          .in_node = true,
          .repeats = static_cast<double>(per_node - 1),
          .sends = [=](int rank, const Emit& emit) {
            emit(rank / per_node * per_node + (rank % per_node + 1) % per_node, block);
          }};
}

}  // namespace

std::vector<Phase> phases_of(const Pattern& pattern, PatternSize size) {
  const bool ring = pattern.name.starts_with("ring_"),
             mirrors = pattern.name.starts_with("halving_doubling_");
  const int steps = pattern.steps(size.ranks);
  std::vector<Phase> phases;
  for (int step = 0; step < (ring ? std::min(1, steps) : steps); ++step) {
    phases.push_back({.name = ring ? "every step" : "step " + std::to_string(step),
                      .repeats = ring ? static_cast<double>(steps) : 1,
                      .sends = [&pattern, size, step, ring](int rank, const Emit& emit) {
                        if (const auto sent = pattern.send(size, step, rank))
                          emit(sent->to, ring ? largest_block(size, size.ranks) : sent->bytes);
                      }});
    const int mirrored = steps - 1 - step;
    if (mirrors && mirrored < step) phases.back().alike = static_cast<std::size_t>(mirrored);
  }
  return phases;
}

std::vector<Phase> double_tree_all_reduce(PatternSize size) {
  if (size.ranks < 2) return {};
  using schedule::BinaryTree;
  const auto edges = [size](bool up) {
    return [size, up](int rank, const Emit& emit) {
      const schedule::Blocks halves{static_cast<std::int64_t>(size.bytes), 2};
      for (const auto which : {BinaryTree::Which::first, BinaryTree::Which::second}) {
        const BinaryTree tree(size.ranks, which);
        const auto bytes = static_cast<std::uint64_t>(halves.size(which == BinaryTree::Which::first ? 0 : 1));
        if (up && tree.parent(rank) >= 0) emit(tree.parent(rank), bytes);
        if (!up)
          for (const int child : tree.children(rank)) emit(child, bytes);
      }
    };
  };
  const int height = schedule::log2_floor(size.ranks);
  return {{.name = "up both trees", .latency_steps = height, .sends = edges(true)},
          {.name = "down both trees", .latency_steps = height, .sends = edges(false)}};
}

std::vector<Phase> hierarchical_all_reduce(PatternSize size, int per_node, const Pattern& across) {
  if (per_node < 1 || size.ranks % per_node != 0)
    refuse("nodes of " + std::to_string(per_node) + " ranks do not divide " + std::to_string(size.ranks) +
           " ranks");
  std::vector<Phase> phases;
  if (per_node > 1) phases.push_back(node_ring("reduce-scatter in nodes", size, per_node));
  const std::size_t first_across = phases.size();
  const PatternSize rail{size.ranks / per_node, largest_block(size, per_node)};
  for (Phase& phase : phases_of(across, rail)) {
    phase.name += " across nodes";
    if (phase.alike) *phase.alike += first_across;
    phase.sends = [per_node, of_rail = std::move(phase.sends)](int rank, const Emit& emit) {
      of_rail(rank / per_node,
              [&](int to, std::uint64_t bytes) { emit(to * per_node + rank % per_node, bytes); });
    };
    phases.push_back(std::move(phase));
  }
  if (per_node > 1) phases.push_back(node_ring("all-gather in nodes", size, per_node));
  return phases;
}

BlockBytes equal_blocks(PatternSize size) {
  const schedule::Blocks blocks{static_cast<std::int64_t>(size.bytes), size.ranks};
  return [blocks](int, int to) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(1, blocks.size(to)));
  };
}

std::vector<Shift> all_shifts(int ranks) {
  std::vector<Shift> shifts;
  for (int distance = 1; distance < ranks; ++distance) shifts.push_back({distance});
  return shifts;
}

std::vector<Phase> all_to_all_at_once(int ranks, const BlockBytes& bytes) {
  return {{.name = "at once", .sends = [ranks, bytes](int rank, const Emit& emit) {
             for (int to = 0; to < ranks; ++to)
               if (const std::uint64_t amount = to == rank ? 0 : bytes(rank, to); amount > 0)
                 emit(to, amount);
           }}};
}

std::vector<Phase> all_to_all_in_shifts(int ranks, const BlockBytes& bytes,
                                        const std::vector<Shift>& shifts) {
  const auto shared = std::make_shared<const BlockBytes>(bytes);
  std::vector<Phase> phases;
  for (const Shift& one : shifts)
    phases.push_back({.name = "shift by " + std::to_string(one.distance),
                      .repeats = one.repeats,
                      .sends = [ranks, shared, distance = one.distance](int rank, const Emit& emit) {
                        const int to = (rank + distance) % ranks;
                        if (const std::uint64_t amount = (*shared)(rank, to); amount > 0) emit(to, amount);
                      }});
  return phases;
}

std::vector<Phase> incast(PatternSize size, int receiver) {
  if (receiver < 0 || receiver >= size.ranks)
    refuse("the receiver of an incast of " + std::to_string(size.ranks) + " ranks must be one of them, got " +
           std::to_string(receiver));
  return {{.name = "incast", .sends = [=](int rank, const Emit& emit) {
             if (rank != receiver) emit(receiver, size.bytes);
           }}};
}

std::vector<Phase> shift(PatternSize size, int by) {
  if (by % size.ranks == 0)
    refuse("a shift by " + std::to_string(by) + " moves nothing among " + std::to_string(size.ranks) +
           " ranks");
  return {{.name = "shift", .sends = [=](int rank, const Emit& emit) {
             emit(schedule::wrapped(rank + by % size.ranks, size.ranks), size.bytes);
           }}};
}

std::vector<Phase> pipeline(PatternSize size) {
  return {{.name = "pipeline", .sends = [=](int rank, const Emit& emit) {
             if (rank + 1 < size.ranks) emit(rank + 1, size.bytes);
           }}};
}

std::vector<Phase> permutation(PatternSize size, std::uint64_t seed) {
  if (size.ranks < 2) refuse("a permutation needs at least 2 ranks, got " + std::to_string(size.ranks));
  std::vector<int> cycle(static_cast<std::size_t>(size.ranks));
  std::iota(cycle.begin(), cycle.end(), 0);
  // One cycle through all, so that none sends to itself.
  std::mt19937_64 random(seed);
  for (std::size_t at = cycle.size() - 1; at > 0; --at) std::swap(cycle[at], cycle[random() % (at + 1)]);
  std::vector<int> to(cycle.size());
  for (std::size_t at = 0; at < cycle.size(); ++at)
    to[static_cast<std::size_t>(cycle[at])] = cycle[(at + 1) % cycle.size()];
  return {{.name = "permutation", .sends = [to, size](int rank, const Emit& emit) {
             emit(to[static_cast<std::size_t>(rank)], size.bytes);
           }}};
}

double time_without_contention_us(const std::vector<Phase>& phases, int ranks, TierSpeed fabric,
                                  TierSpeed in_node) {
  double time_us = 0;
  for (const Phase& phase : phases) {
    std::vector<std::uint64_t> sent(static_cast<std::size_t>(ranks)), received = sent;
    for (int rank = 0; rank < ranks; ++rank)
      phase.sends(rank, [&](int to, std::uint64_t bytes) {
        sent[static_cast<std::size_t>(rank)] += bytes;
        received[static_cast<std::size_t>(to)] += bytes;
      });
    const std::uint64_t most = std::max(std::ranges::max(sent), std::ranges::max(received));
    const TierSpeed& speed = phase.in_node ? in_node : fabric;
    time_us += phase.repeats *
               (phase.latency_steps * speed.step_us + static_cast<double>(most) / speed.bytes_per_us);
  }
  return time_us;
}

}  // namespace assay::model::fabric

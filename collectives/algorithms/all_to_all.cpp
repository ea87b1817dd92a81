// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/algorithms/all_to_all.hpp"

namespace assay::collectives {
namespace {

Range between(const std::vector<std::int64_t>& edges, Buffer buffer, int block) {
  const auto at = static_cast<std::size_t>(block);
  return {buffer, edges[at], edges[at + 1] - edges[at]};
}

}  // namespace

AllToAllBlocks::AllToAllBlocks(const Problem& problem, int rank) : rank_(rank) {
  for (int peer = 0; peer < problem.ranks; ++peer) {
    input_edges_.push_back(input_edges_.back() + problem.between(rank, peer));
    output_edges_.push_back(output_edges_.back() + problem.between(peer, rank));
  }
  aside_ = problem.in_place ? input_edges_.back() : 0;
}

Range AllToAllBlocks::to(int peer) const {
  return between(input_edges_, aside_ > 0 ? Buffer::scratch : Buffer::input, peer);
}

Range AllToAllBlocks::from(int peer) const { return between(output_edges_, Buffer::output, peer); }

Schedule AllToAllBlocks::begin() const {
  Schedule schedule{.scratch = aside_};
  if (aside_ > 0) schedule.steps.push_back(copy(input(0, aside_), scratch(0, aside_)));
  schedule.steps.push_back(copy(to(rank_), from(rank_)));
  return schedule;
}

// Each rank begins with its neighbour, so that not all send to the same rank first.
Schedule direct_all_to_all(const Problem& problem, int rank) {
  const AllToAllBlocks blocks(problem, rank);
  Schedule schedule = blocks.begin();
  Step all;
  for (int distance = 1; distance < problem.ranks; ++distance) {
    const int to = (rank + distance) % problem.ranks, from = wrapped(rank - distance, problem.ranks);
    all.sends.push_back({to, blocks.to(to)});
    all.receives.push_back({from, blocks.from(from)});
  }
  schedule.steps.push_back(std::move(all));
  return schedule;
}

Schedule pairwise_all_to_all(const Problem& problem, int rank) {
  const AllToAllBlocks blocks(problem, rank);
  Schedule schedule = blocks.begin();
  for (int distance = 1; distance < problem.ranks; ++distance) {
    const int to = (rank + distance) % problem.ranks, from = wrapped(rank - distance, problem.ranks);
    schedule.steps.push_back({.sends = {{to, blocks.to(to)}}, .receives = {{from, blocks.from(from)}}});
  }
  return schedule;
}

Sent all_to_all_sent(const Problem& problem, int rank) {
  Sent sent;
  for (int peer = 0; peer < problem.ranks; ++peer)
    if (peer != rank) sent += {1, problem.between(rank, peer)};
  return sent;
}

}  // namespace assay::collectives

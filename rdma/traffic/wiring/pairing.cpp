// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/traffic/wiring/pairing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "harness/core/error.hpp"

namespace assay::rdma {
namespace {

/// Ranks of a node in order of their rails.
using Node = std::vector<int>;

std::vector<Node> nodes_of(std::span<const Seat> ranks) {
  std::vector<Node> nodes;
  std::map<std::string, std::size_t> known;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    const auto [at, fresh] = known.try_emplace(ranks[rank].node, nodes.size());
    if (fresh) nodes.emplace_back();
    nodes[at->second].push_back(static_cast<int>(rank));
  }
  const auto rail_of = [&](int rank) { return ranks[static_cast<std::size_t>(rank)].rail; };
  for (Node& node : nodes) std::ranges::stable_sort(node, {}, rail_of);
  return nodes;
}

bool are_on_one_rail(std::span<const Seat> ranks, int one, int other) {
  return ranks[static_cast<std::size_t>(one)].rail == ranks[static_cast<std::size_t>(other)].rail;
}

Pair in_order(int one, int other) { return {std::min(one, other), std::max(one, other)}; }

/// The n-th rank on a rail of one node with the n-th on that rail of the other.
void pair_same_rails(std::span<const Seat> ranks, const Node& one, Node other, std::vector<Pair>& pairs) {
  for (const int rank : one) {
    const auto peer =
        std::ranges::find_if(other, [&](int candidate) { return are_on_one_rail(ranks, rank, candidate); });
    if (peer == other.end()) continue;
    pairs.push_back(in_order(rank, *peer));
    other.erase(peer);
  }
}

void pair_shifted(std::span<const Seat> ranks, const Node& one, const Node& other, std::size_t shift,
                  std::vector<Pair>& pairs) {
  const std::size_t seats = std::max(one.size(), other.size());
  for (std::size_t at = 0; at < one.size(); ++at) {
    const std::size_t peer = (at + shift) % seats;
    if (peer < other.size() && !are_on_one_rail(ranks, one[at], other[peer]))
      pairs.push_back(in_order(one[at], other[peer]));
  }
}

void between_nodes(std::span<const Seat> ranks, const std::vector<Node>& nodes, Rails rails, Rounds& rounds) {
  std::size_t most = 0;
  for (const Node& node : nodes) most = std::max(most, node.size());
  const std::size_t shifts = rails == Rails::same ? 1 : most;
  for (const std::vector<Pair>& meetings : tournament(static_cast<int>(nodes.size())))
    for (std::size_t shift = 0; shift < shifts; ++shift) {
      std::vector<Pair>& pairs = rounds.emplace_back();
      for (const auto& [one, other] : meetings) {
        const Node &left = nodes[static_cast<std::size_t>(one)],
                   &right = nodes[static_cast<std::size_t>(other)];
        if (rails == Rails::same)
          pair_same_rails(ranks, left, right, pairs);
        else
          pair_shifted(ranks, left, right, shift, pairs);
      }
    }
}

void within_nodes(std::span<const Seat> ranks, const std::vector<Node>& nodes, Rails rails, Rounds& rounds) {
  const std::size_t first = rounds.size();
  for (const Node& node : nodes) {
    std::size_t at = first;
    for (const std::vector<Pair>& meetings : tournament(static_cast<int>(node.size()))) {
      if (rounds.size() == at) rounds.emplace_back();
      for (const auto& [one, other] : meetings) {
        const int left = node[static_cast<std::size_t>(one)], right = node[static_cast<std::size_t>(other)];
        if (are_on_one_rail(ranks, left, right) == (rails == Rails::same))
          rounds[at].push_back(in_order(left, right));
      }
      ++at;
    }
  }
}

[[noreturn]] void refuse(const std::string& why) { throw core::Unsupported(core::ErrorKind::team, why); }

}  // namespace

Rounds pair_up(std::span<const Seat> ranks, const Pairing& pairing) {
  const std::vector<Node> nodes = nodes_of(ranks);
  Rounds rounds;
  between_nodes(ranks, nodes, pairing.rails, rounds);
  if (pairing.within_node) within_nodes(ranks, nodes, pairing.rails, rounds);
  std::erase_if(rounds, [](const std::vector<Pair>& pairs) { return pairs.empty(); });
  for (std::vector<Pair>& pairs : rounds) std::ranges::sort(pairs);
  return rounds;
}

Rounds rounds_of(std::span<const Seat> ranks, const Pairing& pairing) {
  Rounds rounds = pair_up(ranks, pairing);
  const bool one_node = nodes_of(ranks).size() == 1;
  if (rounds.empty() && one_node && !pairing.within_node)
    refuse("all ranks are on one node (within_node=yes pairs its ranks)");
  if (rounds.empty())
    refuse(pairing.rails == Rails::same
               ? "no two ranks are on the same rail (rails=cross pairs the others)"
               : "no two ranks are on different rails (rails=same pairs the others)");
  if (pairing.round == all_rounds) return rounds;
  if (static_cast<std::size_t>(pairing.round) > rounds.size())
    refuse(fmt::format("round={}: there are {}", pairing.round, rounds.size()));
  return {rounds[static_cast<std::size_t>(pairing.round - 1)]};
}

std::vector<Pair> ports_of(std::span<const Seat> ranks, const Pairing& pairing, std::size_t ports) {
  const auto node_of = [&](int rank) { return ranks[static_cast<std::size_t>(rank)].node; };
  const Pair first = first_pair(ranks, pairing);
  std::vector<Pair> found;
  for (const std::vector<Pair>& round : rounds_of(ranks, pairing))
    for (const auto& [one, other] : round)
      if (found.size() < ports && node_of(one) == node_of(first.first) &&
          node_of(other) == node_of(first.second))
        found.emplace_back(one, other);
  if (found.size() < ports)
    refuse(fmt::format(
        "ports={}: between the nodes of ranks {} and {} are {} pairs of ranks; each port needs one", ports,
        first.first, first.second, found.size()));
  return found;
}

Pair first_pair(std::span<const Seat> ranks, const Pairing& pairing) {
  std::optional<Pair> first;
  for (const std::vector<Pair>& pairs : rounds_of(ranks, pairing))
    if (!pairs.empty() && pairs.front().first == 0)
      first = std::min(first.value_or(pairs.front()), pairs.front());
  if (!first) refuse("rank 0 has no peer among the pairs of ranks");
  return *first;
}

}  // namespace assay::rdma

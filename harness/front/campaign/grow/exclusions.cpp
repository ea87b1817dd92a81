// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/campaign/grow/exclusions.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>

namespace assay::campaign {
namespace {

constexpr std::size_t most_exact = 10;

std::set<NodePair> without(const std::set<NodePair>& pairs, int node) {
  std::set<NodePair> rest = pairs;
  std::erase_if(rest, [node](const NodePair& pair) { return pair.first == node || pair.second == node; });
  return rest;
}

int busiest(const std::set<NodePair>& pairs) {
  std::map<int, int> count;
  for (const auto& [one, other] : pairs) {
    ++count[one];
    ++count[other];
  }
  return std::ranges::max_element(count, {}, [](const auto& one) { return one.second; })->first;
}

/// One end of each pair must go: of the busiest node, either itself or all that it is in a pair with.
std::optional<std::set<int>> cover(const std::set<NodePair>& pairs, std::size_t most) {
  if (pairs.empty()) return std::set<int>{};
  if (most == 0) return std::nullopt;
  const int node = busiest(pairs);
  const auto [one, other] = *std::ranges::find_if(
      pairs, [node](const NodePair& pair) { return pair.first == node || pair.second == node; });
  for (const int end : {node, one == node ? other : one})
    if (auto rest = cover(without(pairs, end), most - 1)) {
      rest->insert(end);
      return rest;
    }
  return std::nullopt;
}

}  // namespace

std::set<int> fewest_in_all_pairs(const std::set<NodePair>& pairs) {
  for (std::size_t most = 0; most <= most_exact; ++most)
    if (const auto found = cover(pairs, most)) return *found;
  std::set<int> nodes;
  for (std::set<NodePair> rest = pairs; !rest.empty();) {
    const int node = busiest(rest);
    nodes.insert(node);
    rest = without(rest, node);
  }
  return nodes;
}

}  // namespace assay::campaign

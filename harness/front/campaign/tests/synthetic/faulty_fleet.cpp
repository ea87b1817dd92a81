// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/campaign/tests/synthetic/faulty_fleet.hpp"

#include <algorithm>
#include <cstddef>

namespace assay::campaign {
namespace {

bool holds(const std::vector<int>& group, int node) { return std::ranges::binary_search(group, node); }

}  // namespace

FaultyFleet::FaultyFleet(const Planted& planted, std::uint64_t seed) : planted_(planted), random_(seed) {
  if (planted.first_is_bad && planted.bad_nodes > 0) bad_nodes_.insert(0);
  while (std::ssize(bad_nodes_) < planted.bad_nodes) bad_nodes_.insert(draw(planted.nodes));
  while (std::ssize(bad_pairs_) < planted.bad_pairs) {
    const int one = draw(planted.nodes), other = draw(planted.nodes);
    if (one != other && !bad_nodes_.contains(one) && !bad_nodes_.contains(other))
      bad_pairs_.insert(pair_of(one, other));
  }
}

int FaultyFleet::draw(int below) { return static_cast<int>(random_() % static_cast<std::uint64_t>(below)); }

bool FaultyFleet::shows() {
  constexpr double two_to_53 = 9007199254740992.0;
  return static_cast<double>(random_() >> 11U) < planted_.fails_in * two_to_53;
}

bool FaultyFleet::passes(const std::vector<int>& group) {
  ++tests_;
  bool passed = true;
  for (const int node : bad_nodes_)
    if (holds(group, node) && shows()) passed = false;
  for (const auto& [one, other] : bad_pairs_)
    if (holds(group, one) && holds(group, other) && shows()) passed = false;
  return passed;
}

bool FaultyFleet::is_sound(const std::vector<int>& set) const {
  return std::ranges::none_of(bad_nodes_, [&](int node) { return holds(set, node); }) &&
         std::ranges::none_of(bad_pairs_, [&](const NodePair& pair) {
           return holds(set, pair.first) && holds(set, pair.second);
         });
}

bool FaultyFleet::is_largest(const std::vector<int>& set) const {
  const std::size_t fewest = bad_nodes_.size() + fewest_in_all_pairs(bad_pairs_).size();
  return is_sound(set) && set.size() + fewest == static_cast<std::size_t>(planted_.nodes);
}

}  // namespace assay::campaign

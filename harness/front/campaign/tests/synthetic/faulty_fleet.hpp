// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A pretended fleet with planted bad nodes and bad pairs, each of which fails a share of the tests of groups
// that hold it.
#pragma once

#include <cstdint>
#include <random>
#include <set>
#include <vector>

#include "harness/front/campaign/grow/exclusions.hpp"
#include "harness/front/campaign/grow/sound_set.hpp"

namespace assay::campaign {

struct Planted {
  int nodes = 256;
  int bad_nodes = 0, bad_pairs = 0;  // a bad node is in no bad pair
  double fails_in = 1;
  bool first_is_bad = false;  // one of the bad nodes is node 0, which others take as their reference
};

class FaultyFleet {
 public:
  FaultyFleet(const Planted& planted, std::uint64_t seed);

  bool passes(const std::vector<int>& group);
  GroupTest test() {
    return [this](const std::vector<int>& group) { return passes(group); };
  }

  int tests() const { return tests_; }
  const std::set<int>& bad_nodes() const { return bad_nodes_; }
  const std::set<NodePair>& bad_pairs() const { return bad_pairs_; }
  bool is_sound(const std::vector<int>& set) const;
  /// Whether it is sound and no sound set is larger.
  bool is_largest(const std::vector<int>& set) const;

 private:
  int draw(int below);
  bool shows();

  Planted planted_;
  std::mt19937_64 random_;
  std::set<int> bad_nodes_;
  std::set<NodePair> bad_pairs_;
  int tests_ = 0;
};

}  // namespace assay::campaign

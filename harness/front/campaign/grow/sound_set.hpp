// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Search for the largest set of nodes that pass together. It asks for tests of groups and knows nothing of
// how they run. Where a group fails, the shortest failing start of its list ends with a node of a defect; the
// shortest start that fails with this node ends with another; and sound partners show which of both is bad,
// or that only the pair is.
#pragma once

#include <functional>
#include <vector>

namespace assay::campaign {

/// A defect, a node or a pair, fails each test of a group that holds it with at least the probability
/// `fails_in`, independently of other tests. A sound group may fail now and then: nothing is excluded but
/// for a small group that failed by itself.
struct SoundSetRules {
  double fails_in = 0.5;  // 1: always
  double error = 0.01;    // largest probability that the set holds a defect
};

/// Passes in a row that prove a set: (1 - fails_in)^passes is at most `error`.
int passes_needed(const SoundSetRules& rules);

/// Whether the nodes, two or more in ascending order, pass together.
using GroupTest = std::function<bool(const std::vector<int>& nodes)>;

enum class Defect {
  node,         // fails with each of two partners that pass together
  pair,         // fails with one partner; both pass with others
  larger_group  // fails in a group, and in no pair of it
};

struct ExcludedNode {
  int node = 0;
  Defect why = Defect::node;
  std::vector<int> with = {};  // partners, or the group, with which it failed
};

struct SoundSet {
  bool proven = false;          // it passed as often as the rules demand
  std::vector<int> nodes = {};  // ascending; these and what they lack only where the set is proven
  std::vector<ExcludedNode> excluded = {};
  int tests = 0;
  int unlocated = 0;  // failures of which no smaller group was found that fails
};

/// The set of `nodes` nodes, 0 to nodes - 1.
SoundSet largest_sound_set(int nodes, const SoundSetRules& rules, const GroupTest& test);

}  // namespace assay::campaign

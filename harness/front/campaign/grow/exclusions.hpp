// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The fewest nodes without which no known bad pair is left.
#pragma once

#include <set>
#include <utility>

namespace assay::campaign {

using NodePair = std::pair<int, int>;  // the smaller first

inline NodePair pair_of(int one, int other) {
  return one < other ? NodePair{one, other} : NodePair{other, one};
}

/// A smallest vertex cover: exact where it has at most ten nodes, else of nodes with the most pairs first.
std::set<int> fewest_in_all_pairs(const std::set<NodePair>& pairs);

}  // namespace assay::campaign

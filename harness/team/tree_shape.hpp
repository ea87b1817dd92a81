// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The links between ranks of a team. A small team is a star around rank 0. A larger one is a tree in which
// each subtree holds consecutive ranks, so that what a subtree says can be put together in order of rank.
#pragma once

#include <vector>

namespace assay::team {

struct TreeShape {
  int star_up_to = 17;  // ranks
  /// The bytes at rank 0 are a multiple of this, whatever the size; a message passes log(size) ranks.
  int fan_out = 4;
};

/// Ranks `first` to `end` - 1.
struct RankRange {
  int first = 0, end = 0;
  bool holds(int rank) const { return rank >= first && rank < end; }
};

struct TreePlace {
  int rank = 0;
  int parent = -1;                  // -1: leads the team
  int size = 1;                     // of the team
  std::vector<RankRange> children;  // by rank; the first of each is linked to this rank
};

TreePlace place_in_tree(int rank, int size, const TreeShape& shape = {});

/// Links between rank 0 and the rank that is farthest away.
int height_of_tree(int size, const TreeShape& shape = {});

}  // namespace assay::team

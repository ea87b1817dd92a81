// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/tree_shape.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace assay::team {
namespace {

constexpr TreeShape pairs{.star_up_to = 1, .fan_out = 2};

TEST(TreeShape, ASmallTeamIsAStar) {
  const TreePlace leader = place_in_tree(0, 17);
  EXPECT_EQ(leader.parent, -1);
  EXPECT_EQ(leader.children.size(), 16u);
  EXPECT_EQ(place_in_tree(16, 17).parent, 0);
  EXPECT_TRUE(place_in_tree(16, 17).children.empty());
  EXPECT_EQ(height_of_tree(17), 1);
  EXPECT_EQ(height_of_tree(18), 2);
}

TEST(TreeShape, EveryRankHasOneParentThatKnowsIt) {
  for (const int size : {1, 2, 3, 5, 18, 100, 4097}) {
    for (int rank = 1; rank < size; ++rank) {
      const TreePlace place = place_in_tree(rank, size, pairs);
      const auto siblings = place_in_tree(place.parent, size, pairs).children;
      EXPECT_EQ(std::ranges::count(siblings, rank, &RankRange::first), 1) << rank << " of " << size;
    }
  }
}

TEST(TreeShape, ASubtreeHoldsTheRanksThatFollow) {
  for (int rank = 0; rank < 100; ++rank) {
    int next = rank + 1;
    for (const RankRange& child : place_in_tree(rank, 100).children) {
      EXPECT_EQ(child.first, next);
      EXPECT_GT(child.end, child.first);
      next = child.end;
    }
  }
}

TEST(TreeShape, TheHeightOfALargeTeamIsALogarithm) {
  EXPECT_EQ(height_of_tree(1), 0);
  EXPECT_EQ(height_of_tree(256), 4);
  EXPECT_EQ(height_of_tree(1024), 5);
  EXPECT_EQ(height_of_tree(4096), 6);
  EXPECT_LE(height_of_tree(24576), 8);
  EXPECT_EQ(place_in_tree(24575, 24576).children.size(), 0u);
}

}  // namespace
}  // namespace assay::team

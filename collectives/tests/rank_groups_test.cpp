// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/rank_groups.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/error.hpp"

namespace assay::collectives {
namespace {

using Groups = std::vector<RankGroup>;
using testing::HasSubstr;

const std::vector<int> nodes_of_two{0, 0, 1, 1, 2, 2};

std::string refusal_of_groups(const std::string& text) {
  try {
    rank_groups(text, 6, {});
  } catch (const core::Error& error) {
    EXPECT_EQ(error.kind(), core::ErrorKind::usage);
    return error.what();
  }
  return "accepted";
}

TEST(RankGroups, AreAllRanksTogether) { EXPECT_EQ(rank_groups("all", 3, {0, 1, 1}), (Groups{{0, 1, 2}})); }

TEST(RankGroups, AreNodesRailsAndPairsOfNodes) {
  EXPECT_EQ(rank_groups("nodes", 6, nodes_of_two), (Groups{{0, 1}, {2, 3}, {4, 5}}));
  EXPECT_EQ(rank_groups("rails", 6, nodes_of_two), (Groups{{0, 2, 4}, {1, 3, 5}}));
  EXPECT_EQ(rank_groups("node_pairs", 6, nodes_of_two), (Groups{{0, 1, 2, 3}, {0, 1, 4, 5}, {2, 3, 4, 5}}));
}

TEST(RankGroups, OfUnevenNodesHaveShorterRails) {
  EXPECT_EQ(rank_groups("rails", 3, {0, 0, 1}), (Groups{{0, 2}, {1}}));
}

TEST(RankGroups, AreTheFirstRanksAlone) {
  EXPECT_EQ(rank_groups("first:2", 5, {}), (Groups{{0, 1}}));
  EXPECT_EQ(rank_groups("first:8", 3, {}), (Groups{{0, 1, 2}}));
}

TEST(RankGroups, AreHalvesTheFirstTheLarger) {
  EXPECT_EQ(rank_groups("halves", 5, {}), (Groups{{0, 1, 2}, {3, 4}}));
}

TEST(RankGroups, WithoutNodesAreOneNode) {
  EXPECT_EQ(rank_groups("nodes", 3, {}), (Groups{{0, 1, 2}}));
  EXPECT_EQ(rank_groups("node_pairs", 3, {}), (Groups{{0, 1, 2}}));
}

TEST(RankGroups, AreTheUsersOwn) {
  EXPECT_EQ(rank_groups("0-2|5+3", 6, {}), (Groups{{0, 1, 2}, {5, 3}}));
  EXPECT_EQ(rank_groups("4", 6, {}), (Groups{{4}}));
}

TEST(RankGroups, OfAnUnknownWordNameWhatThereIs) {
  EXPECT_EQ(refusal_of_groups("thirds"),
            "groups=thirds: 'thirds' is not a rank: expected all, first:4, nodes, rails, halves, node_pairs, "
            "or ranks as in "
            "0-3|4+6");
  EXPECT_THAT(refusal_of_groups(""), HasSubstr("'' is not a rank"));
  EXPECT_THAT(refusal_of_groups("0-1|"), HasSubstr("'' is not a rank"));
}

TEST(RankGroups, OfNoNumberOfFirstRanksNameIt) {
  for (const char* none : {"first:", "first:0", "first:-2", "first:2x"})
    EXPECT_THAT(refusal_of_groups(none), HasSubstr("is not a number of ranks: expected all, first:4, "));
}

TEST(RankGroups, OfARankThatIsNoneNameIt) {
  EXPECT_THAT(refusal_of_groups("0-6"), HasSubstr("there is no rank 6, there are 0 to 5"));
}

TEST(RankGroups, OfARangeThatRunsBackNameIt) {
  EXPECT_THAT(refusal_of_groups("3-1"), HasSubstr("'3-1' is not a range of ranks"));
  EXPECT_THAT(refusal_of_groups("1-2-3"), HasSubstr("'1-2-3' is not a range of ranks"));
}

TEST(RankGroups, OfARankTwiceNameIt) {
  EXPECT_THAT(refusal_of_groups("0-2+1"), HasSubstr("rank 1 is twice in a group"));
}

TEST(SharedRank, IsTheFirstThatIsInTwoGroups) {
  EXPECT_EQ(shared_rank({{0, 1}, {2, 3}}), -1);
  EXPECT_EQ(shared_rank({{0, 1}, {2, 1}}), 1);
}

TEST(RankGroup, IsShortInPrint) {
  EXPECT_EQ(to_text(RankGroup{0, 1, 2, 3}), "0-3");
  EXPECT_EQ(to_text(RankGroup{0, 2, 4}), "0+2+4");
  EXPECT_EQ(to_text(RankGroup{7}), "7");
}

}  // namespace
}  // namespace assay::collectives

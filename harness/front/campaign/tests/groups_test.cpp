// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/campaign/nodes/groups.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace assay::campaign {
namespace {

std::vector<std::string> nodes(std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) names.push_back("n" + std::to_string(100 + i));
  return names;
}

TEST(Groups, EveryTwoMeetOnceInATournament) {
  for (std::size_t count = 2; count <= 17; ++count) {
    Stage stage;
    stage.grouping = Grouping::pairs;
    stage.rounds = 1000;
    const auto rounds = groups_of(stage, nodes(count));
    EXPECT_EQ(rounds.size(), count - 1 + count % 2);
    std::set<Group> met;
    for (const auto& round : rounds) {
      std::set<std::string> busy;
      for (const Group& pair : round) {
        EXPECT_NE(pair[0], pair[1]);
        EXPECT_TRUE(busy.insert(pair[0]).second && busy.insert(pair[1]).second);
        EXPECT_TRUE(met.insert(pair).second);
      }
      EXPECT_EQ(round.size(), count / 2);
    }
    EXPECT_EQ(met.size(), count * (count - 1) / 2);
  }
}

TEST(Groups, OfARetestPairEverySuspectWithAnotherPartnerInEachRound) {
  Stage stage;
  stage.grouping = Grouping::pairs;
  stage.rounds = 3;
  const std::vector<std::string> suspects{"s1", "n2"}, partners{"p1", "p2", "p3", "p4"};
  const auto rounds = retest_groups_of(stage, suspects, partners);
  ASSERT_EQ(rounds.size(), 3U);
  std::set<Group> met;
  for (const auto& round : rounds) {
    std::set<std::string> busy;
    for (const Group& pair : round) {
      EXPECT_TRUE(busy.insert(pair[0]).second && busy.insert(pair[1]).second);
      EXPECT_LT(pair[0], pair[1]) << "the name of its run is that of the tournament";
      met.insert(pair);
    }
    EXPECT_EQ(busy.size(), 6U) << "two partners that are left meet";
  }
  EXPECT_FALSE(met.contains({"n2", "s1"}));
  EXPECT_EQ(std::ranges::count_if(met, [](const Group& pair) { return pair[1] == "s1" || pair[0] == "n2"; }),
            6);
}

TEST(Groups, OfARetestWithoutEnoughPartnersAreATournamentAndOnlyOfPairs) {
  Stage stage;
  stage.grouping = Grouping::pairs;
  stage.rounds = 3;
  EXPECT_EQ(retest_groups_of(stage, nodes(6), {}), groups_of(stage, nodes(6)));
  stage.grouping = Grouping::whole;
  EXPECT_TRUE(retest_groups_of(stage, {"s1"}, {"p1", "p2"}).empty());
}

TEST(Groups, OfASizeShareNoNode) {
  Stage stage;
  stage.grouping = Grouping::groups;
  stage.size = 4;
  const auto rounds = groups_of(stage, nodes(10));
  ASSERT_EQ(rounds.size(), 1U);
  EXPECT_EQ(rounds[0].size(), 2U);
  EXPECT_TRUE(groups_of(stage, nodes(3)).empty());
}

TEST(Groups, OneNodeHasNoFabric) {
  for (const Grouping grouping : {Grouping::pairs, Grouping::halves, Grouping::whole}) {
    Stage stage;
    stage.grouping = grouping;
    EXPECT_TRUE(groups_of(stage, nodes(1)).empty());
  }
}

}  // namespace
}  // namespace assay::campaign

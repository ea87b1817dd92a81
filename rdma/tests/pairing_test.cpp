// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/traffic/wiring/pairing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "harness/core/error.hpp"
#include "harness/core/tests/message_of.hpp"

namespace assay::rdma {
namespace {

using core::tests::message_of;
using testing::ElementsAre;

std::vector<Seat> cluster(int nodes, int rails) {
  std::vector<Seat> ranks;
  for (int node = 0; node < nodes; ++node)
    for (int rail = 0; rail < rails; ++rail)
      ranks.push_back({"node" + std::to_string(node), "mlx5_" + std::to_string(rail), rail});
  return ranks;
}

/// Pairs of all rounds; a rank twice in a round, and a pair twice, fail the test.
std::set<Pair> pairs_of(const Rounds& rounds) {
  std::set<Pair> all;
  for (const auto& pairs : rounds) {
    std::set<int> busy;
    for (const auto& [one, other] : pairs) {
      EXPECT_TRUE(busy.insert(one).second && busy.insert(other).second) << one << " " << other;
      EXPECT_TRUE(all.emplace(one, other).second) << one << " " << other;
    }
  }
  return all;
}

TEST(Pairing, OnSameRailsMeetsEveryOtherNodeOnceWithAllRailsAtOnce) {
  for (const int nodes : {2, 3, 4, 7, 8}) {
    const auto ranks = cluster(nodes, 8);
    const Rounds rounds = pair_up(ranks, {});
    EXPECT_EQ(rounds.size(), static_cast<std::size_t>(nodes + nodes % 2 - 1));
    const std::set<Pair> pairs = pairs_of(rounds);
    EXPECT_EQ(pairs.size(), static_cast<std::size_t>(8 * nodes * (nodes - 1) / 2));
    for (const auto& [one, other] : pairs) {
      EXPECT_EQ(one % 8, other % 8);
      EXPECT_NE(one / 8, other / 8);
    }
    for (const auto& round : rounds) EXPECT_EQ(round.size(), static_cast<std::size_t>(nodes / 2 * 8));
  }
}

TEST(Pairing, AcrossRailsMeetsEveryOtherRailOfEveryOtherNode) {
  const auto ranks = cluster(4, 3);
  const Rounds rounds = pair_up(ranks, {.rails = Rails::cross});
  EXPECT_EQ(rounds.size(), 3U * 2U);
  const std::set<Pair> pairs = pairs_of(rounds);
  EXPECT_EQ(pairs.size(), 6U * 3U * 2U);
  for (const auto& [one, other] : pairs) {
    EXPECT_NE(one % 3, other % 3);
    EXPECT_NE(one / 3, other / 3);
  }
}

TEST(Pairing, LeavesANodeAloneUnlessAsked) {
  const auto ranks = cluster(2, 3);
  EXPECT_EQ(pairs_of(pair_up(ranks, {.rails = Rails::cross})).size(), 6U);
  EXPECT_EQ(pairs_of(pair_up(ranks, {.rails = Rails::cross, .within_node = true})).size(), 6U + 2U * 3U);
  EXPECT_EQ(message_of([] { rounds_of(cluster(1, 8), {.rails = Rails::cross}); }),
            "all ranks are on one node (within_node=yes pairs its ranks)");
  EXPECT_EQ(pairs_of(rounds_of(cluster(1, 8), {.rails = Rails::cross, .within_node = true})).size(), 28U);
}

TEST(Pairing, OfNodesWithOtherRailsTakesThoseThatBothHave) {
  std::vector<Seat> ranks = cluster(2, 2);
  ranks[3].rail = 5;
  EXPECT_THAT(pair_up(ranks, {}), ElementsAre(ElementsAre(Pair{0, 2})));
  ranks[2].rail = 6;
  EXPECT_EQ(message_of([&] { rounds_of(ranks, {}); }),
            "no two ranks are on the same rail (rails=cross pairs the others)");
}

TEST(Pairing, PairsRanksInTurnThatShareARail) {
  std::vector<Seat> ranks = cluster(2, 4);
  for (Seat& seat : ranks) seat.rail /= 2;
  EXPECT_THAT(pair_up(ranks, {}), ElementsAre(ElementsAre(Pair{0, 4}, Pair{1, 5}, Pair{2, 6}, Pair{3, 7})));
}

TEST(Pairing, OfARoundIsThatRoundAndNoOther) {
  const auto ranks = cluster(4, 1);
  EXPECT_THAT(rounds_of(ranks, {.round = 1}), ElementsAre(ElementsAre(Pair{0, 3}, Pair{1, 2})));
  EXPECT_EQ(message_of([&] { rounds_of(ranks, {.round = 4}); }), "round=4: there are 3");
  EXPECT_THROW(rounds_of(ranks, {.round = 4}), core::Unsupported);
}

TEST(Pairing, OfPortsIsBetweenTheFirstTwoNodesAlone) {
  EXPECT_THAT(ports_of(cluster(4, 8), {}, 2), ElementsAre(Pair(0, 8), Pair(1, 9)));
  EXPECT_EQ(ports_of(cluster(4, 8), {}, 8).size(), 8U);
  EXPECT_EQ(message_of([] { ports_of(cluster(4, 2), {}, 3); }),
            "ports=3: between the nodes of ranks 0 and 2 are 2 pairs of ranks; each port needs one");
}

TEST(Pairing, OfOnePairIsRankZeroAndItsFirstPeerOnItsRail) {
  EXPECT_EQ(first_pair(cluster(2, 8), {}), (Pair{0, 8}));
  EXPECT_EQ(first_pair(cluster(3, 1), {}), (Pair{0, 1}));
  EXPECT_EQ(first_pair(cluster(2, 8), {.rails = Rails::cross}), (Pair{0, 9}));
}

}  // namespace
}  // namespace assay::rdma

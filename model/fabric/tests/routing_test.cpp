// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/routing/routing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "harness/core/error.hpp"
#include "harness/path/ideal_hash.hpp"
#include "model/fabric/presets.hpp"

namespace assay::model::fabric {
namespace {

using Parts = std::vector<std::pair<std::vector<LinkId>, std::uint64_t>>;

Parts parts_of(const Router& router, NodeId source, NodeId destination, std::uint64_t bytes) {
  Parts parts;
  router.route(source, destination, bytes, 0, [&](std::span<const LinkId> path, std::uint64_t part) {
    parts.emplace_back(std::vector<LinkId>(path.begin(), path.end()), part);
  });
  return parts;
}

std::uint64_t sum_of(const Parts& parts) {
  std::uint64_t sum = 0;
  for (const auto& [path, bytes] : parts) sum += bytes;
  return sum;
}

constexpr ZoneShape small = {.leaves = 8, .gpus_per_leaf = 4, .spines = 4};

TEST(Routing, AMessageIsSplitAmongItsQueuePairs) {
  const Topology zone = ai_zone(small);
  const Parts parts = parts_of(Router(zone, {.queue_pairs = 16}), 0, 31, 1001);
  ASSERT_EQ(parts.size(), 16U);
  EXPECT_EQ(sum_of(parts), 1001U);
  EXPECT_EQ(parts.front().second, 63U);
  EXPECT_EQ(parts.back().second, 62U);
  std::set<LinkId> uplinks;
  for (const auto& [path, bytes] : parts) uplinks.insert(path[1]);
  EXPECT_GE(uplinks.size(), 3U);
}

TEST(Routing, AdaptiveTakesEveryShortestPath) {
  const Topology tree = fat_tree(8);
  const Router router(tree, {.kind = RoutingKind::adaptive});
  EXPECT_EQ(parts_of(router, 0, 1, 100).size(), 1U);
  EXPECT_EQ(parts_of(router, 0, 4, 100).size(), 4U);
  const Parts far = parts_of(router, 0, 127, 1605);
  EXPECT_EQ(far.size(), 16U);
  EXPECT_EQ(sum_of(far), 1605U);
}

TEST(Routing, PinnedTakesTheSlotOfTheReceiver) {
  const Topology zone = ai_zone(small);
  const Router router(zone, {.kind = RoutingKind::pinned});
  for (NodeId destination = 4; destination < 32; ++destination)
    EXPECT_EQ(zone.to(parts_of(router, 1, destination, 1)[0].first[1]),
              zone.node_named("spine0") + destination % 4);
}

class EveryHash : public testing::TestWithParam<path::SwitchHash> {};

TEST_P(EveryHash, SpreadsFlowsOverUplinks) {
  const Topology zone = ai_zone({.leaves = 64, .gpus_per_leaf = 16, .spines = 16});
  const Router router(zone, {.kind = RoutingKind::e_ecmp, .hash = GetParam(), .queue_pairs = 1});
  std::vector<std::int64_t> flows(16);
  for (NodeId source = 0; source < 16; ++source)
    for (NodeId destination = 16; destination < 1024; destination += 4) {
      const Parts parts = parts_of(router, source, destination, 1);
      ++flows[parts[0].first[1] - zone.first_up(zone.leaf_of(0))];
    }
  EXPECT_LT(path::spread_of(flows).max_over_mean, 1.2);
}

INSTANTIATE_TEST_SUITE_P(Families, EveryHash,
                         testing::Values(path::SwitchHash::ideal, path::SwitchHash::crc32,
                                         path::SwitchHash::toeplitz, path::SwitchHash::xor_fold));

TEST(Routing, OneHashForAllTiersPolarises) {
  const Topology tree = fat_tree(16);
  std::set<std::pair<NodeId, LinkId>> polarised, seeded;
  for (const bool same : {true, false}) {
    const Router router(tree, {.same_seed = same});
    for (NodeId source = 0; source < 64; ++source)
      for (NodeId destination = 512; destination < 640; ++destination) {
        const std::vector<LinkId> path = parts_of(router, source, destination, 1)[0].first;
        (same ? polarised : seeded).emplace(tree.from(path[2]), path[2]);
      }
  }
  EXPECT_EQ(seeded.size(), 64U) << "eight spines of the pod with eight uplinks each";
  EXPECT_EQ(polarised.size(), 8U) << "8 / gcd(8, 8): one uplink of each spine";
}

TEST(Routing, FailuresLeaveTheSetOfTheTierBelow) {
  Topology zone = ai_zone(small);
  zone.fail_cable(zone.link_named("leaf7>spine2"));
  const Router router(zone, {.kind = RoutingKind::adaptive});
  EXPECT_EQ(parts_of(router, 0, 31, 12).size(), 3U) << "leaf 0 does not go to leaf 7 by spine 2";
  EXPECT_EQ(parts_of(router, 0, 27, 12).size(), 4U);
  EXPECT_EQ(parts_of(router, 31, 0, 12).size(), 3U);
  EXPECT_THAT(router.next_hops().cut_off(zone), testing::IsEmpty());
}

TEST(Routing, NamesHostsThatFailuresSeparate) {
  Topology zone = ai_zone(small);
  for (const char* link : {"leaf7>spine0", "leaf7>spine1", "leaf7>spine2", "leaf7>spine3", "host2>leaf0"})
    zone.fail_cable(zone.link_named(link));
  const Router router(zone, {});
  EXPECT_THAT(router.next_hops().cut_off(zone), testing::ElementsAre(2, 28, 29, 30, 31));
  EXPECT_NO_THROW(parts_of(router, 28, 29, 1));
  try {
    parts_of(router, 0, 31, 1);
    FAIL();
  } catch (const core::Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("failed links separate host0 from host31"));
  }
  EXPECT_THROW(parts_of(router, 0, 2, 1), core::Error);
  EXPECT_THROW(Router(zone, {.queue_pairs = 0}), core::Error);
}

TEST(Routing, NamesTheSecondHalfOfAFabricInTwo) {
  const auto halves =
      from_cables({{"host0", "leaf0"}, {"host1", "leaf1"}, {"leaf0", "spine0"}, {"leaf1", "spine1"}});
  EXPECT_THAT(NextHops(halves).cut_off(halves), testing::ElementsAre(1));
}

TEST(Routing, NamesLeavesThatReachOnlySomeOthers) {
  // Leaf 0 has only spine 0, leaf 2 only spine 1; leaf 1 has both.
  auto chain = from_cables({{"host0", "leaf0"},
                            {"host1", "leaf1"},
                            {"host2", "leaf2"},
                            {"leaf0", "spine0"},
                            {"leaf1", "spine0"},
                            {"leaf1", "spine1"},
                            {"leaf2", "spine1"}});
  chain.set_route_rule(RouteRule::up_down);
  EXPECT_THAT(NextHops(chain).cut_off(chain), testing::ElementsAre(0, 2));
}

}  // namespace
}  // namespace assay::model::fabric

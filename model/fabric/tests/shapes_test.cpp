// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Fabrics of the shapes that sites have, each given as a list of cables.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <random>

#include "model/fabric/all_to_all.hpp"
#include "model/fabric/load.hpp"
#include "model/fabric/presets.hpp"
#include "model/fabric/routing/route_rule.hpp"
#include "model/fabric/sharing/buffer_cycle.hpp"

namespace assay::model::fabric {
namespace {

using Cables = std::vector<NamedCable>;

std::string named(const char* kind, int number) { return kind + std::to_string(number); }

Cables ring_of_switches(int switches) {
  Cables ring;
  for (int at = 0; at < switches; ++at) {
    ring.push_back({named("host", at), named("leaf", at)});
    ring.push_back({named("leaf", at), named("leaf", (at + 1) % switches)});
  }
  return ring;
}

/// Each leaf with each spine; a host on each leaf.
Cables two_tiers(int leaves, int spines) {
  Cables cables;
  for (int leaf = 0; leaf < leaves; ++leaf) {
    cables.push_back({named("host", leaf), named("leaf", leaf)});
    for (int spine = 0; spine < spines; ++spine)
      cables.push_back({named("leaf", leaf), named("spine", spine)});
  }
  return cables;
}

std::size_t links_of_path(const Topology& topology, NodeId from, NodeId to) {
  std::size_t links = 0;
  Router(topology, {}).route(from, to, 1, 0, [&](std::span<const LinkId> path, std::uint64_t) {
    links = path.size();
  });
  return links;
}

/// Links between hosts over the wires alone, one host after the other; 0 where none lead there.
std::vector<std::size_t> breadth_first(const Topology& topology, NodeId from) {
  std::vector<std::size_t> far(topology.nodes());
  std::deque<NodeId> open = {from};
  for (; !open.empty(); open.pop_front())
    for (LinkId link = 0; link < topology.links(); ++link) {
      const NodeId at = open.front(), to = topology.to(link);
      if (topology.from(link) != at || (at != from && at < topology.hosts()) || to == from || far[to] > 0)
        continue;
      far[to] = far[at] + 1;
      open.push_back(to);
    }
  return far;
}

TEST(Shapes, TreesOfTiersRouteUpAndDownAndHaveNoCircle) {
  EXPECT_EQ(from_cables(two_tiers(3, 2)).route_rule(), RouteRule::up_down);
  // Each leaf lacks one spine, as pulled cables leave a site; each two leaves share one still.
  Cables pulled = {{"leaf0", "spine0"}, {"leaf0", "spine1"}, {"leaf1", "spine1"},
                   {"leaf1", "spine2"}, {"leaf2", "spine2"}, {"leaf2", "spine0"}};
  for (int leaf = 0; leaf < 3; ++leaf) pulled.push_back({named("host", leaf), named("leaf", leaf)});
  const Topology some = from_cables(pulled);
  EXPECT_EQ(some.route_rule(), RouteRule::up_down);
  EXPECT_THAT(buffer_cycle(some), testing::IsEmpty());
}

TEST(Shapes, LeavesThatShareNoSpineAreJoinedByShortestPaths) {
  const Topology chain = from_cables({{"host0", "leaf0"},
                                      {"host1", "leaf1"},
                                      {"host2", "leaf2"},
                                      {"leaf0", "spine0"},
                                      {"leaf1", "spine0"},
                                      {"leaf1", "spine1"},
                                      {"leaf2", "spine1"}});
  EXPECT_EQ(chain.route_rule(), RouteRule::shortest);
  EXPECT_EQ(chain.name_of(pair_off_up_and_down(chain)->one), "leaf0");
  EXPECT_EQ(chain.name_of(pair_off_up_and_down(chain)->other), "leaf2");
  EXPECT_EQ(links_of_path(chain, 0, 2), 6U);
  EXPECT_THAT(buffer_cycle(chain), testing::IsEmpty());
}

TEST(Shapes, TwoSwitchesWithHostsOnBothAreJoined) {
  const Topology pair = from_cables(
      {{"host0", "leaf0"}, {"host1", "leaf1"}, {"leaf0", "leaf1"}, {"leaf1", "leaf0"}, {"host2", "leaf1"}});
  EXPECT_EQ(pair.links(), 10U);
  EXPECT_EQ(links_of_path(pair, 0, 1), 3U);
  EXPECT_EQ(links_of_path(pair, 2, 1), 2U);
  EXPECT_NE(pair.link_named("leaf0>leaf1"), pair.link_named("leaf0>leaf1#2"));
  EXPECT_THAT(buffer_cycle(pair), testing::IsEmpty());
}

TEST(Shapes, AHostOnASpineLeavesTheOthersTheirPaths) {
  Cables cables = two_tiers(4, 2);
  cables.push_back({"host4", "spine0"});
  const Topology one = from_cables(cables);
  EXPECT_EQ(one.route_rule(), RouteRule::up_down);
  EXPECT_EQ(one.leaves(), 4U);
  EXPECT_EQ(one.edge_switches(), 5U);
  EXPECT_EQ(links_of_path(one, 0, 4), 3U);
  EXPECT_EQ(links_of_path(one, 4, 3), 3U);
  EXPECT_EQ(links_of_path(one, 0, 3), 4U);
  cables.push_back({"host5", "spine1"});
  const Topology two = from_cables(cables);
  EXPECT_EQ(two.route_rule(), RouteRule::shortest) << "from spine to spine the way goes down first";
  EXPECT_EQ(links_of_path(two, 4, 5), 4U);
  EXPECT_FALSE(buffer_cycle(two).empty());
}

TEST(Shapes, BranchesMayBeOfUnlikeDepth) {
  const Topology uneven = from_cables({{"host0", "leaf0"},
                                       {"host1", "leaf1"},
                                       {"host2", "leaf2"},
                                       {"leaf0", "spine0"},
                                       {"leaf1", "spine0"},
                                       {"spine0", "core0"},
                                       {"leaf2", "core0"}});
  EXPECT_EQ(uneven.route_rule(), RouteRule::up_down);
  EXPECT_EQ(uneven.kind_of_tier(3), "core");
  EXPECT_EQ(links_of_path(uneven, 0, 1), 4U);
  EXPECT_EQ(links_of_path(uneven, 0, 2), 5U);
}

TEST(Shapes, ARingOfFourIsACircleAndARingOfThreeIsNot) {
  const Topology four = from_cables(ring_of_switches(4));
  const std::vector<LinkId> cycle = buffer_cycle(four);
  ASSERT_EQ(cycle.size(), 4U);
  for (std::size_t at = 0; at < 4; ++at) EXPECT_EQ(four.to(cycle[at]), four.from(cycle[(at + 1) % 4]));
  EXPECT_THAT(buffer_cycle(from_cables(ring_of_switches(3))), testing::IsEmpty());
  EXPECT_FALSE(buffer_cycle(from_cables(ring_of_switches(5))).empty());
}

TEST(Shapes, PartsAreNamedTheLargestFirst) {
  const Topology planes = from_cables(
      {{"host0", "leaf0"}, {"host1", "leaf1"}, {"host2", "leaf1"}, {"host3", "leaf2"}, {"leaf0", "spine0"}});
  EXPECT_THAT(parts_of_hosts(planes), testing::ElementsAre(testing::ElementsAre(1, 2),
                                                           testing::ElementsAre(0), testing::ElementsAre(3)));
  EXPECT_THAT(NextHops(planes).cut_off(planes), testing::ElementsAre(1, 2, 3)) << "none reaches more leaves";
}

/// Hosts on any switch, cables between any two of three kinds; all joined.
Cables drawn_cables(std::mt19937_64& random) {
  constexpr std::array kinds = {"leaf", "leaf", "spine", "core"};
  std::array<int, 4> count = {};
  std::vector<std::string> switches;
  const std::size_t size = 2 + random() % 6;
  for (std::size_t at = 0; at < size; ++at) {
    const std::size_t kind = at == 0 ? 0 : random() % kinds.size();
    switches.push_back(named(kinds[kind], count[kind == 1 ? 0 : kind]++));
  }
  Cables cables;
  for (std::size_t at = 1; at < size; ++at) cables.push_back({switches[at], switches[random() % at]});
  for (std::size_t more = random() % 6; more > 0; --more) {
    const std::size_t one = random() % size, other = random() % size;
    if (one != other) cables.push_back({switches[one], switches[other]});
  }
  for (int host = 0; host < 5; ++host) cables.push_back({named("host", host), switches[random() % size]});
  std::ranges::shuffle(cables, random);
  return cables;
}

TEST(Shapes, EveryConnectedGraphIsRoutedByShortestPaths) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 400; ++round) {
    const Cables cables = drawn_cables(random);
    const Topology topology = from_cables(cables);
    EXPECT_EQ(topology.links(), 2 * cables.size());
    EXPECT_EQ(parts_of_hosts(topology).size(), 1U);
    EXPECT_TRUE(NextHops(topology).cut_off(topology).empty());
    for (NodeId from = 0; from < topology.hosts(); ++from) {
      const std::vector<std::size_t> far = breadth_first(topology, from);
      for (NodeId to = 0; to < topology.hosts(); ++to)
        if (from != to) {
          EXPECT_EQ(links_of_path(topology, from, to), far[to]) << round;
        }
    }
  }
}

TEST(Shapes, AllLoadsArriveWhateverTheRule) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 100; ++round) {
    const Topology topology = from_cables(drawn_cables(random));
    for (const RoutingKind kind : {RoutingKind::ecmp, RoutingKind::adaptive}) {
      const Router router(topology, {.kind = kind});
      std::vector<double> routed(topology.links());
      for (NodeId from = 0; from < topology.hosts(); ++from)
        for (NodeId to = 0; to < topology.hosts(); ++to)
          if (from != to)
            router.route(from, to, 1U << 20U, 0, [&](std::span<const LinkId> path, std::uint64_t bytes) {
              for (const LinkId link : path) routed[link] += static_cast<double>(bytes);
            });
      const std::vector<NodeId> hosts = {0, 1, 2, 3, 4};
      const std::vector<std::uint64_t> bytes(5, 1U << 20U);
      EXPECT_THAT(all_to_all_load(router, hosts, bytes).bytes_of_links(),
                  testing::Pointwise(testing::DoubleNear(64), routed));
    }
  }
}

}  // namespace
}  // namespace assay::model::fabric

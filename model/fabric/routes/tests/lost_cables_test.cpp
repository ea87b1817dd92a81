// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/routes/lost_cables.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/fabric/presets.hpp"
#include "model/fabric/routes/judge_routes.hpp"
#include "model/fabric/routes/switch_distances.hpp"

namespace assay::model::fabric::routes {
namespace {

/// Leaves with one host for each spine, sent over the spine of the host's number at its leaf.
struct SpreadTables {
  explicit SpreadTables(std::uint32_t leaves, std::uint32_t spines)
      : topology(ai_zone({.leaves = leaves, .gpus_per_leaf = spines, .spines = spines})),
        tables(topology, std::vector<std::uint32_t>(topology.hosts(), 1)) {
    for (NodeId at = topology.hosts(); at < topology.nodes(); ++at) {
      std::uint8_t port = 1;
      for (LinkId link = topology.first_down(at); link < topology.end_down(at); ++link)
        tables.set_link(at, port++, link);
      for (LinkId link = topology.first_up(at); link < topology.end_up(at); ++link)
        tables.set_link(at, port++, link);
    }
    for (NodeId host = 0; host < topology.hosts(); ++host)
      for (NodeId at = topology.hosts(); at < topology.nodes(); ++at) send(at, host, way(at, host));
  }

  LinkId way(NodeId at, NodeId host) const {
    const NodeId leaf = topology.leaf_of(host);
    if (at == leaf) return topology.link_to_host(host);
    if (topology.first_up(at) != topology.end_up(at)) return topology.first_up(at) + topology.slot_of(host);
    LinkId down = topology.first_down(at);
    while (topology.to(down) != leaf) ++down;
    return down;
  }
  void send(NodeId at, NodeId host, LinkId link) {
    for (std::uint32_t port = 1; port < 255; ++port)
      if (tables.link_of_port(at, static_cast<std::uint8_t>(port)) == link)
        return tables.set_port(at, host, 0, static_cast<std::uint8_t>(port));
  }

  Topology topology;
  ForwardingTables tables;
};

const LostCable& loss_of(const std::vector<LostCable>& all, LinkId cable) {
  return *std::ranges::find(all, cable, &LostCable::cable);
}

TEST(LostCables, MoveAllReceiversToOneSpineBecauseEveryLeafChoosesAlike) {
  const SpreadTables net(4, 4);
  const auto lost = lost_cables(net.topology, net.tables, planes_of(net.topology));
  ASSERT_EQ(lost.size(), 16U);
  const LostCable& one = loss_of(lost, net.topology.link_named("leaf1>spine2"));
  EXPECT_EQ(one.pairs, 2U * 12);  // 12 senders to the host of spine2 at leaf1, 4 senders of leaf1 to 3 hosts
  EXPECT_EQ(one.separated, 0U);
  EXPECT_EQ(one.busiest, 2U * 12);  // the host of spine2, and that of the spine that all choose
  EXPECT_NEAR(one.times, 24.0 / 15, 1e-9);
}

TEST(LostCables, LeaveNoWayWhereTheyWereTheOnlyOne) {
  const SpreadTables net(2, 1);
  const auto lost = lost_cables(net.topology, net.tables, planes_of(net.topology));
  ASSERT_EQ(lost.size(), 2U);
  EXPECT_EQ(lost[0].pairs, 2U);
  EXPECT_EQ(lost[0].separated, 2U);
}

TEST(LostCables, AreTheSameWithSeveralThreads) {
  const SpreadTables net(5, 3);
  const auto one = lost_cables(net.topology, net.tables, planes_of(net.topology), 1);
  const auto four = lost_cables(net.topology, net.tables, planes_of(net.topology), 4);
  ASSERT_EQ(one.size(), four.size());
  for (std::size_t at = 0; at < one.size(); ++at) {
    EXPECT_EQ(one[at].cable, four[at].cable);
    EXPECT_EQ(one[at].busiest, four[at].busiest);
  }
}

TEST(LostCables, DistancesAfterALossAreThoseOfTheFabricWithoutTheCable) {
  for (const Topology& whole : {ai_zone({.leaves = 4, .gpus_per_leaf = 2, .spines = 3}), fat_tree(4)}) {
    const SwitchDistances distances(whole);
    for (LinkId cable = whole.hosts(); cable < whole.links() / 2; ++cable) {
      Topology cut = whole;
      cut.fail_cable(cable);
      const SwitchDistances expected(cut);
      for (const NodeId leaf : whole.switches_with_hosts()) {
        const auto raised = distances.raised(leaf, cable);
        for (NodeId at = whole.hosts(); at < whole.nodes(); ++at) {
          const auto own = raised.find(at);
          ASSERT_EQ(own == raised.end() ? distances.of(at, leaf) : own->second, expected.of(at, leaf))
              << whole.name_of_link(cable) << " " << whole.name_of(at) << " " << whole.name_of(leaf);
        }
      }
    }
  }
}

}  // namespace
}  // namespace assay::model::fabric::routes

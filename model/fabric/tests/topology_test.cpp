// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/topology.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/error.hpp"
#include "model/fabric/presets.hpp"

namespace assay::model::fabric {
namespace {

std::size_t failed(const Topology& topology) {
  std::size_t links = 0;
  for (LinkId link = 0; link < topology.links(); ++link) links += topology.live(link) ? 0 : 1;
  return links;
}

TEST(Topology, NamesNodesAndLinks) {
  const Topology zone = ai_zone({.leaves = 4, .gpus_per_leaf = 2, .spines = 3});
  EXPECT_EQ(zone.name_of(0), "host0");
  EXPECT_EQ(zone.name_of(8), "leaf0");
  EXPECT_EQ(zone.name_of(12), "spine0");
  const LinkId up = zone.link_named("leaf3>spine2"), down = zone.link_named("spine2>leaf3");
  EXPECT_EQ(zone.name_of_link(up), "leaf3>spine2");
  EXPECT_EQ(zone.reverse(up), down);
  EXPECT_EQ(zone.link_named("host5>leaf2"), 5U) << "a host's link has its number";
  EXPECT_EQ(zone.link_named("leaf2>host5"), zone.link_to_host(5));
  EXPECT_TRUE(zone.between_switches(up));
  EXPECT_FALSE(zone.between_switches(5));
  EXPECT_THROW(zone.link_named("leaf3"), core::Error);
  EXPECT_THROW(zone.link_named("leaf3>spine3"), core::Error);
  EXPECT_THROW(zone.link_named("host0>leaf1"), core::Error);
  EXPECT_THROW(zone.node_named("leaf3x"), core::Error);
}

TEST(Topology, GoodputIsPayloadOverWireBytes) {
  EXPECT_NEAR(LinkSpeed{}.goodput(), 49018.67, 0.01);
  EXPECT_NEAR(star(2).capacity(0), 49018.67, 0.01);
}

TEST(Topology, ACableFailsBothWaysAndASwitchWithAllOfItsCables) {
  Topology zone = ai_zone({.leaves = 4, .gpus_per_leaf = 2, .spines = 3});
  zone.fail_cable(zone.link_named("leaf0>spine0"));
  EXPECT_EQ(failed(zone), 2U);
  EXPECT_FALSE(zone.live(zone.link_named("spine0>leaf0")));
  zone.fail_switch(zone.node_named("spine1"));
  EXPECT_EQ(failed(zone), 10U);
  EXPECT_THROW(zone.fail_switch(0), core::Error);
}

TEST(Topology, AShareOfCablesFailsByItsSeed) {
  Topology one = ai_zone({.leaves = 32}), same = one, other = one;
  one.fail_share(0.1, 7);
  same.fail_share(0.1, 7);
  other.fail_share(0.1, 8);
  EXPECT_EQ(failed(one), 2U * 51) << "of 512 cables between switches";
  bool differs = false;
  for (LinkId link = 0; link < one.links(); ++link) {
    EXPECT_EQ(one.live(link), same.live(link));
    differs = differs || one.live(link) != other.live(link);
    if (!one.between_switches(link)) {
      EXPECT_TRUE(one.live(link));
    }
  }
  EXPECT_TRUE(differs);
  EXPECT_THROW(one.fail_share(1, 7), core::Error);
  EXPECT_THROW(one.fail_share(-0.1, 7), core::Error);
}

TEST(Topology, ADegradedLinkKeepsAFactorOneWay) {
  Topology zone = star(4);
  const double before = zone.capacity(0);
  zone.degrade(0, 0.25);
  EXPECT_DOUBLE_EQ(zone.capacity(0), before / 4);
  EXPECT_DOUBLE_EQ(zone.capacity(zone.reverse(0)), before);
  EXPECT_THROW(zone.degrade(0, 0), core::Error);
  EXPECT_THROW(zone.degrade(0, 1.5), core::Error);
}

}  // namespace
}  // namespace assay::model::fabric

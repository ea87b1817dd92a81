// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Tiers whose links and switches differ from the others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "harness/core/error.hpp"
#include "model/fabric/file/build_fabric.hpp"

namespace assay::model::fabric {
namespace {

using testing::HasSubstr;

const std::string zone_of_two =
    "preset = 'ai-zone'\nleaves = 2\nlink = { gbit_per_s = 400, metres = 30, hop_latency_us = 0.6 }\n";

FabricFile zone(const std::string& more) { return parse_fabric(zone_of_two + more, "t.toml"); }

TEST(FabricTiers, HaveASpeedOfTheLinksBelowThem) {
  const Topology wired = topology_of(zone("[tier.spine]\ngbit_per_s = 800\n"));
  const double fast = LinkSpeed{.gbit_per_s = 800}.goodput();
  for (const char* const link : {"leaf0>spine3", "spine3>leaf1"})
    EXPECT_DOUBLE_EQ(wired.capacity(wired.link_named(link)), fast);
  for (const char* const link : {"host0>leaf0", "leaf1>host20"})
    EXPECT_DOUBLE_EQ(wired.capacity(wired.link_named(link)), LinkSpeed{}.goodput());
  const Topology slow_hosts = topology_of(zone("[tier.leaf]\ngbit_per_s = 200\n"));
  EXPECT_DOUBLE_EQ(slow_hosts.capacity(0), LinkSpeed{.gbit_per_s = 200}.goodput());
  EXPECT_DOUBLE_EQ(slow_hosts.capacity(slow_hosts.link_named("leaf0>spine0")), LinkSpeed{}.goodput());
}

TEST(FabricTiers, KeepFaultsOfLinksWithTheirOwnSpeed) {
  const Topology wired = topology_of(
      zone("[tier.spine]\ngbit_per_s = 800\n[[degraded]]\nlink = 'leaf0>spine0'\nfactor = 0.25\n"));
  EXPECT_DOUBLE_EQ(wired.capacity(wired.link_named("leaf0>spine0")),
                   LinkSpeed{.gbit_per_s = 800}.goodput() / 4);
}

TEST(FabricTiers, HaveALatencyOfTheirOwn) {
  const auto latency_us = [](const std::string& more) {
    const Topology wired = topology_of(zone(more));
    return wired.latency_us(wired.link_named("leaf0>spine0"));
  };
  EXPECT_DOUBLE_EQ(latency_us(""), 0.6 + 0.15);
  EXPECT_DOUBLE_EQ(latency_us("[tier.spine]\nmetres = 100\n"), 0.6 + 0.5);
  EXPECT_DOUBLE_EQ(latency_us("[tier.spine]\nhop_latency_us = 2\n"), 2);
  EXPECT_DOUBLE_EQ(latency_us("[tier.leaf]\nhop_latency_us = 2\n"), 0.6 + 0.15);
}

TEST(FabricTiers, HaveBuffersOfTheirOwn) {
  const FabricFile deep = zone("switch = { xoff = '1MiB', xon = '256KiB' }\n[tier.spine]\nbuffer = 'voq'\n");
  const Topology wired = topology_of(deep);
  EXPECT_DOUBLE_EQ(pause_above_bytes(deep, wired, wired.node_named("leaf1")), 1048576);
  EXPECT_TRUE(std::isinf(pause_above_bytes(deep, wired, wired.node_named("spine0"))));
  const FabricFile larger = zone("switch = { xoff = '1MiB', xon = '256KiB' }\n[tier.spine]\nxoff = '4MiB'\n");
  EXPECT_DOUBLE_EQ(pause_above_bytes(larger, wired, wired.node_named("spine0")), 4 * 1048576);
  EXPECT_DOUBLE_EQ(larger.tiers.front().switches.resume_below_bytes, 1048576) << "the same share of xoff";
}

TEST(FabricTiers, AreReplacedByKeysOfTheCommandLine) {
  const std::vector<KeyValue> replaced = {key_value("tier.spine.gbit_per_s=800", "--set")};
  EXPECT_EQ(parse_fabric(zone_of_two, "t.toml", replaced).tiers.front().gbit_per_s, 800);
}

TEST(FabricTiers, AreRefusedWithFileKeyAndWhatWasExpected) {
  const auto complaint = [](const std::string& text) {
    try {
      static_cast<void>(topology_of(parse_fabric(text, "t.toml")));
    } catch (const core::Error& error) {
      EXPECT_EQ(error.kind(), core::ErrorKind::usage);
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_THAT(complaint(zone_of_two + "[tier.core]\ngbit_per_s = 800\n"),
              HasSubstr("t.toml:4: tier.core: there are no such switches: expected leaf, spine"));
  EXPECT_THAT(complaint(zone_of_two + "[tier.host]\ngbit_per_s = 800\n"),
              HasSubstr("tier.host: there are no such switches"));
  EXPECT_THAT(complaint(zone_of_two + "[tier.spine]\nspeed = 800\n"),
              HasSubstr("t.toml:5: tier.spine.speed: unknown key"));
  EXPECT_THAT(complaint(zone_of_two + "[tier.spine]\ngbit_per_s = 0\n"),
              HasSubstr("tier.spine.gbit_per_s: expected a number above 0"));
  EXPECT_THAT(complaint(zone_of_two + "[tier]\nspine = 800\n"), HasSubstr("tier.spine: expected a table"));
  EXPECT_THAT(complaint(zone_of_two + "[tier.spine]\nxoff = '1KiB'\n"),
              HasSubstr("tier.spine.xoff: 1024 bytes are below one packet"));
  EXPECT_THAT(complaint(zone_of_two + "[tier.spine]\nbuffer = 'shared'\n"),
              HasSubstr("tier.spine.memory: missing"));
  EXPECT_THAT(complaint(zone_of_two + "[tier.leaf]\nmemory = '1MiB'\n"),
              HasSubstr("tier.leaf.memory: the 32 ports of leaf0 need"));
  EXPECT_THAT(complaint("preset = 'data-centre'\nzones = 2\nratio = 7\n[tier.aggregate]\ngbit_per_s = 800\n"),
              HasSubstr("tier.aggregate.gbit_per_s: the key ratio says how fast these links are"));
}

}  // namespace
}  // namespace assay::model::fabric

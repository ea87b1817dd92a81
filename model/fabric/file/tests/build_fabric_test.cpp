// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/file/build_fabric.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace assay::model::fabric {
namespace {

FabricFile zone_with(const std::string& more) {
  return parse_fabric("preset = 'ai-zone'\nleaves = 16\n" + more, "a.toml");
}

std::size_t failed_links(const Topology& topology) {
  std::size_t failed = 0;
  for (LinkId link = 0; link < topology.links(); ++link) failed += topology.live(link) ? 0 : 1;
  return failed;
}

TEST(BuildFabric, FailsAShareOfCablesByItsSeed) {
  const auto draw = [](const char* seed) {
    return topology_of(zone_with(std::string("[[failed]]\nfraction = 0.05\nseed = ") + seed));
  };
  const Topology one = draw("1"), again = draw("1"), other = draw("2");
  EXPECT_EQ(failed_links(one), 2 * std::lround(0.05 * 16 * 16));
  bool same_as_other = true;
  for (LinkId link = 0; link < one.links(); ++link) {
    EXPECT_EQ(one.live(link), again.live(link));
    same_as_other = same_as_other && one.live(link) == other.live(link);
  }
  EXPECT_FALSE(same_as_other);
}

TEST(BuildFabric, DegradesASwitchInBothDirectionsAndAShareOfCables) {
  const Topology zone = topology_of(zone_with("[[degraded]]\nswitch = 'spine3'\nfactor = 0.5"));
  for (const char* const link : {"leaf0>spine3", "spine3>leaf0"})
    EXPECT_DOUBLE_EQ(zone.capacity(zone.link_named(link)), LinkSpeed{}.goodput() / 2);
  EXPECT_DOUBLE_EQ(zone.capacity(zone.link_named("leaf0>spine2")), LinkSpeed{}.goodput());
  const Topology some = topology_of(zone_with("[[degraded]]\nfraction = 0.25\nfactor = 0.5"));
  EXPECT_EQ(std::ranges::count(some.capacities(), LinkSpeed{}.goodput() / 2), 2 * 64);
}

TEST(BuildFabric, NamesHostsByServersOrEachByItsOwnName) {
  const FabricFile servers = zone_with("nodes = 'n[01-32]'");
  const Topology zone = topology_of(servers);
  EXPECT_EQ(zone.name_of(9), "n02 rail1");
  EXPECT_EQ(zone.name_of_link(9), "n02 rail1>leaf0");
  EXPECT_EQ(zone.name_of(256), "leaf0");
  EXPECT_EQ(zone.numbered_name(9), "host9");
  EXPECT_EQ(hosts_per_machine(servers), 8U);
  const FabricFile ports = zone_with("nodes = 'n[1-256]'");
  EXPECT_EQ(topology_of(ports).name_of(9), "n10");
  EXPECT_EQ(hosts_per_machine(ports), 1U);
  EXPECT_EQ(topology_of(zone_with("")).name_of(9), "host9");
}

TEST(BuildFabric, FaultsAreOfHostsByTheirNameBeforeTheirNumber) {
  const Topology zone =
      topology_of(zone_with("nodes = 'host[1-256]'\n[[degraded]]\nlink = 'host2>leaf0'\nfactor = 0.5"));
  EXPECT_DOUBLE_EQ(zone.capacity(1), LinkSpeed{}.goodput() / 2) << "the second host is called host2";
  EXPECT_EQ(zone.node_named("host0"), 0U) << "no host has that name: its number";
}

TEST(BuildFabric, ThresholdsFollowTheKindOfBuffer) {
  const auto threshold = [](const std::string& buffers) {
    const FabricFile fabric = zone_with("switch = { " + buffers + " }");
    return pause_above_bytes(fabric, topology_of(fabric), 256);  // leaf 0, of 32 ports
  };
  EXPECT_DOUBLE_EQ(threshold("xoff = '1MiB'"), 1048576);
  EXPECT_TRUE(std::isinf(threshold("buffer = 'voq'")));
  EXPECT_DOUBLE_EQ(threshold("buffer = 'shared', memory = '66MiB', alpha = 2"), 2 * 66.0 * 1048576 / 65);
}

TEST(BuildFabric, SprayingCostsLinksBetweenSwitches) {
  const FabricFile fabric = zone_with("routing = { kind = 'spray', spray_efficiency = 0.5 }");
  const Topology zone = topology_of(fabric);
  const std::vector<double> capacities = capacities_of(fabric, zone);
  EXPECT_DOUBLE_EQ(capacities[0], zone.capacity(0));
  EXPECT_DOUBLE_EQ(capacities[zone.link_named("leaf0>spine0")], zone.capacity(0) / 2);
}

TEST(BuildFabric, AListNeedsMemoryByItsSwitches) {
  std::vector<NamedCable> cables;
  for (int host = 0; host < 20'000; ++host)
    cables.push_back({"host" + std::to_string(host), "leaf" + std::to_string(host / 20)});
  EXPECT_LT(memory_needed_bytes(cables), 64e6);
}

}  // namespace
}  // namespace assay::model::fabric

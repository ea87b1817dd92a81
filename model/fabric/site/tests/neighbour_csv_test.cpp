// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/site/neighbour_csv.hpp"

#include <gtest/gtest.h>

#include "model/fabric/site/tests/refused.hpp"

namespace assay::model::fabric::site {
namespace {

SiteFabric parse_lldp(const std::string& text) { return read_neighbours({"lldp.csv", text}); }

constexpr const char* both_ends = R"(system,port,neighbour,neighbour_port,gbit_per_s
leaf1,Ethernet1,node1,eth0,400
leaf1,Ethernet2,node2,eth0,400
leaf2,Ethernet1,node1,eth1,200
leaf1,Ethernet49,spine1,Ethernet1,800
leaf2,Ethernet49,spine1,Ethernet2,
spine1,Ethernet1,leaf1,Ethernet49,800
spine1,Ethernet2,leaf2,Ethernet49,
)";

TEST(NeighbourCsv, BecomesATopologyWhoseHostsAreAdapterPorts) {
  const SiteFabric fabric = parse_lldp(both_ends);
  EXPECT_EQ(fabric.topology.hosts(), 3U);
  EXPECT_EQ(fabric.topology.leaves(), 2U);
  EXPECT_EQ(fabric.topology.links(), 2U * 5U);
  const std::vector<std::string> names = {"node1 eth0", "node2", "node1 eth1", "leaf1", "leaf2", "spine1"};
  EXPECT_EQ(fabric.names, names);
  EXPECT_DOUBLE_EQ(fabric.topology.capacity(2), LinkSpeed{.gbit_per_s = 200}.goodput());
  EXPECT_DOUBLE_EQ(fabric.topology.capacity(fabric.topology.first_up(3)),
                   LinkSpeed{.gbit_per_s = 800}.goodput());
}

TEST(NeighbourCsv, RefusesWithFileLineAndColumn) {
  const std::string header = "system,port,neighbour,neighbour_port\n";
  expect_refused(parse_lldp, header + "leaf1,,node1,eth0\n", "lldp.csv:2: column 'port': expected a name");
  expect_refused(parse_lldp, header + "leaf1,1,node1,eth0\nleaf1,1,node2,eth0\n",
                 "lldp.csv:3: 'leaf1' port 1 has a neighbour already: 'node1' port eth0 (lldp.csv:2)");
  expect_refused(parse_lldp, header + "leaf1,1,node1,eth0\nleaf1,2,node1,eth0\n",
                 "lldp.csv:3: 'node1' port eth0");
  expect_refused(parse_lldp,
                 header + "leaf1,1,node1,eth0\nleaf2,1,node2,eth0\nleaf1,9,leaf2,9\nleaf2,8,leaf1,9\n",
                 "lldp.csv:5: 'leaf2' port 8 to 'leaf1' port 9, but 'leaf1' names another neighbour at this "
                 "port: 'leaf2' port 9 (lldp.csv:4)");
  expect_refused(parse_lldp, header + "leaf1,1,node1,eth0\nleaf8,1,leaf9,1\nleaf9,1,leaf8,1\n",
                 "lldp.csv:3: no host is connected to switch 'leaf8'");
  expect_refused(parse_lldp, "system,port,neighbour\na,1,b\n", "lldp.csv");
}

const std::string header = "system,port,neighbour,neighbour_port\n";
const std::string hosts = "leaf1,Eth1/1,gpu1,mlx5_0\nleaf1,Eth1/2,gpu2,mlx5_0\nleaf2,Eth1/1,gpu3,mlx5_0\n";

std::string all_of(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

TEST(NeighbourCsv, JoinsBothEndsOfACableWhateverTheyCallThePort) {
  for (const auto& [near, far] :
       {std::pair("Eth1/49", "Ethernet1/49"), std::pair("Ethernet1/49", "Et1/49"),
        std::pair("Eth1/49", "ETHERNET 1/49"), std::pair("Gi1/0/1", "GigabitEthernet1/0/1"),
        std::pair("TenGigE0/1", "Te0/1"), std::pair("Hu0/0/1", "HundredGigE0/0/1")}) {
    const SiteFabric fabric =
        parse_lldp(header + hosts + "leaf1," + near + ",spine1,Ethernet1/1\nleaf2," + near +
                   ",spine1,Ethernet1/2\nspine1,Eth1/1,leaf1," + far + "\nspine1,Eth1/2,leaf2," + far + "\n");
    EXPECT_EQ(fabric.topology.links(), 2U * 5U) << near << " and " << far;
  }
}

TEST(NeighbourCsv, JoinsCablesOfWhichOneEndKnowsThePort) {
  const SiteFabric fabric = parse_lldp(header + hosts +
                                       "leaf1,Eth1/49,spine1,Ethernet1/1\nleaf2,Eth1/49,spine1,Ethernet1/2\n"
                                       "spine1,Eth1/1,leaf1,uplink to the row\nspine1,Eth1/2,leaf2,513\n");
  EXPECT_EQ(fabric.topology.links(), 2U * 5U);
}

TEST(NeighbourCsv, NamesASystemOnceWhetherShortLongOrInCapitals) {
  const SiteFabric fabric =
      parse_lldp(header + hosts +
                 "leaf1.dc.example,Eth1/49,SPINE1,Eth1/1\nleaf2,Eth1/49,spine1.dc,Eth1/2\n"
                 "spine1.dc.example,Eth1/1,Leaf1.DC,Eth1/49\n");
  EXPECT_EQ(fabric.topology.links(), 2U * 5U);
  EXPECT_EQ(fabric.topology.nodes(), 6U);
  EXPECT_EQ(fabric.assumed.front(), "names of one system: Leaf1.DC is leaf1 and 3 more");
}

TEST(NeighbourCsv, KeepsSystemsOfTwoSitesApart) {
  EXPECT_EQ(parse_lldp(header + "leaf1.a,Eth1/1,gpu1,eth0\nleaf1.b,Eth1/1,gpu2,eth0\n").topology.leaves(),
            2U);
  expect_refused(parse_lldp,
                 header + "leaf1.a,Eth1/1,gpu1,eth0\nleaf1.b,Eth1/1,gpu2,eth0\nspine1,Eth1/1,leaf1,Eth1/49\n",
                 "lldp.csv: 'leaf1' may be 'leaf1.a' or 'leaf1.b'");
}

TEST(NeighbourCsv, RefusesTwoEndsThatDoNotMatchWithBothRows) {
  expect_refused(
      parse_lldp,
      header + hosts + "leaf1,Eth1/49,spine1,Eth1/1\nleaf2,Eth1/49,spine1,Eth1/2\nspine1,7,leaf1,49\n",
      "lldp.csv:5 and lldp.csv:7: cables between 'leaf1' and 'spine1' are listed by both, under names of "
      "ports that do not match");
  expect_refused(
      parse_lldp,
      header + hosts + "leaf1,Eth1/49,spine1,Eth1/1\nspine1,Eth1/1,leaf1,Eth1/50\nleaf1,Eth1/50,spine1,9\n",
      "names another neighbour at this port");
  expect_refused(parse_lldp,
                 "system,port,neighbour,neighbour_port,gbit_per_s\nleaf1,Eth1/1,gpu1,eth0,400\n"
                 "leaf1,Eth1/49,spine1,Eth1/1,800\nspine1,Eth1/1,leaf1,Ethernet1/49,400\n",
                 "lldp.csv:3 and lldp.csv:4: expected one rate of the cable");
}

TEST(NeighbourCsv, TakesSystemsWithoutAListForSwitchesByTheirPorts) {
  for (const auto& [one, two] :
       {std::pair("Eth1/1", "Eth1/2"), std::pair("swp1", "swp2"), std::pair("1", "2"),
        std::pair("Ethernet1", "Ethernet2"), std::pair("xe-0/0/1", "xe-0/0/2")}) {
    const SiteFabric fabric =
        parse_lldp(header + hosts + "leaf1,Eth1/49,spine1," + one + "\nleaf1,Eth1/50,spine1," + two + "\n");
    EXPECT_EQ(fabric.topology.hosts(), 3U) << one;
    EXPECT_EQ(fabric.topology.tiers(), 3U) << one;
    EXPECT_EQ(
        fabric.assumed.front(),
        std::string("switches without a list of their own, of which cables may be missing: spine1 (port ") +
            one + ")");
  }
}

TEST(NeighbourCsv, TakesServersWithSeveralPortsForHosts) {
  const SiteFabric fabric =
      parse_lldp(header +
                 "leaf1,Eth1/1,gpu1,eth0\nleaf2,Eth1/1,gpu1,eth1\n"
                 "leaf1,Eth1/2,gpu2,0c:42:a1:00:00:01\nleaf2,Eth1/2,gpu2,0c42.a100.0002\n");
  EXPECT_EQ(fabric.topology.hosts(), 4U);
  EXPECT_EQ(fabric.unreported, (std::vector<std::string>{"gpu1", "gpu2"}));
}

TEST(NeighbourCsv, TakesCapabilitiesForWhatNamesDoNotSay) {
  const SiteFabric fabric = parse_lldp(
      "system,port,neighbour,neighbour_port,capabilities\nleaf1,Eth1/1,gpu1,Eth1/1,S\nleaf1,Eth1/"
      "2,gpu2,eth0,\n"
      "leaf1,Eth1/49,spine1,7,Bridge Router\n");
  EXPECT_EQ(fabric.topology.hosts(), 2U);
  EXPECT_EQ(fabric.topology.tiers(), 3U);
  expect_refused(parse_lldp, "system,port,neighbour,neighbour_port,capabilities\nleaf1,1,gpu1,eth0,fast\n",
                 "lldp.csv:2: column 'capabilities': expected words such as bridge");
}

TEST(NeighbourCsv, TakesListsOfHostsToo) {
  const SiteFabric fabric =
      parse_lldp(header + hosts + "gpu1,mlx5_0,leaf1,Ethernet1/1\ngpu2,mlx5_0,leaf1,Eth1/2\n");
  EXPECT_EQ(fabric.topology.hosts(), 3U);
  EXPECT_EQ(fabric.topology.links(), 2U * 3U);
}

TEST(NeighbourCsv, ChoosesPorts) {
  const SiteFabric fabric = read_neighbours(
      {"lldp.csv", header + hosts + "leaf2,Eth1/9,gpu1,ens9\noob,Eth1/1,gpu1,eno1\noob,Eth1/2,gpu2,eno1\n"},
      {}, [](const std::string& name) { return name.ends_with(" mlx5_0"); });
  EXPECT_EQ(fabric.names, (std::vector<std::string>{"gpu1", "gpu2", "gpu3", "leaf1", "leaf2"}));
  EXPECT_EQ(fabric.notes.front(),
            "left out 3 ports that --ports does not choose (gpu1 ens9, gpu1 eno1, gpu2 eno1)");
}

TEST(NeighbourCsv, SaysWhichRatesAreAssumed) {
  EXPECT_EQ(parse_lldp(header + hosts).assumed,
            std::vector<std::string>{
                "the rate of 3 of 3 cables is assumed, 400 Gbit/s: lldp.csv does not state it"});
  EXPECT_TRUE(parse_lldp(all_of({"system,port,neighbour,neighbour_port,gbit_per_s", "leaf1,1,gpu1,eth0,200"}))
                  .assumed.empty());
}

TEST(NeighbourCsv, LeavesOutAPortThatHearsItselfAndRowsThatAreThereTwice) {
  const SiteFabric fabric =
      parse_lldp(header + hosts + "leaf1,Eth1/9,leaf1,Ethernet1/9\nleaf1,Eth1/1,gpu1,mlx5_0\n");
  EXPECT_EQ(fabric.topology.links(), 2U * 3U);
  EXPECT_EQ(fabric.assumed[0], "lldp.csv:5: 'leaf1' port Eth1/9 hears itself: left out");
  EXPECT_EQ(fabric.assumed[1],
            "lldp.csv:6: 'leaf1' port Eth1/1 is listed twice: to 'gpu1' port mlx5_0 is left out");
}

}  // namespace
}  // namespace assay::model::fabric::site

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
                 "lldp.csv:3: column 'port': this port has a neighbour already");
  expect_refused(parse_lldp, header + "leaf1,1,node1,eth0\nleaf1,2,node1,eth0\n",
                 "lldp.csv:3: 'node1' port eth0");
  expect_refused(parse_lldp,
                 header + "leaf1,1,node1,eth0\nleaf2,1,node2,eth0\nleaf1,9,leaf2,9\nleaf2,8,leaf1,9\n",
                 "lldp.csv:5: column 'neighbour': 'leaf1'");
  expect_refused(parse_lldp, header + "leaf1,1,node1,eth0\nleaf8,1,leaf9,1\nleaf9,1,leaf8,1\n",
                 "lldp.csv:3: no host is connected to switch 'leaf8'");
  expect_refused(parse_lldp, "system,port,neighbour\na,1,b\n", "lldp.csv");
}

}  // namespace
}  // namespace assay::model::fabric::site

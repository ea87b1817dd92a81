// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/site/ibnetdiscover.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "model/fabric/site/tests/refused.hpp"

namespace assay::model::fabric::site {
namespace {

// Two leaves, one spine, a node with two adapters and one with one, an aggregation node.
constexpr const char* two_leaves = R"(#
# Topology file: generated on Mon Jan  5 10:00:00 2026
#
# Initiated from node e41d2d0300000001 port e41d2d0300000001

vendid=0x2c9
devid=0xd2f2
sysimgguid=0xb000000000000001
switchguid=0xb000000000000001(b000000000000001)
Switch	65 "S-b000000000000001"		# "MF0;leaf-a:MQM9700/U1" enhanced port 0 lid 1 lmc 0
[1]	"H-e41d2d0300000001"[1](e41d2d0300000001) 		# "node1 mlx5_0" lid 11 4xNDR
[33][ext 17]	"S-b000000000000003"[1]		# "MF0;spine-a:MQM9700/U1" lid 3 4xNDR
[65]	"H-b000000000000101"[1](b000000000000101) 		# "Mellanox Technologies Aggregation Node" lid 21 4xNDR

switchguid=0xb000000000000002(b000000000000002)
Switch	65 "S-b000000000000002"		# "MF0;leaf-b:MQM9700/U1" enhanced port 0 lid 2 lmc 0
[1]	"H-e41d2d0300000002"[1](e41d2d0300000002) 		# "node1 mlx5_1" lid 12 4xNDR
[2]	"H-e41d2d0300000003"[1](e41d2d0300000003) 		# "node2 mlx5_0" lid 13 4xHDR
[33]	"S-b000000000000003"[2]		# "MF0;spine-a:MQM9700/U1" lid 3 4xNDR

switchguid=0xb000000000000003(b000000000000003)
Switch	65 "S-b000000000000003"		# "MF0;spine-a:MQM9700/U1" enhanced port 0 lid 3 lmc 0
[1]	"S-b000000000000001"[33]		# "MF0;leaf-a:MQM9700/U1" lid 1 4xNDR
[2]	"S-b000000000000002"[33]		# "MF0;leaf-b:MQM9700/U1" lid 2 4xNDR

caguid=0xe41d2d0300000001
Ca	1 "H-e41d2d0300000001"		# "node1 mlx5_0"
[1](e41d2d0300000001) 	"S-b000000000000001"[1]		# lid 11 lmc 0 "MF0;leaf-a:MQM9700/U1" lid 1 4xNDR

caguid=0xe41d2d0300000002
Ca	1 "H-e41d2d0300000002"		# "node1 mlx5_1"
[1](e41d2d0300000002) 	"S-b000000000000002"[1]		# lid 12 lmc 0 "MF0;leaf-b:MQM9700/U1" lid 2 4xNDR

caguid=0xe41d2d0300000003
Ca	1 "H-e41d2d0300000003"		# "node2 mlx5_0"
[1](e41d2d0300000003) 	"S-b000000000000002"[2]		# lid 13 lmc 0 "MF0;leaf-b:MQM9700/U1" lid 2 4xHDR

caguid=0xb000000000000101
Ca	1 "H-b000000000000101"		# "Mellanox Technologies Aggregation Node"
[1](b000000000000101) 	"S-b000000000000001"[65]		# lid 21 lmc 0 "MF0;leaf-a:MQM9700/U1" lid 1 4xNDR
)";

SiteFabric parse_net(const std::string& text) { return parse_ibnetdiscover(text, "net.topo"); }

std::string replaced(const std::string& what, const std::string& with) {
  std::string text = two_leaves;
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), with);
}

TEST(Ibnetdiscover, BecomesATopologyWithItsNamesAndSpeeds) {
  const SiteFabric fabric = parse_net(two_leaves);
  EXPECT_EQ(fabric.topology.hosts(), 3U);
  EXPECT_EQ(fabric.topology.leaves(), 2U);
  EXPECT_EQ(fabric.topology.tiers(), 3U);
  EXPECT_EQ(fabric.topology.links(), 2U * 5U);
  ASSERT_EQ(fabric.names.size(), 6U);
  std::map<std::string, NodeId> node;
  for (NodeId at = 0; at < fabric.names.size(); ++at) node[fabric.names[at]] = at;
  const NodeId slow = node.at("node2 mlx5_0"), fast = node.at("node1 mlx5_0");
  EXPECT_EQ(fabric.topology.leaf_of(slow), node.at("MF0;leaf-b:MQM9700/U1"));
  EXPECT_DOUBLE_EQ(fabric.topology.capacity(fast), LinkSpeed{}.goodput());
  EXPECT_DOUBLE_EQ(fabric.topology.capacity(slow), LinkSpeed{.gbit_per_s = 200}.goodput());
  EXPECT_EQ(fabric.topology.tier_of(node.at("MF0;spine-a:MQM9700/U1")), 2U);
}

TEST(Ibnetdiscover, NodesOfOneDescriptionAreNamedByGuid) {
  std::string text = two_leaves;
  for (std::size_t at; (at = text.find("node1 mlx5_1")) != std::string::npos;)
    text.replace(at, 12, "node1 mlx5_0");
  const SiteFabric fabric = parse_net(text);
  EXPECT_EQ(std::ranges::count(fabric.names, "node1 mlx5_0"), 0);
  EXPECT_EQ(std::ranges::count(fabric.names, "H-e41d2d0300000002"), 1);
}

TEST(Ibnetdiscover, RefusesWithFileAndLine) {
  expect_refused(parse_net, "[1] \"S-1\"[2] # \"x\" lid 1 4xNDR\n",
                 "net.topo:1: expected a line 'Switch' or 'Ca'");
  expect_refused(parse_net, "hello\n", "net.topo:1: expected a line of ibnetdiscover");
  expect_refused(parse_net, "", "net.topo: names no host");
  expect_refused(parse_net, std::string(1 << 20, 'x'), "net.topo:1: is longer");
  expect_refused(parse_net, replaced("[1]\t\"S-b000000000000001\"[33]", "[1]\t\"S-b000000000000001\"[34]"),
                 "gives the other end another peer");
  expect_refused(parse_net, replaced("[2]\t\"S-b000000000000002\"[33]", "[1]\t\"S-b000000000000002\"[33]"),
                 "net.topo:24: port 1 is listed twice");
  expect_refused(parse_net, replaced("\"H-e41d2d0300000001\"[1]", "\"H-e41d2d03000000ff\"[1]"),
                 "net.topo:11: the file has no block of 'H-e41d2d03000000ff'");
  expect_refused(parse_net,
                 replaced("Switch	65 \"S-b000000000000002\"", "Switch	65 \"S-b000000000000001\""),
                 "has a block already");
}

}  // namespace
}  // namespace assay::model::fabric::site

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/site/infiniband/ibnetdiscover.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "model/fabric/site/tests/refused.hpp"

namespace assay::model::fabric::site {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

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

void replace_all(std::string& text, const std::string& what, const std::string& with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
    text.replace(at, what.size(), with);
}

/// The rate of the first cable whose ends have these names.
double gbit_between(const SiteFabric& site, const std::string& lower, const std::string& upper) {
  for (LinkId link = 0; link < site.topology.links(); ++link)
    if (site.names[site.topology.from(link)] == lower && site.names[site.topology.to(link)] == upper)
      return site.topology.capacity(link) / LinkSpeed{.gbit_per_s = 1}.goodput();
  ADD_FAILURE() << "no cable joins " << lower << " with " << upper;
  return 0;
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
  const NodeId slow = node.at("node2"), fast = node.at("node1 mlx5_0");
  EXPECT_EQ(fabric.topology.leaf_of(slow), node.at("MF0;leaf-b:MQM9700/U1"));
  EXPECT_DOUBLE_EQ(fabric.topology.capacity(fast), LinkSpeed{}.goodput());
  EXPECT_DOUBLE_EQ(fabric.topology.capacity(slow), LinkSpeed{.gbit_per_s = 200}.goodput());
  EXPECT_EQ(fabric.topology.tier_of(node.at("MF0;spine-a:MQM9700/U1")), 2U);
}

TEST(Ibnetdiscover, NodesOfOneDescriptionAreNamedByGuid) {
  std::string text = two_leaves;
  replace_all(text, "node1 mlx5_1", "node1 mlx5_0");
  const SiteFabric fabric = parse_net(text);
  EXPECT_EQ(std::ranges::count(fabric.names, "node1 mlx5_0"), 0);
  EXPECT_EQ(std::ranges::count(fabric.names, "H-e41d2d0300000002"), 1);
}

TEST(Ibnetdiscover, RefusesWithFileAndLine) {
  expect_refused(parse_net, "[1] \"S-1\"[2] # \"x\" lid 1 4xNDR\n",
                 "net.topo:1: expected a line 'Switch' or 'Ca'");
  expect_refused(parse_net, "hello\n", "net.topo: expected a line of ibnetdiscover");
  expect_refused(parse_net, "hello\n", "line 1 is 'hello'");
  expect_refused(parse_net, replaced("[1]\t\"H-e41d2d0300000001\"[1]", "[1]\t\"H-e41d2d0300000001"),
                 "net.topo:11: expected a line of ibnetdiscover");
  expect_refused(parse_net, replaced("[1]\t\"S-b000000000000001\"", "[1]\t\"S-b0000000000000ff\""),
                 "net.topo:23: the file has no block of 'S-b0000000000000ff'");
  expect_refused(parse_net, "", "net.topo: names no host");
  expect_refused(parse_net, replaced("[1]\t\"S-b000000000000001\"[33]", "[1]\t\"S-b000000000000001\"[255]"),
                 "net.topo:23: expected the number of a port up to 254, got 255");
  expect_refused(parse_net, std::string(1 << 20, 'x'), "net.topo:1: is longer");
  expect_refused(parse_net, replaced("[1]\t\"S-b000000000000001\"[33]", "[1]\t\"S-b000000000000001\"[34]"),
                 "gives the other end another peer");
  expect_refused(parse_net, replaced("[2]\t\"S-b000000000000002\"[33]", "[1]\t\"S-b000000000000002\"[33]"),
                 "net.topo:24: port 1 is listed twice");
  expect_refused(parse_net,
                 replaced("Switch	65 \"S-b000000000000002\"", "Switch	65 \"S-b000000000000001\""),
                 "has a block already");
}

TEST(Ibnetdiscover, LeavesOutWhatHasNoBlockAndSaysSo) {
  std::string text = two_leaves;
  text.erase(text.find("caguid=0xb000000000000101"));
  EXPECT_THAT(parse_net(text).notes,
              ElementsAre("left out 1 aggregation node of switches (line 13: H-b000000000000101)"));
  text.erase(text.find("caguid=0xe41d2d0300000003"));
  const SiteFabric site = parse_net(text);
  EXPECT_EQ(site.topology.hosts(), 2U);
  EXPECT_THAT(site.notes, ElementsAre(HasSubstr("aggregation node"),
                                      "left out 1 adapter without a block (line 18: H-e41d2d0300000003)"));
}

TEST(Ibnetdiscover, LeavesOutTestLoopsAndRouters) {
  const SiteFabric site =
      parse_net(replaced("[65]\t\"H-b00",
                         "[40]\t\"S-b000000000000001\"[41]\t\t# \"MF0;leaf-a:MQM9700/U1\" lid 1 4xNDR\n"
                         "[41]\t\"S-b000000000000001\"[40]\t\t# \"MF0;leaf-a:MQM9700/U1\" lid 1 4xNDR\n"
                         "[42]\t\"S-b000000000000001\"[42]\t\t# \"MF0;leaf-a:MQM9700/U1\" lid 1 4xNDR\n"
                         "[43]\t\"R-b000000000000055\"[1](b0)\t\t# \"gate\" lid 9 4xNDR\n[65]\t\"H-b00"));
  EXPECT_EQ(site.topology.links(), 2U * 5U);
  EXPECT_THAT(site.notes,
              ElementsAre(HasSubstr("aggregation node"), "left out 1 router (line 16: R-b000000000000055)",
                          "left out 2 cables from a node to itself (line 13, line 15)"));
}

TEST(Ibnetdiscover, SkipsLinesThatAreNoPartOfTheList) {
  const std::string warning = "ibwarn: [4242] _do_madrpc: recv failed: Connection timed out\n";
  std::string text = warning + "src/query_smp.c:228; umad (DR path slid 0; dlid 0; 0,1,1) bad status 110\n" +
                     replaced("switchguid=0xb000000000000003", warning + "switchguid=0xb000000000000003");
  const SiteFabric site = parse_net(text);
  EXPECT_EQ(site.topology.links(), 2U * 5U);
  EXPECT_THAT(
      site.notes.front(),
      HasSubstr("skipped 3 lines that are not part of the list, line 1 is 'ibwarn: [4242] _do_madrpc"));
}

TEST(Ibnetdiscover, ReadsRatesOfFullLists) {
  std::string text = two_leaves;
  replace_all(text, "4xNDR\n", "4xEDR s=4 w=2 v=4\n");
  replace_all(text, "4xHDR\n", "2xHDR s=1 w=16 v=4 e=4\n");
  const SiteFabric site = parse_net(text);
  EXPECT_DOUBLE_EQ(gbit_between(site, "node1 mlx5_0", "MF0;leaf-a:MQM9700/U1"), 100);
  EXPECT_DOUBLE_EQ(gbit_between(site, "MF0;leaf-a:MQM9700/U1", "MF0;spine-a:MQM9700/U1"), 100);
  EXPECT_DOUBLE_EQ(gbit_between(site, "node2", "MF0;leaf-b:MQM9700/U1"), 100);
  EXPECT_THAT(site.assumed, IsEmpty());
}

TEST(Ibnetdiscover, NamesRatesThatAreAssumed) {
  std::string text = two_leaves;
  replace_all(text, " lid 13 4xHDR", " lid 13 4x???");
  replace_all(text, " lid 2 4xHDR", " lid 2 4x???");
  replace_all(text, " lid 12 4xNDR", " lid 12");
  replace_all(text, "[1]\t\t# lid 12 lmc 0 \"MF0;leaf-b:MQM9700/U1\" lid 2 4xNDR", "[1]");
  text.replace(text.find("lid 11 4xNDR"), 12, "lid 11 4xGDR");
  const SiteFabric site = parse_ibnetdiscover(text, "net.topo", {.gbit_per_s = 100});
  EXPECT_THAT(
      site.assumed,
      ElementsAre("100 Gbit/s for 1 cable whose rate the list does not state (line 32)",
                  testing::StartsWith(
                      "100 Gbit/s for 1 cable of a rate that this version does not know (line 36: 4x???")));
  EXPECT_THAT(
      site.notes.front(),
      "1 cable with a rate that this version does not know at one end, that of the other counts (line 11: "
      "4xGDR)");
  EXPECT_DOUBLE_EQ(gbit_between(site, "node1 mlx5_0", "MF0;leaf-a:MQM9700/U1"), 400);
  EXPECT_DOUBLE_EQ(gbit_between(site, "node2", "MF0;leaf-b:MQM9700/U1"), 100);
}

TEST(Ibnetdiscover, TakesTheLowerOfTwoRatesAndSaysSo) {
  const SiteFabric site = parse_net(replaced("lid 3 4xNDR", "lid 3 1xNDR"));
  EXPECT_THAT(site.notes.front(),
              "1 cable with another rate at each end, the lower counts (line 12: 1xNDR and "
              "line 23: 4xNDR)");
  EXPECT_DOUBLE_EQ(gbit_between(site, "MF0;leaf-a:MQM9700/U1", "MF0;spine-a:MQM9700/U1"), 100);
}

TEST(Ibnetdiscover, NamesParallelCablesOfUnlikeRates) {
  std::string text =
      replaced("[33][ext 17]\t", "[34]\t\"S-b000000000000003\"[9]\t\t# \"x\" lid 3 2xNDR\n[33][ext 17]\t");
  replace_all(text, "[2]\t\"S-b000000000000002\"[33]",
              "[9]\t\"S-b000000000000001\"[34]\t\t# \"x\" lid 1 2xNDR\n[2]\t\"S-b000000000000002\"[33]");
  EXPECT_THAT(parse_net(text).notes,
              testing::Contains("parallel cables of unlike rates join MF0;leaf-a:MQM9700/U1 and "
                                "MF0;spine-a:MQM9700/U1: 200 Gbit/s (line 12), 400 Gbit/s (line 13)"));
}

TEST(Ibnetdiscover, AnAdapterOfTwoPortsIsOneHostWithTwo) {
  std::string text = two_leaves;
  replace_all(text, "\"H-e41d2d0300000002\"[1]", "\"H-e41d2d0300000001\"[2]");
  const std::size_t own = text.find("caguid=0xe41d2d0300000002"), port = text.find("[1](e41d2d0300000002)");
  text.erase(own, port - own).replace(own, 3, "[2]");
  text.erase(own - 1, 1);
  const SiteFabric site = parse_net(text);
  EXPECT_EQ(site.topology.hosts(), 3U);
  EXPECT_THAT(site.names, testing::IsSupersetOf({"node1 mlx5_0/1", "node1 mlx5_0/2", "node2"}));
}

TEST(Ibnetdiscover, KeepsNamesOfAnyLetters) {
  for (const std::string name :
       {"node 01 (rack 3)", "node02,x", "node03[1]", "node'00'", "no\"de", "(", "a # b"}) {
    std::string text = two_leaves;
    replace_all(text, "\"node2 mlx5_0\"", "\"" + name + " mlx5_0\"");
    EXPECT_EQ(std::ranges::count(parse_net(text).names, name), 1) << name;
  }
}

TEST(Ibnetdiscover, HasNoControlCharacters) {
  std::string text = two_leaves;
  replace_all(text, "4xHDR", "4x\x01\xff");
  replace_all(text, "node2 mlx5_0", "no\tde\x02 mlx5_0");
  const SiteFabric site = parse_net(text);
  EXPECT_EQ(std::ranges::count(site.names, "no de"), 1);
  EXPECT_THAT(site.assumed, ElementsAre(HasSubstr("(line 36: 4x)")));
}

TEST(Ibnetdiscover, ChoosesPorts) {
  const auto parse = [](const std::string& text, const std::string& end) {
    return parse_ibnetdiscover(text, "net.topo", {},
                               [&](const std::string& name) { return name.ends_with(end); });
  };
  const SiteFabric site = parse(two_leaves, " mlx5_0/1");
  EXPECT_THAT(std::vector(site.names.begin(), site.names.begin() + 2), ElementsAre("node1", "node2"));
  EXPECT_THAT(site.notes.back(), "left out 1 port that --ports does not choose (node1 mlx5_1/1)");
  expect_refused(
      [&](const std::string& text) { parse(text, "none"); }, two_leaves,
      "net.topo: --ports chooses none of its 3 ports: expected a glob over names such as node1 mlx5_0/1");
}

TEST(Ibnetdiscover, LeavesOutSwitchesThatNoChosenPortReaches) {
  std::string text = two_leaves;
  for (const char* gone : {"[33]\t\"S-b000000000000003\"[2]\t\t# \"MF0;spine-a:MQM9700/U1\" lid 3 4xNDR\n",
                           "[2]\t\"S-b000000000000002\"[33]\t\t# \"MF0;leaf-b:MQM9700/U1\" lid 2 4xNDR\n"})
    replace_all(text, gone, "");
  const SiteFabric site = parse_ibnetdiscover(
      text, "net.topo", {}, [](const std::string& name) { return name == "node1 mlx5_0/1"; });
  EXPECT_THAT(site.names, ElementsAre("node1", "MF0;leaf-a:MQM9700/U1", "MF0;spine-a:MQM9700/U1"));
  EXPECT_THAT(site.notes.back(), "left out switches that no chosen port reaches: 1 (MF0;leaf-b:MQM9700/U1)");
}

TEST(Ibnetdiscover, TakesBlocksThatAreListedTwice) {
  const std::string text = two_leaves;
  const std::size_t begin = text.find("switchguid=0xb000000000000003"), end = text.find("caguid=");
  EXPECT_EQ(parse_net(text + text.substr(begin, end - begin)).topology.links(), 2U * 5U);
}

}  // namespace
}  // namespace assay::model::fabric::site

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/site/subnet_lids.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/fabric/site/infiniband/ibnetdiscover.hpp"
#include "model/fabric/site/links_file.hpp"
#include "model/fabric/site/tests/refused.hpp"

namespace assay::model::fabric::site {
namespace {

using testing::HasSubstr;

/// One switch with two adapters; `lid` of each as the list has it.
std::string list_with(const std::string& first, const std::string& second) {
  return "Switch\t8 \"S-000000000000000a\"\t\t# \"leaf\" base port 0 lid 3 lmc 0\n"
         "[5]\t\"H-00000000000000b1\"[1](c1) \t\t# \"node1 mlx5_0\" lid 4 4xHDR\n"
         "[6]\t\"H-00000000000000b2\"[2](c2) \t\t# \"node2 mlx5_0\" lid 6 4xHDR\n\n"
         "Ca\t1 \"H-00000000000000b1\"\t\t# \"node1 mlx5_0\"\n[1](c1) \t\"S-000000000000000a\"[5]\t\t#" +
         first +
         " \"leaf\" lid 3 4xHDR\n\nCa\t2 \"H-00000000000000b2\"\t\t# \"node2 mlx5_0\"\n"
         "[2](c2) \t\"S-000000000000000a\"[6]\t\t#" +
         second + " \"leaf\" lid 3 4xHDR\n";
}

constexpr const char* subnet_list =
    "{ SW Ports:08 SystemGUID:0a NodeGUID:0a PortGUID:0a VenID:0 DevID:0 Rev:0 {leaf} LID:0003 PN:05 } { CA "
    "Ports:01 "
    "SystemGUID:b1 NodeGUID:b1 PortGUID:c1 VenID:0 DevID:0 Rev:0 {node1 LID:9 mlx5_0} LID:001A PN:01 } "
    "PHY=4x\n"
    "{ CA-SM Ports:02 NodeGUID:b2 PortGUID:c2 {node2 mlx5_0} LID:0006 PN:02 } { SW Ports:08 NodeGUID:0a "
    "{leaf} LID:0003 "
    "PN:06 } PHY=4x\n";

TEST(SubnetLids, AreThoseOfTheListWhereItHasThem) {
  const SiteFabric site = parse_ibnetdiscover(list_with(" lid 4 lmc 1", " lid 6 lmc 0"), "net");
  ASSERT_EQ(site.ports.size(), 2U);
  EXPECT_EQ(site.ports[0].lid, 4U);
  EXPECT_EQ(site.ports[0].lmc, 1U);
  const std::string text = links_file(site, "net", {"a.lfts", "b.lfts"});
  EXPECT_THAT(text, HasSubstr("routing = { kind = \"tables\", file = [\"a.lfts\", \"b.lfts\"] }\n"));
  EXPECT_THAT(text, HasSubstr("\"host0>leaf0:5\",\n  \"host1>leaf0:6\""));
  EXPECT_THAT(text,
              HasSubstr("[subnet]\nlids = \"4/1,6\"\nswitches = [\n  \"leaf0=000000000000000a\",\n]\n"));
  EXPECT_THAT(links_file(site, "net"), testing::Not(HasSubstr("subnet")));
}

TEST(SubnetLids, ComeFromOpensmsListToo) {
  SiteFabric site = parse_ibnetdiscover(list_with("", ""), "net");
  expect_refused([&](const std::string&) { links_file(site, "net", {"a"}); }, "",
                 "net: states no LID of node1");
  parse_subnet_lids(subnet_list, "opensm-subnet.lst", site);
  EXPECT_THAT(links_file(site, "net", {"a"}), HasSubstr("lids = \"26,6\""));
}

TEST(SubnetLids, RefuseAnotherFile) {
  SiteFabric site = parse_ibnetdiscover(list_with("", ""), "net");
  expect_refused([&](const std::string& text) { parse_subnet_lids(text, "list", site); }, "hello\n",
                 "list: expected lines with NodeGUID");
}

TEST(SubnetLids, BeyondTheirRangesAreRefusedWithTheLine) {
  SiteFabric site = parse_ibnetdiscover(list_with("", ""), "net");
  const auto refused = [&](const std::string& text, const std::string& message) {
    expect_refused([&](const std::string& own) { parse_subnet_lids(own, "list", site); }, text, message);
  };
  refused("\n{ CA NodeGUID:b1 {n} LID:10000001A PN:01 }\n",
          "list:2: LID: expected at most BFFF, got 10000001A");
  refused("{ CA NodeGUID:b1 {n} LID:001A PN:100 }\n", "list:1: PN: expected at most FE, got 100");
}

TEST(SubnetLids, OfAPortThatHasNoneYetAreNotStated) {
  const SiteFabric site = parse_ibnetdiscover(list_with(" lid 65535 lmc 0", " lid 6 lmc 0"), "net");
  EXPECT_EQ(site.ports[0].lid, 0U);
  expect_refused([](const std::string& text) { parse_ibnetdiscover(text, "net"); },
                 list_with(" lid 4 lmc 8", ""), "net:6: expected an LMC up to 7, got 8");
}

}  // namespace
}  // namespace assay::model::fabric::site

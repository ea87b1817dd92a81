// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/site/links_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/fabric/site/site_names.hpp"

namespace assay::model::fabric::site {
namespace {

using testing::HasSubstr;
using testing::Not;

SiteEnd adapter(const std::string& node, const std::string& port) { return {node, port, false}; }
SiteEnd port_of(const std::string& node, int port) { return {node, std::to_string(port), true}; }

/// node10 is listed first; the second cable of spine-a is slower.
std::vector<SiteCable> cables_of_two_leaves() {
  return {{adapter("node10", "mlx5_0"), port_of("leaf-a", 1), 400, 1},
          {adapter("node10", "mlx5_1"), port_of("leaf-b", 1), 400, 2},
          {adapter("node2", "mlx5_0"), port_of("leaf-a", 2), 400, 3},
          {adapter("node2", "mlx5_1"), port_of("leaf-b", 2), 400, 4},
          {port_of("leaf-a", 33), port_of("spine-a", 1), 400, 5},
          {port_of("leaf-b", 33), port_of("spine-a", 2), 200, 6}};
}

TEST(LinksFile, NumbersPortsOfANodeInARowAndDegradesSlowCables) {
  SiteFabric site = site_fabric(cables_of_two_leaves(), "cables");
  site.assumed = {"rates of nothing"};
  const std::string text = links_file(site, "cables (lldp)");
  EXPECT_THAT(text, HasSubstr("# Read from cables (lldp).\n# Assumed: rates of nothing\npreset = \"links\"\n"
                              "nodes = \"node2,node10\"\nhost = { gpus = 2 }\nlinks = [\n"));
  for (const char* cable : {"host0>leaf0", "host1>leaf1", "host2>leaf0", "host3>leaf1", "leaf0>spine0"})
    EXPECT_THAT(text, HasSubstr("  \"" + std::string(cable) + "\",\n"));
  EXPECT_THAT(text, HasSubstr("[link]\ngbit_per_s = 400\n"));
  for (const char* link : {"leaf1>spine0", "spine0>leaf1"})
    EXPECT_THAT(text, HasSubstr("[[degraded]]\nlink = \"" + std::string(link) + "\"\nfactor = 0.5\n"));
  EXPECT_THAT(text, HasSubstr("# leaf1 = leaf-b\n# spine0 = spine-a\n"));
}

TEST(LinksFile, NamesPortsWhereNodesHaveUnequalNumbers) {
  std::vector<SiteCable> cables = cables_of_two_leaves();
  cables.erase(cables.begin());
  EXPECT_THAT(links_file(site_fabric(cables, "cables"), "cables"),
              HasSubstr("nodes = \"node2 rail0,node2 rail1,node10\"\nlinks = ["));
}

TEST(LinksFile, QuotesAndEscapesNamesOfNodes) {
  std::vector<SiteCable> cables{{adapter("no\"de", "p0"), port_of("leaf", 1), 400, 1},
                                {adapter("other, [1]", "p0"), port_of("leaf", 2), 400, 2}};
  EXPECT_THAT(links_file(site_fabric(cables, "cables"), "cables"),
              HasSubstr(R"(nodes = "\u0022no\u0022\u0022de\u0022,\u0022other, [1]\u0022")"));
}

TEST(LinksFile, KeepsBlanksInNamesOfNodes) {
  std::vector<SiteCable> cables{{adapter("node 01 (rack 3)", "mlx5_0"), port_of("leaf", 1), 400, 1},
                                {adapter("node 02 (rack 3)", "mlx5_0"), port_of("leaf", 2), 400, 2}};
  EXPECT_THAT(links_file(site_fabric(cables, "cables"), "cables"),
              HasSubstr("nodes = \"node 01 (rack 3),node 02 (rack 3)\"\nhost = { gpus = 1 }\n"));
}

TEST(LinksFile, StatesTheRateOfATier) {
  std::vector<SiteCable> cables = cables_of_two_leaves();
  for (SiteCable& cable : cables)
    if (cable.one.is_switch) cable.gbit_per_s = 200;
  const std::string text = links_file(site_fabric(cables, "cables"), "cables");
  EXPECT_THAT(text, HasSubstr("[link]\ngbit_per_s = 400\n\n[tier.spine]\ngbit_per_s = 200\n"));
  EXPECT_THAT(text, Not(HasSubstr("degraded")));
}

TEST(LinksFile, NumbersSlowParallelCables) {
  std::vector<SiteCable> cables = cables_of_two_leaves();
  cables.push_back({port_of("leaf-b", 34), port_of("spine-a", 3), 200, 7});
  cables.push_back({port_of("leaf-b", 35), port_of("spine-a", 4), 400, 8});
  const std::string text = links_file(site_fabric(cables, "cables"), "cables");
  for (const char* link : {"leaf1>spine0", "spine0>leaf1", "leaf1>spine0#2", "spine0>leaf1#2"})
    EXPECT_THAT(text, HasSubstr("link = \"" + std::string(link) + "\"\nfactor = 0.5\n"));
  EXPECT_THAT(text, Not(HasSubstr("#3\"")));
}

TEST(LinksFile, HasNotesAsRemarks) {
  SiteFabric site = site_fabric(cables_of_two_leaves(), "cables");
  site.notes = {"left out 1 router (line 3)"};
  EXPECT_THAT(links_file(site, "cables"), HasSubstr("# Note: left out 1 router (line 3)\n"));
}

TEST(SiteNames, CallsPortsByFileAndByAdapter) {
  std::vector<SiteCable> cables = cables_of_two_leaves();
  cables.erase(cables.begin());
  cables[1].one.full_port = "mlx5_0/1";
  const SiteFabric site = site_fabric(cables, "cables");
  std::vector<std::string> names;
  for (const auto& [name, host] : other_names(site)) names.push_back(name + "=" + site.names[host]);
  EXPECT_THAT(names,
              testing::ElementsAre("node2 rail0=node2 mlx5_0", "node2 mlx5_0=node2 mlx5_0",
                                   "node2 mlx5_0/1=node2 mlx5_0", "node2 rail1=node2 mlx5_1",
                                   "node2 mlx5_1=node2 mlx5_1", "node10=node10", "node10 mlx5_1=node10"));
}

TEST(SiteNames, CountsPortsAsPorts) {
  std::vector<SiteCable> cables = cables_of_two_leaves();
  EXPECT_EQ(counts_of(site_fabric(cables, "cables")), "2 hosts with 4 ports, 3 switches");
  cables = {{adapter("a", "p0"), port_of("leaf", 1), 400, 1},
            {adapter("b", "p0"), port_of("leaf", 2), 400, 2}};
  EXPECT_EQ(counts_of(site_fabric(cables, "cables")), "2 hosts, 1 switch");
}

}  // namespace
}  // namespace assay::model::fabric::site

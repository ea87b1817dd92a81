// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/site/links_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/fabric/site/tests/refused.hpp"

namespace assay::model::fabric::site {
namespace {

using testing::HasSubstr;

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

TEST(LinksFile, OfUnequalNodesHasNoNames) {
  std::vector<SiteCable> cables = cables_of_two_leaves();
  cables.erase(cables.begin());
  EXPECT_THAT(links_file(site_fabric(cables, "cables"), "cables"),
              HasSubstr("# nodes, with unequal numbers of ports: node2,node10\n"));
}

TEST(LinksFile, EscapesNamesOfNodes) {
  std::vector<SiteCable> cables{{adapter("no\"de", "p0"), port_of("leaf", 1), 400, 1},
                                {adapter("other", "p0"), port_of("leaf", 2), 400, 2}};
  EXPECT_THAT(links_file(site_fabric(cables, "cables"), "cables"),
              HasSubstr("nodes = \"no\\u0022de,other\"\n"));
}

TEST(LinksFile, RefusesParallelCablesOfTwoRates) {
  std::vector<SiteCable> cables = cables_of_two_leaves();
  cables.push_back({port_of("leaf-b", 34), port_of("spine-a", 3), 400, 7});
  expect_refused([&](const std::string& file) { links_file(site_fabric(cables, file), file); }, "cables",
                 "leaf-b and spine-a: expected parallel cables of one rate");
}

}  // namespace
}  // namespace assay::model::fabric::site

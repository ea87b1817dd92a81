// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/site/site_fabric.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <utility>

#include "model/fabric/site/infiniband/ibnetdiscover.hpp"
#include "model/fabric/site/links_file.hpp"
#include "model/fabric/site/tests/refused.hpp"

namespace assay::model::fabric::site {
namespace {

using testing::HasSubstr;

SiteFabric parse_list(const std::string& text) { return parse_ibnetdiscover(text, "net.topo"); }

/// A list of `cables`: "H-a1 mgr mlx5_0" with "S-b1", each by GUID and description.
std::string list_of(const std::map<std::string, std::string>& nodes,
                    const std::vector<std::pair<std::string, std::string>>& cables) {
  std::map<std::string, std::string> lines;
  std::map<std::string, int> ports;
  for (const auto& [one, other] : cables) {
    const std::string own = std::to_string(++ports[one]), peer = std::to_string(++ports[other]);
    lines[one] += "[" + own + "]\t\"" + other + "\"[" + peer + "]\t\t# \"x\" lid 1 4xNDR\n";
    lines[other] += "[" + peer + "]\t\"" + one + "\"[" + own + "]\t\t# \"x\" lid 1 4xNDR\n";
  }
  std::string text;
  for (const auto& [guid, description] : nodes)
    text += (guid.starts_with('S') ? "Switch\t8 \"" : "Ca\t2 \"") + guid + "\"\t\t# \"" + description +
            "\"\n" + lines[guid] + "\n";
  return text;
}

TEST(SiteShapes, JoinsTwoSwitchesWithoutASpine) {
  const SiteFabric site = parse_list(list_of(
      {{"S-1", "sw-a"}, {"S-2", "sw-b"}, {"H-1", "n1"}, {"H-2", "n2"}, {"H-3", "n3"}, {"H-4", "n4"}},
      {{"H-1", "S-1"}, {"H-2", "S-1"}, {"H-3", "S-2"}, {"H-4", "S-2"}, {"S-1", "S-2"}, {"S-1", "S-2"}}));
  EXPECT_EQ(site.topology.tiers(), 2U);
  EXPECT_EQ(site.topology.leaves(), 2U);
  EXPECT_EQ(site.topology.links(), 2U * 6U);
  EXPECT_EQ(site.topology.name_of_link(site.topology.link_named("leaf0>leaf1#2")), "leaf0>leaf1");
}

TEST(SiteShapes, ALeafWithoutHostsIsALeaf) {
  const std::map<std::string, std::string> nodes = {{"S-1", "leaf-a"},  {"S-2", "leaf-b"},  {"S-3", "leaf-c"},
                                                    {"S-4", "spine-a"}, {"S-5", "spine-b"}, {"S-6", "core-a"},
                                                    {"S-7", "spine-c"}, {"H-1", "n1"},      {"H-2", "n2"}};
  std::vector<std::pair<std::string, std::string>> cables = {{"H-1", "S-1"}, {"H-2", "S-2"}, {"S-1", "S-4"},
                                                             {"S-1", "S-5"}, {"S-2", "S-4"}, {"S-2", "S-5"},
                                                             {"S-3", "S-4"}, {"S-3", "S-5"}};
  std::map<std::string, std::string> without_core = nodes;
  without_core.erase("S-6");
  without_core.erase("S-7");
  const SiteFabric site = parse_list(list_of(without_core, cables));
  EXPECT_EQ(site.topology.leaves(), 3U);
  EXPECT_EQ(site.topology.tiers(), 3U);
  EXPECT_THAT(site.notes, testing::Contains(HasSubstr("cabled as leaves: leaf-c")));
  // A core switch reaches spines of several pods.
  cables = {{"H-1", "S-1"}, {"H-2", "S-2"}, {"S-1", "S-4"}, {"S-1", "S-5"},
            {"S-2", "S-7"}, {"S-6", "S-4"}, {"S-6", "S-7"}};
  std::map<std::string, std::string> with_core = nodes;
  with_core.erase("S-3");
  EXPECT_EQ(parse_list(list_of(with_core, cables)).topology.tiers(), 4U);
}

TEST(SiteShapes, ASpineWithAManagerStaysASpine) {
  const SiteFabric site = parse_list(list_of({{"S-1", "leaf-a"},
                                              {"S-2", "leaf-b"},
                                              {"S-3", "spine-a"},
                                              {"S-4", "spine-b"},
                                              {"H-1", "n1"},
                                              {"H-2", "n2"},
                                              {"H-3", "n3"},
                                              {"H-4", "n4"},
                                              {"H-9", "manager"}},
                                             {{"H-1", "S-1"},
                                              {"H-2", "S-1"},
                                              {"H-3", "S-2"},
                                              {"H-4", "S-2"},
                                              {"H-9", "S-3"},
                                              {"S-1", "S-3"},
                                              {"S-1", "S-4"},
                                              {"S-2", "S-3"},
                                              {"S-2", "S-4"}}));
  ASSERT_EQ(site.topology.tiers(), 3U);
  EXPECT_EQ(site.topology.leaves(), 2U);
  EXPECT_THAT(links_file(site, "net.topo"), HasSubstr("  \"host0>spine0\",\n"));
}

TEST(SiteShapes, RefusesACableToItself) {
  const std::vector<SiteCable> cables{{{"n1", "p", false}, {"leaf", "1"}, 400, 1},
                                      {{"leaf", "40"}, {"leaf", "41"}, 400, 7}};
  expect_refused([&](const std::string& file) { site_fabric(cables, file); }, "cables",
                 "cables:7: a cable joins 'leaf' with itself");
}

}  // namespace
}  // namespace assay::model::fabric::site

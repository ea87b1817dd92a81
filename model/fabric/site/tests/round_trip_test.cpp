// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A fabric file that was made of a site is the site again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/fabric/file/build_fabric.hpp"
#include "model/fabric/site/links_file.hpp"

namespace assay::model::fabric::site {
namespace {

const std::vector<std::string> odd_names = {"node 01 (rack 3)", "node02,x", "node03[1]", "node'00'",
                                            "no\"de",           "\"",       "[",         "a # b",
                                            "back\\slash",      "n\xC3\xB6"};

SiteCable host_cable(const std::string& host, const std::string& port, const std::string& leaf, double rate) {
  static int next = 0;
  return {{host, port, false}, {leaf, "h" + std::to_string(++next)}, rate, 1};
}

FabricFile file_of(const SiteFabric& site) { return parse_fabric(links_file(site, "list"), "site.toml"); }

TEST(LinksFileRoundTrip, KeepsNamesOfAnyLetters) {
  for (const std::size_t ports : {1U, 2U}) {
    std::vector<SiteCable> cables;
    for (const std::string& name : odd_names)
      for (std::size_t port = 0; port < ports; ++port)
        cables.push_back(host_cable(name, "p" + std::to_string(port), "leaf", 400));
    const FabricFile file = file_of(site_fabric(cables, "list"));
    EXPECT_THAT(file.nodes, testing::UnorderedElementsAreArray(odd_names));
    EXPECT_EQ(file.server.gpus, ports);
  }
}

TEST(LinksFileRoundTrip, KeepsNamesOfNodesWithUnequalPorts) {
  const FabricFile file =
      file_of(site_fabric({host_cable("a,b", "p0", "leaf", 400), host_cable("a,b", "p1", "leaf", 400),
                           host_cable("c", "p0", "leaf", 400)},
                          "list"));
  const Topology topology = topology_of(file);
  std::vector<std::string> names;
  for (NodeId node = 0; node < topology.nodes(); ++node) names.push_back(topology.name_of(node));
  EXPECT_THAT(names, testing::ElementsAre("a,b rail0", "a,b rail1", "c", "leaf0"));
}

TEST(LinksFileRoundTrip, KeepsTheRateOfEveryCable) {
  std::vector<SiteCable> cables{host_cable("n1", "p0", "leaf-a", 400), host_cable("n2", "p0", "leaf-b", 200)};
  int port = 0;
  for (const auto& [leaf, rate] : std::vector<std::pair<std::string, double>>{
           {"leaf-a", 50}, {"leaf-a", 50}, {"leaf-b", 200}, {"leaf-b", 100}, {"leaf-b", 50}})
    cables.push_back({{leaf, "u" + std::to_string(++port)}, {"spine", std::to_string(port)}, rate, 1});
  const SiteFabric site = site_fabric(cables, "list");
  const Topology again = topology_of(file_of(site));
  ASSERT_EQ(again.links(), site.topology.links());
  for (LinkId link = 0; link < again.links(); ++link)
    EXPECT_NEAR(again.capacity(link), site.topology.capacity(link), 1e-4) << again.name_of_link(link);
}

}  // namespace
}  // namespace assay::model::fabric::site

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/presets.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "harness/core/error.hpp"
#include "model/fabric/routing/routing.hpp"

namespace assay::model::fabric {
namespace {

/// Links of the path between two hosts.
std::size_t links_between(const Topology& topology, NodeId source, NodeId destination) {
  std::size_t links = 0;
  Router(topology, {}).route(source, destination, 1, 0, [&](std::span<const LinkId> path, std::uint64_t) {
    links = path.size();
    for (std::size_t hop = 1; hop < path.size(); ++hop) {
      EXPECT_EQ(topology.to(path[hop - 1]), topology.from(path[hop]));
      EXPECT_LT(path[hop - 1], path[hop]) << "numbers rise along a path";
    }
    EXPECT_EQ(topology.from(path.front()), source);
    EXPECT_EQ(topology.to(path.back()), destination);
  });
  return links;
}

TEST(Presets, CountsAndDiameters) {
  const Topology one = star(32);
  EXPECT_EQ(one.links(), 64U);
  EXPECT_EQ(links_between(one, 0, 31), 2U);

  const Topology zone = ai_zone({.leaves = 256});
  EXPECT_EQ(zone.hosts(), 4096U);
  EXPECT_EQ(zone.links(), 4U * 4096);
  EXPECT_EQ(links_between(zone, 0, 15), 2U);
  EXPECT_EQ(links_between(zone, 0, 4095), 4U);
  EXPECT_EQ(zone.slot_of(4095), 15U);

  const Topology tree = fat_tree(12);
  EXPECT_EQ(tree.hosts(), 432U);
  EXPECT_EQ(links_between(tree, 0, 35), 4U) << "within a pod";
  EXPECT_EQ(links_between(tree, 0, 36), 6U);
}

TEST(Presets, ADataCentreOfEightZonesOneToSeven) {
  const Topology centre = data_centre();
  EXPECT_EQ(centre.hosts(), 24576U);
  EXPECT_EQ(links_between(centre, 0, 3071), 4U);
  EXPECT_EQ(links_between(centre, 0, 3072), 6U);
  const NodeId spine = centre.node_named("spine127");
  EXPECT_EQ(centre.end_up(spine) - centre.first_up(spine), 28U);
  EXPECT_NEAR(centre.capacity(centre.first_up(spine)), LinkSpeed{.gbit_per_s = 391.84}.goodput(), 2);
  double up = 0, down = 0;
  for (LinkId link = centre.first_up(spine); link < centre.end_up(spine); ++link) up += centre.capacity(link);
  for (LinkId link = centre.first_down(spine); link < centre.end_down(spine); ++link)
    down += centre.capacity(link);
  EXPECT_NEAR(down / up, 7, 1e-9);
}

TEST(Presets, The32768GpusAreBuiltFast) {
  const auto begin = std::chrono::steady_clock::now();
  const Topology centre = data_centre({.zone = {.leaves = 256}});
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  EXPECT_EQ(centre.hosts(), 32768U);
  RecordProperty("build_s", std::to_string(took.count()));
  EXPECT_LT(took.count(), 1)
      << "0.1 s is asked for of a build that is optimised on a machine without other load";
}

TEST(Presets, ARailJoinsTheSameGpuOfEveryNode) {
  const Topology rails = rail({.groups = 2, .nodes_per_group = 4, .spines = 2});
  EXPECT_EQ(rails.hosts(), 64U);
  EXPECT_EQ(links_between(rails, 3, 8 + 3), 2U) << "one rail of one group";
  EXPECT_EQ(links_between(rails, 3, 8 + 4), 4U);
  EXPECT_EQ(links_between(rails, 3, 32 + 3), 4U);
  EXPECT_EQ(rails.name_of(rails.leaf_of(32 + 5)), "leaf13");
}

TEST(Presets, AnExplicitListHasTheTiersOfItsKinds) {
  const Topology listed =
      from_cables({{"gpu0", "tor0"}, {"gpu1", "tor0"}, {"gpu2", "tor1"}, {"tor0", "top0"}, {"tor1", "top0"}});
  EXPECT_EQ(listed.hosts(), 3U);
  EXPECT_EQ(listed.tiers(), 3U);
  EXPECT_EQ(links_between(listed, 0, 2), 4U);
  EXPECT_EQ(listed.name_of_link(listed.link_named("top0>tor1")), "top0>tor1");
}

void expect_refused(const std::function<void()>& build, const char* reason) {
  try {
    build();
    FAIL() << "not refused: " << reason;
  } catch (const core::Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr(reason));
    EXPECT_THAT(error.what(), testing::Not(testing::HasSubstr("\n")));
  }
}

TEST(Presets, RefuseWhatIsNoFabric) {
  expect_refused([] { star(0); }, "hosts must be at least 1");
  expect_refused([] { ai_zone({.leaves = 0}); }, "leaves must be at least 1");
  expect_refused([] { ai_zone({.leaves = 1U << 31U}); }, "too large");
  expect_refused([] { data_centre({.ratio = 0}); }, "ratio must be above 0");
  expect_refused([] { fat_tree(5); }, "even number of ports");
  expect_refused([] { star(4, {.gbit_per_s = -1}); }, "above 0 Gbit/s");
  expect_refused([] { star(4, {.hop_latency_us = -1}); }, "at least 0 us");
  expect_refused([] { from_cables({}); }, "empty");
  expect_refused([] { from_cables({{"host", "leaf0"}}); }, "kind and a number");
  expect_refused([] { from_cables({{"host0", "leaf0"}, {"leaf0", "host0"}}); }, "host0 has 2 cables");
  expect_refused([] { from_cables({{"gpu0", "leaf0"}, {"leaf0", "gpu0"}}); }, "no order of tiers");
  expect_refused([] { from_cables({{"host0", "leaf0"}, {"leaf0", "leaf0"}}); },
                 "leaf0>leaf0 joins a node with itself");
  expect_refused([] { from_cables({{"host0", "leaf0"}, {"host0", "leaf1"}}); }, "host0 has 2 cables");
  expect_refused([] { from_cables({{"host1", "leaf0"}}); }, "names host1 but not all before it");
}

}  // namespace
}  // namespace assay::model::fabric

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/locate/paths/incidence.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "model/fabric/locate/paths/unknown_paths.hpp"
#include "model/fabric/presets.hpp"

namespace assay::model::fabric::locate {
namespace {

TEST(UnknownPaths, EveryEqualCostLinkIsEquallyLikely) {
  const Topology topology = ai_zone({.leaves = 4, .gpus_per_leaf = 2, .spines = 4});
  const Router router(topology, {});
  const std::vector<LikelyLink> likely = likely_links(router, 0, 7);
  ASSERT_EQ(likely.size(), 2U + 4U + 4U);
  EXPECT_EQ(likely.front().probability, 1);
  EXPECT_EQ(likely.back().probability, 1);
  for (std::size_t at = 1; at + 1 < likely.size(); ++at) EXPECT_DOUBLE_EQ(likely[at].probability, 0.25);
}

TEST(UnknownPaths, InAFatTreeProbabilitiesOfEachTierAddUpToOne) {
  const Topology topology = fat_tree(4);
  const Router router(topology, {});
  double up = 0;
  for (const LikelyLink& link : likely_links(router, 0, 15))
    if (topology.from(link.link) == topology.leaf_of(0)) up += link.probability;
  EXPECT_DOUBLE_EQ(up, 1);
}

TEST(UnknownPaths, QueuePairsCrossBinomially) {
  const Response response = binomial_response(0.25, 2, 0.1);
  ASSERT_EQ(response.size(), 2U);
  EXPECT_NEAR(response[0].probability, 2 * 0.25 * 0.75, 1e-12);
  EXPECT_NEAR(response[0].slack, 0.1 + std::log(2.0), 1e-12);
  EXPECT_NEAR(response[1].probability, 0.0625, 1e-12);
  EXPECT_NEAR(response[1].slack, 0.1, 1e-12);
}

TEST(UnknownPaths, TheSlowerOfTwoFlowsHasTheLessSlack) {
  const Response slower = slower_of({{0.5, 0}}, {{0.5, 1}});
  ASSERT_EQ(slower.size(), 2U);
  EXPECT_DOUBLE_EQ(slower[0].probability, 0.5);
  EXPECT_DOUBLE_EQ(slower[1].probability, 0.25);
  EXPECT_EQ(slower[1].slack, 1);
}

/// The slack of the only measurement on a link.
double slack_on(const Topology& topology, const std::vector<Measurement>& measurements, const char* link,
                Concurrency concurrency) {
  const Router router(topology, {});
  const KnownPaths known = known_paths(router, measurements, concurrency);
  for (const KnownCrossing& crossing : known.crossings)
    if (crossing.measurement == 0 && topology.name_of_link(crossing.link) == link) return crossing.slack;
  ADD_FAILURE() << link << " is not crossed";
  return 0;
}

std::vector<LinkId> path_over(const Topology& topology, NodeId source, const std::string& spine,
                              NodeId destination) {
  const std::string from = topology.name_of(topology.leaf_of(source));
  const std::string to = topology.name_of(topology.leaf_of(destination));
  return {source, topology.link_named(from + ">" + spine), topology.link_named(spine + ">" + to),
          topology.link_to_host(destination)};
}

TEST(KnownPaths, AFlowAloneHasNoSlackWithOneQueuePairAndLnTwoWithTwo) {
  const Topology topology = ai_zone({.leaves = 2, .gpus_per_leaf = 2, .spines = 2});
  Measurement one{{{0, 2, {{std::nullopt, path_over(topology, 0, "spine0", 2)}}}}, 1};
  EXPECT_NEAR(slack_on(topology, {one}, "leaf0>spine0", Concurrency::alone), 0, 1e-12);
  one.flows.front().queue_pairs.push_back({std::nullopt, path_over(topology, 0, "spine1", 2)});
  EXPECT_NEAR(slack_on(topology, {one}, "leaf0>spine0", Concurrency::alone), std::log(2.0), 1e-12);
  EXPECT_NEAR(slack_on(topology, {one}, "host0>leaf0", Concurrency::alone), 0, 1e-12);
}

TEST(KnownPaths, ByTheAverageAQueuePairLosesWithItsLinkWithoutSlack) {
  const Topology topology = ai_zone({.leaves = 2, .gpus_per_leaf = 2, .spines = 2});
  const std::vector<Measurement> one = {{{{0,
                                           2,
                                           {{std::nullopt, path_over(topology, 0, "spine0", 2)},
                                            {std::nullopt, path_over(topology, 0, "spine1", 2)}}}},
                                         1}};
  const Router router(topology, {});
  const Elements elements(topology);
  const Incidence incidence(router, elements, one, Concurrency::alone, QueuePairRule::average);
  std::vector<double> falls;  // of each class, where its elements keep half
  for (std::size_t at = 0; at < incidence.classes(); ++at)
    falls.push_back(incidence.response(incidence.rows_of(at).front()).front().fall(std::log(2.0)));
  ASSERT_EQ(falls.size(), 2U);  // what the whole flow crosses, and one of two queue pairs
  EXPECT_NEAR(falls[0], std::log(2.0), 1e-12);
  EXPECT_NEAR(falls[1], std::log(4.0 / 3), 1e-12);
}

TEST(KnownPaths, TogetherFlowsShareALinkAndLeaveSlackOnOthers) {
  const Topology topology = ai_zone({.leaves = 2, .gpus_per_leaf = 2, .spines = 2});
  const std::vector<Measurement> two = {{{{0, 2, {{std::nullopt, path_over(topology, 0, "spine0", 2)}}}}, 1},
                                        {{{1, 3, {{std::nullopt, path_over(topology, 1, "spine0", 3)}}}}, 1}};
  EXPECT_NEAR(slack_on(topology, two, "leaf0>spine0", Concurrency::together), 0, 1e-12);
  EXPECT_NEAR(slack_on(topology, two, "host0>leaf0", Concurrency::together), std::log(2.0), 1e-12);
  const Router router(topology, {});
  EXPECT_NEAR(known_paths(router, two, Concurrency::together).rate[0], topology.capacity(0) / 2, 1e-9);
  EXPECT_NEAR(known_paths(router, two, Concurrency::alone).rate[0], topology.capacity(0), 1e-9);
}

TEST(Elements, ParallelCablesHaveNumbers) {
  const Topology topology = ai_zone({.leaves = 2, .gpus_per_leaf = 2, .spines = 1, .uplinks_per_spine = 2});
  const Elements elements(topology);
  const LinkId first = topology.link_named("leaf0>spine0");
  EXPECT_EQ(elements.name(first), "leaf0>spine0 #1");
  EXPECT_EQ(elements.name(first + 1), "leaf0>spine0 #2");
  EXPECT_EQ(elements.name(elements.of_cable(topology.reverse(first + 1))), "leaf0-spine0 #2");
  EXPECT_EQ(elements.name(elements.of_node(topology.node_named("spine0"))), "spine0");
  EXPECT_EQ(elements.links(elements.of_node(topology.node_named("spine0"))).size(), 8U);
}

}  // namespace
}  // namespace assay::model::fabric::locate

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/placement.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>

#include "harness/core/error.hpp"
#include "model/fabric/load.hpp"
#include "model/fabric/presets.hpp"
#include "model/fabric/rank_files.hpp"
#include "model/fabric/tests/vectors.hpp"

namespace assay::model::fabric {
namespace {

constexpr PlacementSettings search_only{.try_all_up_to = 0};

/// Symmetric: half each way.
TrafficGraph graph_of(const nlohmann::json& vector) {
  auto rows = vector.at("traffic").get<std::vector<std::vector<double>>>();
  for (auto& row : rows)
    for (double& bytes : row) bytes /= 2;
  return TrafficGraph::of_matrix(rows);
}

TEST(Placement, FindsTheOptimaOfTheVectors) {
  if (!has_vectors()) GTEST_SKIP() << no_vectors;
  const nlohmann::json vectors = vector_json("placement.json");
  ASSERT_FALSE(vectors.empty());
  for (const nlohmann::json& vector : vectors) {
    const TrafficGraph graph = graph_of(vector);
    const double optimum = vector.at("min_cut").get<double>();
    for (const PlacementSettings& settings : {PlacementSettings{}, search_only}) {
      const Placement placement = place(graph, vector.at("zones").get<int>(), settings);
      EXPECT_DOUBLE_EQ(placement.cut, optimum) << (placement.is_exact ? "all tried" : "searched");
      EXPECT_DOUBLE_EQ(placement.cut_before, vector.at("cut_in_index_order").get<double>());
      EXPECT_LE(placement.bound, optimum);
      EXPECT_DOUBLE_EQ(cut_of(graph, placement.zone_of), placement.cut);
    }
  }
}

TEST(Placement, TheSearchFindsTheOptimumUpTo14Vertices) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 30; ++round) {
    const int zones = 2 + round % 2, vertices = round % 2 == 0 ? 14 : 12;
    TrafficGraph graph(vertices);
    for (int one = 0; one < vertices; ++one)
      for (int other = 0; other < one; ++other)
        if (random() % 2 == 0) graph.add(one, other, static_cast<double>(1 + random() % 5));
    const Placement exact = place(graph, zones), searched = place(graph, zones, search_only);
    EXPECT_TRUE(exact.is_exact);
    EXPECT_FALSE(searched.is_exact);
    EXPECT_DOUBLE_EQ(searched.cut, exact.cut) << "round " << round;
  }
}

/// All ways to give zones to vertices.
double least_cut_of_all(const TrafficGraph& graph, std::vector<int> zone_of) {
  std::ranges::sort(zone_of);
  double least = cut_of(graph, zone_of);
  while (std::ranges::next_permutation(zone_of).found) least = std::min(least, cut_of(graph, zone_of));
  return least;
}

TEST(Placement, OfUnequalZonesIsTheLeastOfAll) {
  std::mt19937_64 random(5);
  const std::vector<std::vector<int>> all = {{4, 2, 1}, {1, 1, 6}, {2, 3, 2}, {5, 3}, {1, 7, 1}};
  for (int round = 0; round < 40; ++round) {
    const std::vector<int>& sizes = all[static_cast<std::size_t>(round) % all.size()];
    const int vertices = std::accumulate(sizes.begin(), sizes.end(), 0);
    TrafficGraph graph(vertices);
    for (int one = 0; one < vertices; ++one)
      for (int other = 0; other < one; ++other)
        if (random() % 2 == 0) graph.add(one, other, static_cast<double>(1 + random() % 5));
    const Placement exact = place(graph, sizes), searched = place(graph, sizes, search_only);
    EXPECT_DOUBLE_EQ(exact.cut, least_cut_of_all(graph, exact.zone_of)) << "round " << round;
    EXPECT_DOUBLE_EQ(searched.cut, exact.cut) << "round " << round;
    EXPECT_LE(exact.bound, exact.cut);
    for (std::size_t zone = 0; zone < sizes.size(); ++zone)
      EXPECT_EQ(std::ranges::count(searched.zone_of, static_cast<int>(zone)), sizes[zone]);
  }
}

TEST(Placement, UntanglesGroupsThatWereDealtOut) {
  // 64 nodes; node i talks to those 8 further: every eighth node is of one group.
  TrafficGraph graph(64);
  for (int one = 0; one < 64; ++one)
    for (int other = one % 8; other < one; other += 8) graph.add(one, other, 10);
  const Placement placement = place(graph, 8);
  EXPECT_EQ(placement.cut, 0);
  EXPECT_EQ(placement.bound, 0);
  EXPECT_GT(placement.cut_before, 0);
  const std::vector<int> order = place_in_tiers(graph, std::vector<std::vector<int>>(4, {8, 8}));
  for (std::size_t at = 0; at < order.size(); ++at)
    EXPECT_EQ(order[at] % 8, order[at / 8 * 8] % 8) << "a leaf holds one group";
  std::vector<int> sorted = order;
  std::ranges::sort(sorted);
  for (int vertex = 0; vertex < 64; ++vertex) EXPECT_EQ(sorted[static_cast<std::size_t>(vertex)], vertex);
}

TEST(Placement, ARingInMinCutOrderCrossesEachBorderOnce) {
  const std::vector<Phase> ring = shift({64, 1000}, 1);
  const TrafficGraph graph = TrafficGraph::of_phases(ring, 64, 8);
  EXPECT_EQ(place(graph, 4).cut, 4 * 1000);
  // In a shuffled order the same ring costs as much after the search.
  TrafficGraph shuffled(32);
  for (int at = 0; at < 32; ++at) shuffled.add(at * 13 % 32, (at + 1) * 13 % 32, 1000);
  EXPECT_EQ(place(shuffled, 4).cut, 4 * 1000);
}

/// The fabric with borders takes what the closed forms say.
TEST(Placement, ClosedFormsOfZones) {
  EXPECT_NEAR(all_to_all_slowdown(8, 7, 24576), 6.125 * 24576 / 24575, 1e-9);
  EXPECT_EQ(all_to_all_slowdown(2, 1, 1000), 1);
  EXPECT_EQ(crossing_slowdown(7), 7);
  const Topology centre = data_centre({.zones = 8, .zone = {.leaves = 14, .gpus_per_leaf = 4, .spines = 4}});
  const Router router(centre, {.kind = RoutingKind::adaptive});
  const auto hosts = static_cast<int>(centre.hosts());
  const auto time_us = [&](const Phase& phase) {
    Load load(router);
    for (int rank = 0; rank < hosts; ++rank)
      phase.sends(rank, [&](int to, std::uint64_t bytes) {
        load.add(static_cast<NodeId>(rank), static_cast<NodeId>(to), bytes);
      });
    return bound_of(load.bytes_of_links(), centre.capacities()).time_us;
  };
  const double alone_us = 1e6 / LinkSpeed{}.goodput();
  EXPECT_NEAR(time_us(shift({hosts, 1000000}, hosts / 2).front()) / alone_us, crossing_slowdown(7), 1e-9);
  EXPECT_NEAR(time_us(shift({hosts, 1000000}, 1).front()) / alone_us, 1, 1e-9) << "a ring loses nothing";
}

TEST(Placement, RefusesWhatCannotBePlaced) {
  EXPECT_THROW(place(TrafficGraph(7), 2), core::Error);
  EXPECT_THROW(place(TrafficGraph(8), 0), core::Error);
  EXPECT_THROW(place(TrafficGraph(8), std::vector<int>{4, 3}), core::Error);
  EXPECT_THROW(place(TrafficGraph(8), std::vector<int>{8, 0}), core::Error);
  EXPECT_THROW(place(TrafficGraph(8), 2, {.seeds = 0}), core::Error);
  EXPECT_THROW(TrafficGraph::of_matrix({{0, 1}, {2}}), core::Error);
  EXPECT_THROW(TrafficGraph::of_matrix({{0, -1}, {2, 0}}), core::Error);
  EXPECT_THROW(TrafficGraph::of_phases({}, 10, 8), core::Error);
}

TEST(RankFiles, AreWhatLaunchersRead) {
  const std::vector<RankPlace> places = {{"b", 0}, {"b", 1}, {"a", 1}, {"a", 0}};
  EXPECT_EQ(hostfile_of(places), "b slots=2\na slots=2\n");
  EXPECT_EQ(slurm_hosts_of(places), "b\nb\na\na\n");
  EXPECT_EQ(rank_map_of(places), "rank,host,gpu\n0,b,0\n1,b,1\n2,a,1\n3,a,0\n");
  EXPECT_THROW(hostfile_of(std::vector<RankPlace>{{"b", 0}, {"a", 0}, {"b", 1}}), core::Error);
}

}  // namespace
}  // namespace assay::model::fabric

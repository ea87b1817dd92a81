// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/routing/traffic_engineering.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "harness/core/error.hpp"
#include "model/fabric/load.hpp"
#include "model/fabric/presets.hpp"
#include "model/fabric/tests/vectors.hpp"

namespace assay::model::fabric {
namespace {

/// The leaves and spines of a vector, with a host for each flow. Capacities are multiples of the goodput of
/// 400 Gbit/s; 0 is a failed cable.
Topology fabric_of(const nlohmann::json& vector) {
  std::vector<NamedCable> cables;
  const nlohmann::json& flows = vector.at("flows");
  for (std::size_t flow = 0; flow < flows.size(); ++flow)
    cables.push_back(
        {"host" + std::to_string(flow), "leaf" + std::to_string(flows[flow].at("src_leaf").get<int>()), {}});
  std::size_t host = flows.size();
  const nlohmann::json& capacities = vector.at("uplink_capacity");
  std::vector<std::string> failed;
  for (std::size_t leaf = 0; leaf < capacities.size(); ++leaf) {
    cables.push_back({"host" + std::to_string(host++), "leaf" + std::to_string(leaf), {}});
    for (std::size_t spine = 0; spine < capacities[leaf].size(); ++spine) {
      const double capacity = capacities[leaf][spine].get<double>();
      const std::string up = "leaf" + std::to_string(leaf), down = "spine" + std::to_string(spine);
      cables.push_back({up, down, {.gbit_per_s = 400 * std::max(capacity, 1.0)}});
      if (capacity == 0) failed.push_back(up + ">" + down);
    }
  }
  Topology fabric = from_cables(cables);
  for (const std::string& link : failed) fabric.fail_cable(fabric.link_named(link));
  return fabric;
}

TEST(TrafficEngineering, IsNeverBelowTheLinearProgramAndMostlyOptimal) {
  if (!has_vectors()) GTEST_SKIP() << no_vectors;
  const nlohmann::json vectors = vector_json("traffic_engineering.json");
  ASSERT_GE(vectors.size(), 9U);
  std::size_t optimal = 0;
  for (const nlohmann::json& vector : vectors) {
    const Topology fabric = fabric_of(vector);
    std::vector<Demand> demands;
    NodeId host = 0;
    for (const nlohmann::json& flow : vector.at("flows"))
      demands.push_back({host++, fabric.node_named("leaf" + std::to_string(flow.at("dst_leaf").get<int>())),
                         flow.at("demand").get<double>()});
    const TrafficPlan plan = plan_traffic(fabric, NextHops(fabric), demands);
    const double most = plan.most_loaded_us() * LinkSpeed{}.goodput();
    EXPECT_GE(most, vector.at("min_max_utilisation_split").get<double>() - 1e-6);
    const double optimum = vector.at("min_max_utilisation_one_path").get<double>();
    EXPECT_GE(most, optimum - 1e-6);
    optimal += most < optimum + 1e-6 ? 1 : 0;
  }
  EXPECT_GE(optimal * 10, vectors.size() * 9);
}

/// Every GPU sends to its slot in the next leaf.
constexpr NodeId gpus_per_leaf = 16;
NodeId next_leaf(NodeId source, const Topology& zone) { return (source + gpus_per_leaf) % zone.hosts(); }

EachMessage to_next_leaf(const Topology& zone) {
  return [&zone](NodeId source, const std::function<void(NodeId, std::uint64_t)>& send) {
    send(next_leaf(source, zone), 1000000);
  };
}
std::vector<Demand> demands_of(const Topology& zone) { return demands_of(zone, to_next_leaf(zone)); }

/// Bytes of each link, by a function that routes as Router::route does.
template <class Routing>
std::vector<double> bytes_of(const Topology& zone, const Routing& routing) {
  std::vector<double> bytes(zone.links());
  for (NodeId source = 0; source < zone.hosts(); ++source)
    routing.route(source, next_leaf(source, zone), 1000000, 0,
                  [&](std::span<const LinkId> path, std::uint64_t part) {
                    for (const LinkId link : path) bytes[link] += static_cast<double>(part);
                  });
  return bytes;
}

/// Bus bandwidth as a share of what the GPUs' own links allow.
template <class Routing>
double bus_bandwidth(const Topology& zone, const Routing& routing) {
  return 1e6 / LinkSpeed{}.goodput() / bound_of(bytes_of(zone, routing), zone.capacities()).time_us;
}

TEST(TrafficEngineering, LoadsAreFlatWhereFlowsDivide) {
  const Topology zone = ai_zone({.leaves = 8, .spines = 8});  // two flows a link, as 16 GPUs on 8 uplinks
  const TrafficPlan plan = plan_traffic(zone, NextHops(zone), demands_of(zone));
  const Router fallback(zone, {.kind = RoutingKind::e_ecmp});
  const std::vector<double> bytes = planned_load(fallback, plan, to_next_leaf(zone));
  EXPECT_EQ(bytes, bytes_of(zone, PlannedRouter(fallback, plan)));
  for (LinkId link = 0; link < zone.links(); ++link)
    EXPECT_TRUE(!zone.between_switches(link) || std::abs(bytes[link] / 2e6 - 1) <= 0.05);
  EXPECT_EQ(least_flows_of_busiest(16, 8), 2);
  EXPECT_EQ(least_flows_of_busiest(17, 8), 3);
}

/// Row 10: 128 GPUs, 1:2. Each GPU has four queue pairs under ECMP, and four times as many under E-ECMP x4.
TEST(TrafficEngineering, GainsSixPercentOverHashesWithTwiceTheUplinks) {
  const Topology zone = ai_zone({.leaves = 8, .spines = 32});
  double hashed = 0;
  for (std::uint32_t seed = 1; seed <= 200; ++seed)
    hashed +=
        bus_bandwidth(zone, Router(zone, {.kind = RoutingKind::e_ecmp, .seed = seed, .queue_pairs = 16})) /
        200;
  const TrafficPlan plan = plan_traffic(zone, NextHops(zone), demands_of(zone));
  const Router fallback(zone, {.kind = RoutingKind::e_ecmp});
  const double planned = bus_bandwidth(zone, PlannedRouter(fallback, plan));
  EXPECT_NEAR(planned, 1, 1e-9);
  EXPECT_NEAR(planned / hashed - 1, 0.06, 0.02);
}

/// Row 11: two of 18 links of a leaf fail right after a plan. Planned, a GPU has one queue pair, hashed
/// sixteen.
TEST(TrafficEngineering, AStalePlanLosesWhatAFreshOneKeeps) {
  Topology zone = ai_zone({.leaves = 8, .spines = 18});
  TrafficController controller(30);
  const TrafficPlan before = controller.plan_at(0, zone, demands_of(zone));
  const NodeId first_leaf = zone.leaf_of(0);
  int failed = 0;  // two links that carry demands
  for (NodeId source = 0; failed < 2; ++source, ++failed)
    zone.fail_cable(before.path(source, first_leaf + 1).front());
  const TrafficPlan stale = controller.plan_at(29.9, zone, demands_of(zone));
  EXPECT_FALSE(zone.live(stale.path(0, first_leaf + 1).front()));
  bool worse_than_hashes = false;
  double stale_sum = 0;
  for (std::uint32_t seed = 1; seed <= 50; ++seed) {
    const Router hashed(zone, {.kind = RoutingKind::e_ecmp, .seed = seed, .queue_pairs = 16});
    const Router one_queue_pair(zone, {.kind = RoutingKind::e_ecmp, .seed = seed});
    const double with_stale = bus_bandwidth(zone, PlannedRouter(one_queue_pair, stale));
    stale_sum += with_stale;
    worse_than_hashes |= with_stale < bus_bandwidth(zone, hashed);
  }
  const TrafficPlan fresh = controller.plan_at(30, zone, demands_of(zone));
  const Router fallback(zone, {.kind = RoutingKind::e_ecmp});
  const double with_fresh = bus_bandwidth(zone, PlannedRouter(fallback, fresh));
  EXPECT_NEAR(with_fresh, 1, 1e-9) << "16 flows on the 16 links that are left";
  EXPECT_LT(stale_sum / 50, with_fresh);
  EXPECT_TRUE(worse_than_hashes);
}

TEST(TrafficEngineering, DemandsAreWhatASourceSendsToALeaf) {
  const Topology zone = ai_zone({.leaves = 3, .gpus_per_leaf = 4, .spines = 2});
  const std::vector<Demand> demands =
      demands_of(zone, [](NodeId source, const std::function<void(NodeId, std::uint64_t)>& send) {
        if (source != 5) return;
        for (const NodeId destination : {4U, 9U, 0U, 10U, 8U}) send(destination, 10 + destination);
      });
  ASSERT_EQ(demands.size(), 2U);
  EXPECT_EQ(demands[0].source, 5U);
  EXPECT_EQ(demands[0].leaf, zone.leaf_of(0));
  EXPECT_EQ(demands[0].bytes, 10);
  EXPECT_EQ(demands[1].leaf, zone.leaf_of(8));
  EXPECT_EQ(demands[1].bytes, 19 + 20 + 18);
}

TEST(TrafficEngineering, KeepsThePathOfADemandThatHasChanged) {
  const Topology zone = ai_zone({.leaves = 4, .spines = 4});
  TrafficController controller(10);
  const NodeId leaf = zone.leaf_of(16);
  const TrafficPlan first = controller.plan_at(0, zone, {{0, leaf, 5}, {1, leaf, 1}});
  const TrafficPlan later = controller.plan_at(9, zone, {{0, leaf, 500}});
  EXPECT_TRUE(std::ranges::equal(first.path(0, leaf), later.path(0, leaf)));
  EXPECT_TRUE(controller.plan_at(10, zone, {{0, leaf, 500}}).path(1, leaf).empty());
}

TEST(TrafficEngineering, RefusesWhatHasNoPlan) {
  Topology zone = ai_zone({.leaves = 2, .gpus_per_leaf = 2, .spines = 1});
  EXPECT_THROW(TrafficController(0), core::Error);
  EXPECT_THROW(plan_traffic(zone, NextHops(zone), {{0, zone.leaf_of(2), 0}}), core::Error);
  zone.fail_cable(zone.link_named("leaf0>spine0"));
  EXPECT_THROW(plan_traffic(zone, NextHops(zone), {{0, zone.leaf_of(2), 1}}), core::Error);
}

}  // namespace
}  // namespace assay::model::fabric

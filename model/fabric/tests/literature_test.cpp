// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Published results on RoCE fabrics of AI clusters, simulated: how much of its uplinks a rack can use, by
// entropy, number of uplinks and path pinning (Gangidi et al. 2024, "RDMA over Ethernet for distributed AI
// training at Meta scale"). Means are over draws of queue pairs.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <span>
#include <vector>

#include "model/fabric/load.hpp"
#include "model/fabric/presets.hpp"
#include "model/fabric/routing/routing.hpp"

namespace assay::model::fabric {
namespace {

constexpr NodeId gpus = 16;  // of a rack
constexpr int channels = 4;  // of a GPU, each with a queue pair or a multiple of it

Topology racks(std::uint32_t leaves, std::uint32_t uplinks) {
  return ai_zone({.leaves = leaves, .gpus_per_leaf = gpus, .spines = uplinks});
}

/// Every GPU to its peer in the next rack, a byte a queue pair: flows on each uplink of the fabric.
std::vector<double> flows_on_uplinks(const Router& router, std::uint32_t draw) {
  const Topology& fabric = router.topology();
  Load load(router);
  for (NodeId source = 0; source < fabric.hosts(); ++source)
    load.add(source, (source + gpus) % fabric.hosts(),
             static_cast<std::uint64_t>(router.settings().queue_pairs), draw);
  const std::vector<double> all = load.bytes_of_links();
  return {all.begin() + fabric.first_up(fabric.first_of_tier(1)),
          all.begin() + fabric.end_up(fabric.first_of_tier(2) - 1)};
}

double mean_over_draws(int draws, const std::function<double(std::uint32_t draw)>& value) {
  double sum = 0;
  for (int draw = 0; draw < draws; ++draw) sum += value(static_cast<std::uint32_t>(draw));
  return sum / draws;
}

/// Share of its line rate that a GPU keeps where the busiest uplink decides, at most 1.
double usable_share(std::uint32_t leaves, std::uint32_t uplinks, int multiple) {
  const Topology fabric = racks(leaves, uplinks);
  const int queue_pairs = channels * multiple;
  const Router router(fabric, {.kind = RoutingKind::e_ecmp, .queue_pairs = queue_pairs});
  return mean_over_draws(2000, [&](std::uint32_t draw) {
    return std::min(1.0, queue_pairs / std::ranges::max(flows_on_uplinks(router, draw)));
  });
}

/// The share as usable_share() has it, but of one rack: the other sends nothing back.
double usable_share_of_a_rack(std::uint32_t uplinks, int multiple) {
  const Topology fabric = racks(2, uplinks);
  const int queue_pairs = channels * multiple;
  const Router router(fabric, {.kind = RoutingKind::e_ecmp, .queue_pairs = queue_pairs});
  return mean_over_draws(2000, [&](std::uint32_t draw) {
    const std::vector<double> flows = flows_on_uplinks(router, draw);
    return std::min(1.0, queue_pairs / std::ranges::max(std::span(flows).first(uplinks)));
  });
}

TEST(Literature, UsableShareOfUplinksGrowsWithQueuePairsAndUplinks) {
  struct Row {
    int multiple;
    double uplinks_16, uplinks_18, uplinks_32;
  };
  for (const Row& row : {Row{1, 0.519, 0.557, 0.759}, {4, 0.690, 0.750, 0.991}, {16, 0.817, 0.903, 1.000}}) {
    EXPECT_NEAR(usable_share_of_a_rack(16, row.multiple), row.uplinks_16, 0.01) << row.multiple;
    EXPECT_NEAR(usable_share_of_a_rack(18, row.multiple), row.uplinks_18, 0.01) << row.multiple;
    EXPECT_NEAR(usable_share_of_a_rack(32, row.multiple), row.uplinks_32, 0.01) << row.multiple;
  }
}

// Published: up to 40 %.
TEST(Literature, FourTimesTheQueuePairsSpeedUpAnAllReduceOf128GpusByAThirdToAHalf) {
  EXPECT_NEAR(usable_share_of_a_rack(16, 4) / usable_share_of_a_rack(16, 1), 1.34, 0.02);
  EXPECT_NEAR(usable_share(8, 16, 4) / usable_share(8, 16, 1), 1.45, 0.03);
}

// 5 to 95 % of the mean, published as 40 to 90 % of the line rate: a ratio of 2.25.
TEST(Literature, LoadsOfSixteenFlowsALinkSpreadBy2Point3) {
  const Topology fabric = racks(2, 16);
  const Router router(fabric, {.kind = RoutingKind::e_ecmp, .queue_pairs = 16});
  std::vector<double> loads;
  for (std::uint32_t draw = 0; draw < 2000; ++draw)
    for (const double flows : flows_on_uplinks(router, draw)) loads.push_back(flows / 16);
  std::ranges::sort(loads);
  const double low = loads[loads.size() / 20], high = loads[loads.size() * 19 / 20];
  EXPECT_NEAR(low, 0.63, 0.01);
  EXPECT_NEAR(high, 1.44, 0.01);
  EXPECT_NEAR(high / low, 2.3, 0.05);
}

struct Send {
  NodeId source, destination;
};

/// Share of line rate under path pinning.
double pinned_share(const Topology& fabric, const std::vector<Send>& sends) {
  const Router router(fabric, {.kind = RoutingKind::pinned});
  constexpr std::uint64_t bytes = 1'000'000;
  Load load(router);
  for (const Send& send : sends) load.add(send.source, send.destination, bytes);
  return bytes / LinkSpeed{}.goodput() / bound_of(load.bytes_of_links(), fabric.capacities()).time_us;
}

TEST(Literature, PathPinningIsIdealForFullRacksAndHalfForPartOfThemOrAFailedUplink) {
  Topology fabric = racks(3, 16);
  std::vector<Send> full, halves;
  for (NodeId gpu = 0; gpu < gpus; ++gpu) full.push_back({gpu, gpus + gpu});
  for (NodeId gpu = 0; gpu < gpus / 2; ++gpu) {
    halves.push_back({gpu, gpus + gpu});                 // one job, to the lower slots of rack 1
    halves.push_back({gpus / 2 + gpu, 2 * gpus + gpu});  // another, to the same slots of rack 2
  }
  EXPECT_NEAR(pinned_share(fabric, full), 1, 1e-9);
  EXPECT_NEAR(pinned_share(fabric, halves), 0.5, 1e-9);
  fabric.fail_cable(fabric.link_named("leaf0>spine3"));
  EXPECT_NEAR(pinned_share(fabric, full), 0.5, 1e-9);
}

// Published: many flows make hashing easier. Of the all-to-all, the racks of 256 GPUs are looked at.
TEST(Literature, AnAllToAllLoads24576GpusEvenlyWhereOneFlowAGpuDoesNot) {
  const Topology fabric = racks(1536, 16);
  const Router router(fabric, {.kind = RoutingKind::e_ecmp});
  const std::vector<double> one_flow = flows_on_uplinks(router, 0);
  EXPECT_NEAR(std::ranges::max(one_flow), 7, 1) << "of a mean of 1";
  Load all_to_all(router);
  for (NodeId source = 0; source < 256; ++source)
    for (NodeId destination = 0; destination < fabric.hosts(); ++destination)
      if (destination != source) all_to_all.add(source, destination, 1);
  const std::vector<double> bytes = all_to_all.bytes_of_links();
  const std::span uplinks = std::span(bytes).subspan(fabric.first_up(fabric.first_of_tier(1)), 256);
  EXPECT_NEAR(std::ranges::max(uplinks) / (fabric.hosts() - gpus), 1.03, 0.02);
}

}  // namespace
}  // namespace assay::model::fabric

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What is known of racks of 16 GPUs from published measurements, by the bound of one step: what share of its
// link's rate a GPU gets.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "model/fabric/load.hpp"
#include "model/fabric/presets.hpp"

namespace assay::model::fabric {
namespace {

constexpr NodeId gpus = 16;  // of a rack
constexpr std::uint64_t message_bytes = 1 << 20;

/// Of a step in which each GPU of the first `leaves` sends to its slot in the next leaf.
double share(const Router& router, std::uint32_t leaves, std::uint32_t message) {
  Load load(router);
  for (NodeId source = 0; source < leaves * gpus; ++source)
    load.add(source, (source + gpus) % router.topology().hosts(), message_bytes, message);
  const double alone_us = static_cast<double>(message_bytes) / LinkSpeed{}.goodput();
  return alone_us / bound_of(load.bytes_of_links(), router.topology().capacities()).time_us;
}

/// By uplinks alone, over messages, each with queue pairs of its own.
double mean_share(std::uint32_t leaves, std::uint32_t uplinks, int queue_pairs, std::uint32_t messages) {
  const Topology zone = ai_zone({.leaves = std::max(2U, leaves), .spines = uplinks});
  const Router router(zone, {.kind = RoutingKind::e_ecmp, .queue_pairs = queue_pairs});
  double sum = 0;
  for (std::uint32_t message = 0; message < messages; ++message) {
    Load load(router);
    for (NodeId source = 0; source < leaves * gpus; ++source)
      load.add(source, (source + gpus) % zone.hosts(), message_bytes, message);
    const std::vector<double> bytes = load.bytes_of_links();
    const LinkId first = zone.first_up(zone.leaf_of(0)), end = zone.end_up(zone.hosts() + leaves - 1);
    const double most = std::ranges::max(std::span(bytes).subspan(first, end - first));
    sum += std::min(1.0, static_cast<double>(message_bytes) / most);
  }
  return sum / messages;
}

struct UsableShare {
  std::uint32_t uplinks;
  std::array<double, 3> by_queue_pairs;  // 4, 16 and 64 of a GPU
};

/// Rows 3 and 7: the share of uplinks that hashing leaves usable.
TEST(Scenarios, UsableShareOfUplinksUnderHashes) {
  for (const UsableShare& row :
       {UsableShare{16, {0.519, 0.690, 0.817}}, UsableShare{18, {0.557, 0.750, 0.903}},
        UsableShare{32, {0.759, 0.991, 1.000}}})
    for (int at = 0; at < 3; ++at)
      EXPECT_NEAR(mean_share(1, row.uplinks, 4 << (2 * at), 2000U >> at),
                  row.by_queue_pairs[static_cast<std::size_t>(at)], 0.01)
          << row.uplinks << " uplinks, " << (4 << (2 * at)) << " queue pairs";
}

/// Row 5: an all-reduce of 128 GPUs gains with four times the queue pairs; published: up to 40 %.
TEST(Scenarios, FourTimesTheQueuePairsGainAsPublished) {
  const double one_leaf = mean_share(1, 16, 16, 1000) / mean_share(1, 16, 4, 1000);
  const double eight_leaves = mean_share(8, 16, 16, 500) / mean_share(8, 16, 4, 500);
  EXPECT_NEAR(one_leaf, 1.34, 0.02);
  EXPECT_NEAR(eight_leaves, 1.45, 0.02);
}

/// Row 6: uplinks pinned to the receiver's slot.
TEST(Scenarios, PathPinningServesFullRacksOnly) {
  Topology zone = ai_zone({.leaves = 3});
  const RoutingSettings pinned{.kind = RoutingKind::pinned};
  EXPECT_NEAR(share(Router(zone, pinned), 1, 0), 1, 1e-9);

  const Router router(zone, pinned);
  Load two_jobs(router);  // whose receivers are in the same slots of two racks
  for (NodeId slot = 0; slot < gpus / 2; ++slot) {
    two_jobs.add(slot, gpus + slot, message_bytes);
    two_jobs.add(gpus / 2 + slot, 2 * gpus + slot, message_bytes);
  }
  const double alone_us = static_cast<double>(message_bytes) / LinkSpeed{}.goodput();
  EXPECT_NEAR(alone_us / bound_of(two_jobs.bytes_of_links(), zone.capacities()).time_us, 0.5, 1e-9);

  zone.fail_cable(zone.link_named("leaf0>spine15"));
  EXPECT_NEAR(share(Router(zone, pinned), 1, 0), 0.5, 1e-9);
}

/// Row 18: many flows make hashing easier. An all-to-all against one flow a GPU, 1,024 GPUs.
TEST(Scenarios, AnAllToAllLoadsUplinksMoreEvenlyThanARing) {
  const Topology zone = ai_zone({.leaves = 64});
  const Router router(zone, {});
  const auto max_over_mean = [&](const std::vector<double>& bytes) {
    const LinkId first = zone.first_up(zone.leaf_of(0)), end = zone.end_up(zone.hosts() + zone.leaves() - 1);
    double sum = 0, most = 0;
    for (LinkId link = first; link < end; ++link) {
      sum += bytes[link];
      most = std::max(most, bytes[link]);
    }
    return most * (end - first) / sum;
  };
  std::vector<NodeId> hosts(zone.hosts());
  for (NodeId host = 0; host < zone.hosts(); ++host) hosts[host] = host;
  const std::vector<std::uint64_t> bytes(hosts.size(), 1000);
  const double of_all = max_over_mean(all_to_all_load(router, hosts, bytes, 2).bytes_of_links());
  Load to_next_leaf(router);
  for (const NodeId host : hosts) to_next_leaf.add(host, (host + gpus) % zone.hosts(), 1000);
  // 1,008 flows a link, 1,024 links: the largest of as many normal numbers is 3.2 deviations above.
  EXPECT_NEAR(of_all, 1.10, 0.03);
  EXPECT_GE(max_over_mean(to_next_leaf.bytes_of_links()), 4);
}

}  // namespace
}  // namespace assay::model::fabric

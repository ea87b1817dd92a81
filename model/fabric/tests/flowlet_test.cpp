// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A flow over RDMA has no gaps at which a flowlet could begin, so that flowlets are modelled as ECMP: what
// packets that were routed by flowlets took.
#include <gtest/gtest.h>

#include "model/fabric/presets.hpp"
#include "model/fabric/routing/routing.hpp"
#include "model/fabric/tests/packet_case.hpp"
#include "model/fabric/tests/vectors.hpp"

namespace assay::model::fabric {
namespace {

/// The case's messages, each on the path that one seed gives it.
PacketCase routed(PacketCase one, const Topology& zone, std::uint32_t seed) {
  const Router router(zone, {.seed = seed});
  one.links.clear();
  for (LinkId link = 0; link < zone.links(); ++link) one.links.push_back(zone.name_of_link(link));
  one.paths = {};
  for (std::size_t message = 0; message < one.messages.size(); ++message)
    router.route(static_cast<NodeId>(one.hosts[message].first),
                 static_cast<NodeId>(one.hosts[message].second),
                 static_cast<std::uint64_t>(one.messages[message].bytes), 0,
                 [&](std::span<const LinkId> path, std::uint64_t) {
                   one.paths.append(path);
                   one.messages[message].latency_us = 2.0 * static_cast<double>(path.size());
                 });
  return one;
}

/// Row 23 of the scenarios. The packets chose by queue length and by a score that includes pauses.
TEST(Flowlets, TakeWhatEcmpTakesOver100Seeds) {
  if (!has_vectors()) GTEST_SKIP() << no_vectors;
  const Topology zone = ai_zone({.leaves = 16, .gpus_per_leaf = 8, .spines = 8});
  const PacketCase by_queue = packet_case("flowlet_queue_perm128");
  double sum_us = 0;
  for (std::uint32_t seed = 1; seed <= 100; ++seed)
    sum_us += simulate(routed(by_queue, zone, seed)).makespan_us();
  const double packets_us = (by_queue.makespan_us + packet_case("flowlet_pqb_perm128").makespan_us) / 2;
  EXPECT_NEAR(sum_us / 100, packets_us, 0.1 * packets_us);
}

}  // namespace
}  // namespace assay::model::fabric

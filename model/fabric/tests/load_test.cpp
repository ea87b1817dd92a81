// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/load.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/error.hpp"
#include "model/fabric/presets.hpp"

namespace assay::model::fabric {
namespace {

/// Each host to each other.
EachMessage all_to_all(NodeId hosts, std::uint64_t bytes) {
  return [=](NodeId source, const std::function<void(NodeId, std::uint64_t)>& send) {
    for (NodeId destination = 0; destination < hosts; ++destination)
      if (destination != source) send(destination, bytes);
  };
}

TEST(Load, ConservesBytesTierByTier) {
  const Topology centre =
      data_centre({.zones = 2, .zone = {.leaves = 4, .gpus_per_leaf = 4, .spines = 4}, .ratio = 2});
  for (const RoutingKind kind : {RoutingKind::ecmp, RoutingKind::adaptive}) {
    const Router router(centre, {.kind = kind, .queue_pairs = 3});
    const std::vector<double> bytes = load_of(router, all_to_all(centre.hosts(), 1000)).bytes_of_links();
    std::vector<double> in(centre.nodes()), out(centre.nodes());
    for (LinkId link = 0; link < centre.links(); ++link) {
      in[centre.to(link)] += bytes[link];
      out[centre.from(link)] += bytes[link];
    }
    for (NodeId node = 0; node < centre.nodes(); ++node)
      EXPECT_NEAR(in[node], out[node], 1e-6) << centre.name_of(node);
    EXPECT_EQ(bytes[0], 31000);
    const LinkId first_aggregate = centre.first_up(centre.node_named("spine0"));
    double across = 0;
    for (LinkId link = first_aggregate; link < centre.links() / 2; ++link) across += bytes[link];
    EXPECT_NEAR(across, 2 * 16 * 16 * 1000, 1e-6);
  }
}

TEST(Load, ThreadsAndOrderDoNotChangeADigit) {
  const Topology zone = ai_zone({.leaves = 8, .gpus_per_leaf = 4, .spines = 3});
  for (const RoutingKind kind : {RoutingKind::e_ecmp, RoutingKind::adaptive}) {
    const Router router(zone, {.kind = kind, .queue_pairs = 3});
    const EachMessage each = all_to_all(zone.hosts(), 1001);
    const std::vector<double> one = load_of(router, each, 1).bytes_of_links();
    EXPECT_EQ(load_of(router, each, 3).bytes_of_links(), one);
    Load backwards(router);
    for (NodeId source = zone.hosts(); source-- > 0;)
      each(source,
           [&](NodeId destination, std::uint64_t bytes) { backwards.add(source, destination, bytes); });
    EXPECT_EQ(backwards.bytes_of_links(), one);
  }
}

TEST(Load, SprayedAllToAllOverZonesTakesTheRatio) {
  const Topology centre = data_centre({.zones = 8, .zone = {.leaves = 28, .gpus_per_leaf = 2, .spines = 2}});
  const Router router(centre, {.kind = RoutingKind::adaptive});
  const Bound bound =
      bound_of(load_of(router, all_to_all(centre.hosts(), 1000)).bytes_of_links(), centre.capacities());
  const double hosts = centre.hosts();
  const double non_blocking_us = (hosts - 1) * 1000 / LinkSpeed{}.goodput();
  EXPECT_NEAR(bound.time_us / non_blocking_us, 7 * (1 - 1.0 / 8) * hosts / (hosts - 1), 1e-9);
}

TEST(Load, TheBoundNeverFallsWhenBytesAreAddedOrALinkIsDegraded) {
  Topology zone = ai_zone({.leaves = 8, .gpus_per_leaf = 4, .spines = 4});
  const Router router(zone, {});
  Load load = load_of(router, all_to_all(zone.hosts(), 1000));
  const Bound before = bound_of(load.bytes_of_links(), zone.capacities());
  load.add(3, 9, 500);
  const Bound more = bound_of(load.bytes_of_links(), zone.capacities());
  EXPECT_GE(more.time_us, before.time_us);
  zone.degrade(17, 0.25);
  const Bound degraded = bound_of(load.bytes_of_links(), zone.capacities());
  EXPECT_GT(degraded.time_us, more.time_us);
  EXPECT_EQ(degraded.link, 17U) << "the planted bad link is named";
}

/// So many messages are joined on the way.
TEST(Load, OfManyAdaptiveMessagesIsTheirSum) {
  const Topology zone = ai_zone({.leaves = 4, .gpus_per_leaf = 2, .spines = 3});
  const Router router(zone, {.kind = RoutingKind::adaptive});
  constexpr std::uint64_t messages = 1'000'100;
  Load many(router), few(router);
  for (std::uint64_t message = 0; message < messages; ++message) many.add(message % 2 == 0 ? 6 : 1, 4, 3);
  for (const NodeId from : {1U, 6U}) few.add(from, 4, 3 * messages / 2);
  few += Load(router);
  EXPECT_EQ(many.bytes_of_links(), few.bytes_of_links());
}

TEST(Load, SeparatedHostsAreNamedFromAnyThread) {
  Topology zone = ai_zone({.leaves = 2, .gpus_per_leaf = 2, .spines = 1});
  zone.fail_cable(zone.link_named("leaf0>spine0"));
  for (const RoutingKind kind : {RoutingKind::ecmp, RoutingKind::adaptive}) {
    const Router router(zone, {.kind = kind});
    EXPECT_THROW(load_of(router, all_to_all(zone.hosts(), 1), 2), core::Error);
  }
}

}  // namespace
}  // namespace assay::model::fabric

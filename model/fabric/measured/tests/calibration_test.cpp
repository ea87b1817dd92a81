// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/measured/calibration.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/error.hpp"
#include "harness/core/tests/message_of.hpp"
#include "model/fabric/file/build_fabric.hpp"

namespace assay::model::fabric::measured {
namespace {

using core::tests::message_of;
using testing::HasSubstr;

constexpr const char* zone = "preset = 'ai-zone'\nleaves = 2\nspines = 4\n";

FabricFile calibrated(const std::string& toml, const std::vector<TierCoefficients>& coefficients) {
  const FabricFile plain = parse_fabric(toml, "zone.toml");
  return parse_fabric(toml, "zone.toml",
                      calibration_keys(coefficients, plain, topology_of(plain), OtherLineRate::refused));
}

PortCoefficients latency(double us, double overhead_us, std::size_t links = 0) {
  return {.source = "made", .one_way = {{us, links}}, .overhead_us = overhead_us};
}

TEST(Calibration, SplitsLatencyOverTheLinksThatMessagesCrossed) {
  PortCoefficients ports = latency(2 * 0.3 + 2 * 0.5, 0.3, 2);
  ports.one_way.push_back({2 * 0.3 + 4 * 0.5, 4});
  const FabricFile fabric = calibrated(zone, {{"", ports}});
  EXPECT_NEAR(*fabric.measured.front().hop_latency_us, 0.5, 1e-12);
  EXPECT_NEAR(fabric.server.overhead_us, 0.3, 1e-9);
}

TEST(Calibration, LeavesUpperTiersWhatLowerOnesLeave) {
  const Topology topology = topology_of(calibrated(
      zone, {{"spine", latency(0.6 + 2 * 0.5 + 2 * 0.9, 0.3)}, {"leaf", latency(0.6 + 2 * 0.5, 0.3)}}));
  EXPECT_NEAR(topology.latency_us(topology.link_named("host0>leaf0")), 0.5, 1e-12);
  EXPECT_NEAR(topology.latency_us(topology.link_named("leaf0>spine1")), 0.9, 1e-12);
}

TEST(Calibration, OfATierAloneIsEvenOverThoseBelow) {
  const Topology topology = topology_of(calibrated(zone, {{"spine", latency(0.6 + 4 * 0.7, 0.3)}}));
  EXPECT_NEAR(topology.latency_us(topology.link_named("host0>leaf0")), 0.7, 1e-12);
  EXPECT_NEAR(topology.latency_us(topology.link_named("spine1>leaf0")), 0.7, 1e-12);
}

TEST(Calibration, DoesNotSplitWhatCrossedAnUnknownNumberOfLinks) {
  const FabricFile fabric = calibrated(zone, {{"", latency(2.6, 0.3)}});
  EXPECT_FALSE(fabric.measured.front().hop_latency_us);
  EXPECT_THAT(
      fabric.measured.back().source,
      HasSubstr("Not used: L + 2 o = 2.6 us: how many links its messages crossed is not known; expected "
                "TIER=FILE, with TIER one of leaf, spine"));
  const FabricFile star = calibrated("preset = 'star'\nhosts = 4\n", {{"", latency(2.6, 0.3)}});
  EXPECT_NEAR(*star.measured.front().hop_latency_us, 1, 1e-12);
}

TEST(Calibration, SaysThatOverheadsLeaveNothing) {
  const FabricFile fabric = calibrated("preset = 'star'\nhosts = 4\n", {{"", latency(0.5, 0.3)}});
  EXPECT_THAT(fabric.measured.back().source,
              HasSubstr("Not used: L: overheads and lower tiers leave nothing"));
}

TEST(Calibration, NvlinkNeedsAFabricThatHasIt) {
  const PortCoefficients node{.source = "made", .node_gb_per_s = results::Number{350, 340, 360}};
  EXPECT_NEAR(*calibrated(std::string(zone) + "host = { nvlink_gb_per_s = 450 }\n", {{"", node}})
                   .server.nvlink_bytes_per_us,
              350e3, 1e-3);
  EXPECT_THAT(calibrated(zone, {{"", node}}).measured.back().source,
              HasSubstr("Not used: 350 (340 to 360) GB/s of an all-reduce within a node"));
}

TEST(Calibration, RefusesTiersThatTheFabricLacks) {
  const Topology topology = topology_of(parse_fabric(zone, "zone.toml"));
  EXPECT_THAT(message_of([&] { tier_coefficients("core=x.json", topology); }),
              HasSubstr("--coefficients core=x.json: expected [TIER=]FILE, with TIER one of leaf, spine"));
  EXPECT_THAT(message_of([&] { tier_coefficients("spine=", topology); }), HasSubstr("expected [TIER=]FILE"));
}

}  // namespace
}  // namespace assay::model::fabric::measured

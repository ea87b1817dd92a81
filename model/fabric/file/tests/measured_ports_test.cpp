// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/file/measured_ports.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/error.hpp"
#include "model/fabric/file/build_fabric.hpp"

namespace assay::model::fabric {
namespace {

using testing::HasSubstr;
using testing::Not;

FabricFile measured_zone(const std::string& more) {
  return parse_fabric("preset = 'ai-zone'\nleaves = 2\nspines = 4\n" + more, "zone.toml");
}

std::string refusal_of(const std::string& more) {
  try {
    static_cast<void>(topology_of(measured_zone(more)));
  } catch (const core::Error& error) {
    return error.what();
  }
  return "";
}

TEST(MeasuredPorts, ReplaceWhatTheLineRateLeavesOnEveryCable) {
  const Topology zone =
      topology_of(measured_zone("[[measured]]\ngoodput_gb_per_s = 46.5\nhop_latency_us = 0.4"));
  for (LinkId link = 0; link < zone.links(); ++link) {
    EXPECT_NEAR(zone.capacity(link), 46500, 1e-6);
    EXPECT_EQ(zone.latency_us(link), 0.4);
  }
}

TEST(MeasuredPorts, OfATierAreThoseBelowItsSwitches) {
  const Topology zone = topology_of(measured_zone("[[measured]]\ntier = 'spine'\ngoodput_gb_per_s = 46.5"));
  EXPECT_NEAR(zone.capacity(zone.link_named("leaf0>spine3")), 46500, 1e-6);
  EXPECT_NEAR(zone.capacity(zone.link_named("spine3>leaf0")), 46500, 1e-6);
  EXPECT_NEAR(zone.capacity(zone.link_named("host0>leaf0")), LinkSpeed{}.goodput(), 1e-6);
  EXPECT_EQ(zone.latency_us(zone.link_named("leaf0>spine3")), LinkSpeed{}.hop_latency_us);
}

TEST(MeasuredPorts, OfATierCountBeforeThoseOfAllCables) {
  const Topology zone = topology_of(measured_zone(
      "[[measured]]\ntier = 'spine'\ngoodput_gb_per_s = 46.5\n[[measured]]\ngoodput_gb_per_s = 47.5"));
  EXPECT_NEAR(zone.capacity(zone.link_named("leaf0>spine3")), 46500, 1e-6);
  EXPECT_NEAR(zone.capacity(zone.link_named("host0>leaf0")), 47500, 1e-6);
}

TEST(MeasuredPorts, HaveTheEndsOfTheirInterval) {
  const FabricFile zone =
      measured_zone("[[measured]]\ngoodput_gb_per_s = 47\nlower_gb_per_s = 46\nupper_gb_per_s = 48");
  EXPECT_NEAR(topology_of(*at_goodput(zone, GoodputEnd::lower)).capacity(0), 46000, 1e-6);
  EXPECT_NEAR(topology_of(*at_goodput(zone, GoodputEnd::upper)).capacity(0), 48000, 1e-6);
  EXPECT_FALSE(at_goodput(measured_zone("[[measured]]\ngoodput_gb_per_s = 47"), GoodputEnd::lower));
}

TEST(MeasuredPorts, StandInForTheAssumptionsThatTheyReplace) {
  const auto assumed = [](const std::string& more) {
    return testing::PrintToString(measured_zone(more).assumed);
  };
  EXPECT_THAT(assumed(""), HasSubstr("ports that reach the 49.0 GB/s that headers leave"));
  EXPECT_THAT(assumed(""), HasSubstr("1 us a hop"));
  const std::string all = assumed("[[measured]]\ngoodput_gb_per_s = 47\nhop_latency_us = 0.4");
  EXPECT_THAT(all, Not(HasSubstr("49.0 GB/s")));
  EXPECT_THAT(all, Not(HasSubstr("1 us a hop")));
  EXPECT_THAT(assumed("[[measured]]\ntier = 'leaf'\ngoodput_gb_per_s = 47"),
              HasSubstr("headers leave elsewhere"));
  EXPECT_THAT(assumed("host = { overhead_us = 1, message_gap_us = 0.01 }"),
              testing::AllOf(Not(HasSubstr("overhead")), Not(HasSubstr("gap"))));
}

TEST(MeasuredPorts, AreRefusedWithKeyAndExpectation) {
  EXPECT_THAT(
      refusal_of("[[measured]]\ngoodput_gb_per_s = 24\nsource = 'old.json'"),
      HasSubstr("zone.toml:5: measured.goodput_gb_per_s: 24 GB/s is of another line rate (old.json): 400 "
                "Gbit/s leaves 49.02 GB/s; expected within 10 %"));
  EXPECT_EQ(refusal_of("[[measured]]\ngoodput_gb_per_s = 24\nany_line_rate = true"), "");
  EXPECT_EQ(refusal_of("tier = { spine = { gbit_per_s = 200 } }\n[[measured]]\ntier = 'spine'\n"
                       "goodput_gb_per_s = 24"),
            "");
  EXPECT_THAT(refusal_of("[[measured]]\ntier = 'core'\ngoodput_gb_per_s = 47"),
              HasSubstr("measured.tier: no cable is below a switch core: expected one of leaf, spine"));
  EXPECT_THAT(refusal_of("[[measured]]\ngoodput_gb_per_s = 47\nlower_gb_per_s = 48"),
              HasSubstr("expected from lower_gb_per_s to upper_gb_per_s"));
  EXPECT_THAT(refusal_of("[[measured]]\ngoodput = 47"), HasSubstr("measured.goodput: unknown key"));
}

}  // namespace
}  // namespace assay::model::fabric

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/reliability/fleet.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

#include "harness/core/error.hpp"

namespace assay::model::reliability {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string day(int of_november) { return fmt::format("2026-11-{:02}T10:00:00.000Z", of_november); }

/// 16 nodes of 2 GPUs for 50 days, without a failure.
FleetHistory sound_fleet() {
  FleetHistory fleet{.source = "16 \"logbooks\"",
                     .seen = {{"gpu", 800}, {"hbm", 800}, {"nic", 400}, {"ssd", 0}},
                     .gpus_per_node = 2};
  for (int node = 0; node < 16; ++node) {
    const std::string name = fmt::format("n{}", node);
    fleet.stays.push_back({"node", name, name, 50});
    for (int gpu = 0; gpu < 2; ++gpu)
      fleet.stays.push_back({"gpu", fmt::format("g{}", 2 * node + gpu), name, 50});
  }
  return fleet;
}

PartFailure of_gpu(const std::string& serial, const std::string& node, int of_november) {
  return {.kind = "gpu", .serial = serial, .node = node, .component = "hbm", .since = day(of_november)};
}

const PartRecord& record_of(const std::vector<PartRecord>& records, const std::string& serial) {
  return *std::ranges::find(records, serial, &PartRecord::serial);
}

TEST(Fleet, WritesWhatTheTableOfRatesReads) {
  FleetHistory fleet = sound_fleet();
  fleet.failures = {of_gpu("g1", "n0", 3), of_gpu("g2", "n1", 4)};
  fleet.failures.push_back(
      {.kind = "gpu", .serial = "g3", .node = "n1", .component = "gpu", .counted = false});
  const Rates rates = parse_rates(rates_toml(fleet, "my \"fleet\""), "r.toml");
  EXPECT_EQ(rates.name, "my \"fleet\"");
  EXPECT_EQ(rates.nodes, 16);
  EXPECT_EQ(rates.gpus_per_node, 2);
  EXPECT_NEAR(rates.per_node_day("hbm"), 2 / 800.0, 1e-12);
  EXPECT_EQ(rates.per_node_day("gpu"), 0) << "it had failed before watching began";
  EXPECT_NEAR(rates.components[1].rate.interval->upper, 7.2247 / 800, 1e-6) << "Garwood's, of 2";
  EXPECT_EQ(rates.components.size(), 3U) << "those that would have been seen have their upper bounds";
  EXPECT_NEAR(rates.components[2].rate.interval->upper, 3.6889 / 400, 1e-6)
      << "of nic, seen half of the time";
}

TEST(Fleet, WithoutTimeHasNoRate) {
  FleetHistory fleet{.source = "1 logbook", .seen = {{"gpu", 0}}};
  fleet.stays.push_back({"node", "n0", "n0", 0});
  try {
    rates_toml(fleet, "x");
    FAIL();
  } catch (const core::Error& error) {
    EXPECT_STREQ(error.what(), "1 logbook: nothing was under watch for any time");
  }
}

TEST(Fleet, APartThatMovesKeepsItsFailures) {
  FleetHistory fleet = sound_fleet();
  fleet.stays.push_back({"gpu", "g1", "n9", 20});
  fleet.failures = {of_gpu("g1", "n0", 3), of_gpu("g1", "n9", 9), of_gpu("g1", "n9", 20),
                    of_gpu("g5", "n2", 9)};
  const auto parts = offenders(fleet, {});
  EXPECT_EQ(parts.front().serial, "g1");
  EXPECT_EQ(parts.front().word(), "RMA");
  EXPECT_EQ(parts.front().failures, 3);
  EXPECT_EQ(parts.front().watched_days, 70);
  EXPECT_THAT(parts.front().nodes, ElementsAre("n0", "n9"));
  EXPECT_TRUE(parts.front().repeats);
  EXPECT_EQ(record_of(parts, "g5").word(), "watch");
  EXPECT_EQ(record_of(parts, "n9").failures, 2) << "a node has what failed in it";
  EXPECT_THAT(to_text(fleet, {}), HasSubstr("RMA      gpu   g1"));
  EXPECT_EQ(to_json(fleet, {}).at("parts").at(0).at("verdict"), "RMA");
}

TEST(Fleet, FailuresFarApartAreNoReasonToReplace) {
  FleetHistory fleet = sound_fleet();
  fleet.failures = {of_gpu("g1", "n0", 1), of_gpu("g1", "n0", 9), of_gpu("g1", "n0", 20)};
  EXPECT_TRUE(offenders(fleet, {.failures = 3, .within_days = 19}).front().replace);
  EXPECT_FALSE(offenders(fleet, {.failures = 3, .within_days = 18}).front().replace);
  EXPECT_FALSE(offenders(fleet, {.failures = 4, .within_days = 90}).front().replace);
}

TEST(Fleet, ANodeWhosePartsFailInTurnIsNamedWithoutAPartToReplace) {
  FleetHistory fleet = sound_fleet();
  for (int failure = 0; failure < 4; ++failure)
    fleet.failures.push_back(
        {.kind = "", .serial = "", .node = "n7", .component = "psu", .since = day(2 + failure)});
  const auto parts = offenders(fleet, {});
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_EQ(parts[0].word(), "repeats");
  EXPECT_NEAR(parts[0].by_chance, std::pow(1 / 16.0, 4), 1e-12);
}

// 32 GPUs of one rate: hardly ever is any of them named, and never more often than the rule says.
TEST(Fleet, SoundPartsAreSeldomNamed) {
  std::mt19937_64 random(24);
  std::uniform_int_distribution<int> gpu(0, 31);
  std::poisson_distribution<int> failures(20);
  constexpr int fleets = 2000;
  int named = 0;
  for (int one = 0; one < fleets; ++one) {
    FleetHistory fleet = sound_fleet();
    for (int left = failures(random); left > 0; --left) {
      const int of = gpu(random);
      fleet.failures.push_back(of_gpu(fmt::format("g{}", of), fmt::format("n{}", of / 2), 1));
    }
    named += std::ranges::any_of(offenders(fleet, {.failures = 1000, .by_chance = 0.05}),
                                 [](const PartRecord& part) { return part.repeats && part.kind == "gpu"; });
  }
  EXPECT_LT(named, fleets * 0.05);
  EXPECT_GT(named, 0);
}

}  // namespace
}  // namespace assay::model::reliability

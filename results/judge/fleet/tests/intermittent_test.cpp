// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/fleet/intermittent.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "results/judge/fleet/fleet_judgement.hpp"

namespace assay::results {
namespace {

constexpr int fleets = 40;

/// Hosts of one metric: `value(host, run)` is the logarithm of how much slower than usual.
std::vector<Fleet> fleet_of(int hosts, int runs, const std::function<double(int host, int run)>& value) {
  std::vector<Fleet> fleet;
  for (int run = 0; run < runs; ++run) {
    Fleet round;
    round.metrics = {{"gemm.time", "gemm", false}};
    round.unit_level = "host";
    for (int host = 0; host < hosts; ++host) {
      round.units.push_back({"h" + std::to_string(host), "x", {}});
      round.values.push_back(std::exp(value(host, run)));
    }
    fleet.push_back(std::move(round));
  }
  return fleet;
}

/// Findings of `place`; none where it passes.
std::vector<FleetFinding> found_of(const std::vector<Fleet>& fleet, const std::string& place) {
  std::vector<FleetFinding> found = judge_fleet(fleet.front(), std::span(fleet).subspan(1), {}).findings;
  std::erase_if(found, [&](const FleetFinding& one) { return one.place != place; });
  return found;
}

/// Number of the fleets with normal noise in which h3 is found that is `loss` slower in some runs.
int found_with(int hosts, int runs, double noise, double loss, const std::function<bool(int run)>& is_slow) {
  std::mt19937_64 random(20261130);
  std::normal_distribution<double> normal(0, noise);
  int found = 0;
  for (int at = 0; at < fleets; ++at)
    found += found_of(fleet_of(hosts, runs,
                               [&](int host, int run) {
                                 return normal(random) + (host == 3 && is_slow(run) ? loss : 0);
                               }),
                      "h3")
                     .empty()
                 ? 0
                 : 1;
  return found;
}

TEST(IntermittentRuns, AreSeenAtFivePercentInThreeOfTenRunsOfAHundredHosts) {
  EXPECT_GE(found_with(100, 10, 0.004, 0.05, [](int run) { return run % 4 == 1; }), 0.9 * fleets);
}

TEST(IntermittentRuns, AreSeenAtHalfOfThatInAQuietFleetOfSixteen) {
  EXPECT_GE(found_with(16, 10, 0.0015, 0.025, [](int run) { return run % 3 == 0; }), 0.9 * fleets);
}

TEST(IntermittentRuns, AreSeenAtTenPercentInEveryThirdOrSixthRun) {
  EXPECT_GE(found_with(128, 12, 0.004, 0.10, [](int run) { return run % 3 == 0; }), 0.9 * fleets);
  EXPECT_GE(found_with(128, 12, 0.004, 0.10, [](int run) { return run % 6 == 0; }), 0.9 * fleets);
}

TEST(IntermittentRuns, AreCountedAndNamed) {
  const auto fleet = fleet_of(100, 10, [](int host, int run) {
    return 0.004 * std::sin(7.0 * host + 11.0 * run) + (host == 3 && run % 3 == 0 ? 0.05 : 0);
  });
  const auto found = found_of(fleet, "h3");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, FindingKind::some_runs);
  EXPECT_EQ(found[0].runs, 4U);
  EXPECT_EQ(found[0].of_runs, 10U);
  EXPECT_NEAR(found[0].loss, 0.047, 0.004);
}

/// Findings of any place in `fleets` sound fleets of a hundred hosts and ten runs, of this noise.
int found_in_sound(const std::function<double(std::mt19937_64&, int host)>& noise) {
  std::mt19937_64 random(20261201);
  int found = 0;
  for (int at = 0; at < fleets; ++at) {
    const auto fleet = fleet_of(100, 10, [&](int host, int) { return noise(random, host); });
    const auto all = judge_fleet(fleet.front(), std::span(fleet).subspan(1), {}).findings;
    found +=
        std::ranges::any_of(all, [](const FleetFinding& one) { return one.kind == FindingKind::some_runs; })
            ? 1
            : 0;
  }
  return found;
}

TEST(IntermittentRuns, AreRareInSoundFleetsOfUglyNoise) {
  EXPECT_LE(found_in_sound([](auto& random, int) { return std::normal_distribution(0.0, 0.01)(random); }), 4)
      << "normal";
  EXPECT_LE(found_in_sound([](auto& random, int) { return 0.01 * std::student_t_distribution(3.0)(random); }),
            4)
      << "Student's t";
  EXPECT_LE(found_in_sound([](auto& random, int) {
              return std::bernoulli_distribution(0.05)(random) ? 0.05
                                                               : std::normal_distribution(0.0, 0.004)(random);
            }),
            4)
      << "one value in twenty 5 % slow";
}

/// Runs that follow each other are then no independent evidence: what is open in sound fleets of such noise
/// stays open more often.
TEST(IntermittentRuns, AreFoundInOneOfFourSoundFleetsAtMostWhereNoiseLastsForRounds) {
  std::vector<double> state(100, 0);
  const int found = found_in_sound([&](auto& random, int host) {
    const auto at = static_cast<std::size_t>(host);
    return state[at] = 0.9 * state[at] + std::normal_distribution(0.0, 0.005)(random);
  });
  EXPECT_LE(found, fleets / 4);
}

TEST(IntermittentRuns, AreRareWhereOnePlaceInTenIsTenTimesAsNoisy) {
  EXPECT_LE(found_in_sound([](auto& random, int host) {
              return std::normal_distribution(0.0, host % 10 == 0 ? 0.04 : 0.004)(random);
            }),
            fleets / 4);
}

}  // namespace
}  // namespace assay::results

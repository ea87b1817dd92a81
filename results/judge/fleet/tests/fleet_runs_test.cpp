// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Units that are slow in some of their runs, and fleets of two halves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <set>
#include <span>

#include "harness/core/statistics/student_t.hpp"
#include "results/judge/acceptance/acceptance.hpp"
#include "results/judge/fleet/fleet_row_judge.hpp"
#include "results/judge/statistics/division.hpp"
#include "results/judge/statistics/robust_statistics.hpp"

namespace assay::results {
namespace {

constexpr int hosts = 10, gpus = 4, runs = 5;

using IsSlow = std::function<bool(int host, int gpu, int run)>;

/// GPUs that differ by 0.15 % from run to run; those that are slow lose this much.
std::vector<Fleet> fleet_with(double loss, const IsSlow& is_slow) {
  std::mt19937_64 random(20261124);
  std::normal_distribution<double> noise(0, 0.0015);
  std::vector<Fleet> fleets(runs);
  for (int run = 0; run < runs; ++run) {
    Fleet& fleet = fleets[static_cast<std::size_t>(run)];
    fleet.metrics = {{"matmul", "gemm", false}, {"copy", "memory", false}, {"read", "memory", false}};
    fleet.levels = {"host"};
    for (int unit = 0; unit < hosts * gpus; ++unit) {
      const std::string host = "h" + std::to_string(unit / gpus);
      fleet.units.push_back({host + "/gpu" + std::to_string(unit % gpus), "x", {host}});
    }
    for (std::size_t metric = 0; metric < fleet.metrics.size(); ++metric)
      for (int unit = 0; unit < hosts * gpus; ++unit)
        fleet.values.push_back(std::exp(noise(random)) /
                               (is_slow(unit / gpus, unit % gpus, run) ? 1 - loss : 1));
  }
  return fleets;
}

FleetAcceptance accepted(const std::vector<Fleet>& fleets) {
  MeasuredFleet measured;
  measured.first = fleets.front();
  measured.again.assign(fleets.begin() + 1, fleets.end());
  return accept(measured, {});
}

/// Places of this level with any finding of their own.
std::set<std::string> named(const FleetAcceptance& acceptance, const std::string& level) {
  std::set<std::string> places;
  for (const FleetFinding& one : acceptance.judged.findings)
    if (one.level == level) places.insert(one.place);
  return places;
}

TEST(FleetOfSoundRuns, IsAccepted) {
  const FleetAcceptance sound = accepted(fleet_with(0, [](int, int, int) { return false; }));
  EXPECT_EQ(sound.verdict(), Verdict::pass);
  EXPECT_TRUE(sound.judged.findings.empty());
  EXPECT_TRUE(sound.judged.unlike.empty());
}

TEST(FleetOfSoundRuns, IsAcceptedWithAGpuWhoseLossIsShownToBeWithinTheMargin) {
  const FleetAcceptance sound =
      accepted(fleet_with(0.006, [](int host, int gpu, int) { return host == 3 && gpu == 1; }));
  EXPECT_EQ(sound.verdict(), Verdict::pass) << "0.6 % is seen, and is less than 1.5 %";
  EXPECT_TRUE(sound.judged.findings.empty());
}

TEST(FleetOfSlowRuns, NamesTwoHostsThatAreSlowInTheLastTwoRuns) {
  for (const double loss : {0.05, 0.10, 0.30}) {
    const FleetAcceptance slow = accepted(
        fleet_with(loss, [](int host, int, int run) { return (host == 1 || host == 6) && run > 2; }));
    EXPECT_NE(slow.verdict(), Verdict::pass) << loss;
    EXPECT_THAT(named(slow, "host"), testing::UnorderedElementsAre("h1", "h6")) << loss;
  }
}

TEST(FleetOfSlowRuns, NamesOneGpuOfEachHostInTheLastRunTheLastTwoOrEverySecond) {
  const std::vector<std::set<int>> when{{4}, {3, 4}, {1, 3}};
  for (const double loss : {0.05, 0.30})
    for (const std::set<int>& slow_runs : when) {
      const FleetAcceptance slow = accepted(
          fleet_with(loss, [&](int, int gpu, int run) { return gpu == 2 && slow_runs.contains(run); }));
      EXPECT_NE(slow.verdict(), Verdict::pass);
      EXPECT_EQ(named(slow, "gpu").size(), 10U) << loss << " " << *slow_runs.begin();
    }
}

TEST(FleetOfSlowRuns, NamesAnIntermittentGpuAndItsRuns) {
  const FleetAcceptance slow = accepted(
      fleet_with(0.05, [](int host, int gpu, int run) { return host == 3 && gpu == 1 && run % 2 == 1; }));
  EXPECT_EQ(slow.verdict(), Verdict::inconclusive);
  EXPECT_THAT(named(slow, "gpu"), testing::ElementsAre("h3/gpu1"));
  const FleetFinding& one = slow.judged.findings.front();
  EXPECT_EQ(one.kind, FindingKind::some_runs);
  EXPECT_EQ(one.runs, 2U);
  EXPECT_EQ(one.of_runs, 5U);
  EXPECT_NEAR(one.loss, 0.05, 0.004);
  EXPECT_THAT(finding_text(one), testing::HasSubstr("slower than its equals in 2 of its 5 runs"));
}

TEST(FleetOfSlowRuns, NamesAUnitThatWasSlowInItsThirdRunOfFiveAlone) {
  const FleetAcceptance slow = accepted(
      fleet_with(0.20, [](int host, int gpu, int run) { return host == 3 && gpu == 1 && run == 2; }));
  EXPECT_EQ(slow.verdict(), Verdict::inconclusive);
  EXPECT_THAT(named(slow, "gpu"), testing::ElementsAre("h3/gpu1"));
}

/// One GPU loses this much by one metric in one run.
void slow_once(std::vector<Fleet>& fleets, std::size_t run, std::size_t metric, double loss) {
  constexpr std::size_t gpu_of_host_3 = 13;
  fleets[run].values[metric * hosts * gpus + gpu_of_host_3] /= 1 - loss;
}

TEST(FleetOfSlowRuns, ClearsOneBadRunOfOneMetricByThreeSoundOnes) {
  std::vector<Fleet> fleets = fleet_with(0, [](int, int, int) { return false; });
  slow_once(fleets, 0, 1, 0.2);
  EXPECT_EQ(accepted(fleets).verdict(), Verdict::pass);
}

TEST(FleetOfSlowRuns, AddsUpBadRunsOfTwoMetrics) {
  std::vector<Fleet> fleets = fleet_with(0, [](int, int, int) { return false; });
  slow_once(fleets, 0, 1, 0.2), slow_once(fleets, 1, 2, 0.2);
  const FleetAcceptance slow = accepted(fleets);
  EXPECT_EQ(slow.verdict(), Verdict::inconclusive);
  EXPECT_THAT(named(slow, "gpu"), testing::ElementsAre("h3/gpu1"));
  EXPECT_THAT(finding_text(slow.judged.findings.front()),
              testing::HasSubstr("in 1 of its 5 runs, in another run by another metric: no number of sound"));
}

TEST(FleetOfTwoHalves, IsDividedInAllRunsOrInOne) {
  for (const std::set<int>& slow_runs : {std::set{0, 1, 2, 3, 4}, std::set{2, 3, 4}, std::set{4}}) {
    const FleetAcceptance halves = accepted(
        fleet_with(0.05, [&](int host, int, int run) { return host % 2 == 0 && slow_runs.contains(run); }));
    EXPECT_NE(halves.verdict(), Verdict::pass);
    ASSERT_FALSE(halves.judged.unlike.empty());
    EXPECT_EQ(halves.judged.unlike.front().unlike, 20);
    EXPECT_EQ(halves.judged.unlike.front().places, 40);
  }
}

TEST(RunView, IsNotWidenedByTheSlowAndKnowsHeavyTails) {
  constexpr std::size_t places = 40, runs = 5;
  std::vector<std::vector<double>> values(runs, std::vector<double>(places));  // by run
  std::mt19937_64 random(3);
  std::student_t_distribution<double> tails(3);
  for (std::size_t place = 0; place < places; ++place)
    for (std::size_t run = 0; run < runs; ++run) values[run][place] = 0.001 * tails(random);
  const auto far_off = [&] {
    std::size_t count = 0;
    std::vector<RoundOfPlaces> rounds;
    for (const auto& run : values) rounds.push_back({run, [](std::size_t) { return 1.0; }});
    const SeriesRow row(rounds);
    const RunView view(row, {0, 0.0006}, 0.015, 1e-4);
    for (std::size_t place = 0; place < row.size(); ++place) count += view.far_off(place).values.size();
    return count;
  };
  EXPECT_EQ(far_off(), 0U) << "heavy tails are noise";
  for (std::size_t place = 0; place < 16; ++place) values[2][place] -= 0.08, values[4][place] -= 0.08;
  EXPECT_EQ(far_off(), 32U) << "sixteen of forty, in two runs of five";
}

TEST(NormalQuantile, OfCertaintyIsInfinite) {
  EXPECT_EQ(core::normal_quantile(1), HUGE_VAL);
  EXPECT_EQ(core::normal_quantile(0), -HUGE_VAL);
}

TEST(Division, IsAGapWiderThanTheMarginAndThanEitherGroup) {
  std::vector<double> one, halves, near;
  for (int at = 0; at < 400; ++at) {
    const int pair = at / 2;
    const double score = core::normal_quantile((pair + 0.5) / 200);
    one.push_back(0.01 * score);
    halves.push_back(0.01 * score - (at % 2 == 0 ? 0.06 : 0));
    near.push_back(0.001 * score - (at % 2 == 0 ? 0.012 : 0));
  }
  EXPECT_FALSE(division_of(one, 0.015));
  EXPECT_FALSE(division_of(near, 0.015)) << "within the margin";
  const auto division = division_of(halves, 0.015);
  ASSERT_TRUE(division);
  EXPECT_NEAR(static_cast<double>(division->slower), 200, 4);
  EXPECT_EQ(division->of, 400U);
  EXPECT_FALSE(division_of({}, 0.015));
  EXPECT_FALSE(division_of({-0.1, 0, 0}, 0.015)) << "one is not a group";
}

}  // namespace
}  // namespace assay::results

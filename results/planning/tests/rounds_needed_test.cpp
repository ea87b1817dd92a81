// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/planning/rounds_needed.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "harness/core/tests/temporary_folder.hpp"
#include "results/planning/measured_noise.hpp"
#include "results/store/store.hpp"
#include "results/tests/small_fleet.hpp"

namespace assay::results {
namespace {

using testing::HasSubstr;

PlannedFleet small_plan(double noise) {
  return {.hosts = 12, .units_per_host = 2, .points = std::vector(3, PointNoise{.changing = noise})};
}

constexpr FleetRules three_percent{.margin = 0.03};

double deviation_of(const std::vector<double>& values) {
  double sum = 0, squares = 0;
  for (const double value : values) sum += std::log(value), squares += std::log(value) * std::log(value);
  const auto n = static_cast<double>(values.size());
  return std::sqrt(squares / n - sum * sum / n / n);
}

TEST(RoundsNeeded, SimulatesTheNoiseThatIsPlannedAndTheSameRoundsForOneSeed) {
  PlannedFleet planned{.hosts = 500, .units_per_host = 8, .points = {{.changing = 0.01, .lasting = 0.02}}};
  const MeasuredFleet two = simulated_rounds(planned, 2, {}, 7), three = simulated_rounds(planned, 3, {}, 7);
  EXPECT_EQ(two.first.values, three.first.values);
  EXPECT_EQ(two.again[0].values, three.again[0].values);
  EXPECT_NEAR(deviation_of(two.first.values), std::hypot(0.01, 0.02), 0.001);
  std::vector<double> changes;
  for (std::size_t unit = 0; unit < two.first.units.size(); ++unit)
    changes.push_back(two.first.at(0, unit) / two.again[0].at(0, unit));
  EXPECT_NEAR(deviation_of(changes), 0.01 * std::sqrt(2), 0.001);
  const MeasuredFleet slow = simulated_rounds(planned, 2, 0.1, 7);
  EXPECT_NEAR(slow.again[0].at(0, 0) * 0.9, two.again[0].at(0, 0), 1e-12);
  EXPECT_EQ(slow.again[0].at(0, 1), two.again[0].at(0, 1));
}

TEST(RoundsNeeded, NoiseTakesRounds) {
  const PlanningRules planning{.loss = 0.06, .fleets = 16};
  const RoundsNeeded quiet = rounds_needed(small_plan(0.002), three_percent, planning),
                     noisy = rounds_needed(small_plan(0.012), three_percent, planning);
  ASSERT_TRUE(quiet.rounds && noisy.rounds);
  EXPECT_LT(*quiet.rounds, *noisy.rounds);
  for (const RoundsNeeded& needed : {quiet, noisy}) {
    const TriedRounds& last = needed.tried.back();
    EXPECT_EQ(last.rounds, *needed.rounds);
    EXPECT_EQ(last.sound_passes.of, 16);
    EXPECT_GE(last.sound_passes.value(), 0.9);
    EXPECT_GE(last.slow_fails.value(), 0.9);
    EXPECT_EQ(last.slow_passes.count, 0);
  }
}

TEST(RoundsNeeded, GivesUpHopelessRoundsEarlyAndSaysThatNoneDecides) {
  const PlanningRules planning{.loss = 0.06, .fleets = 40, .most_rounds = 5};
  const RoundsNeeded needed = rounds_needed(small_plan(0.1), three_percent, planning);
  EXPECT_FALSE(needed.rounds);
  ASSERT_EQ(needed.tried.size(), 3U);
  EXPECT_LT(needed.tried[0].sound_passes.of, 40);
  const Table table = to_table(needed, small_plan(0.1), three_percent, planning, {});
  EXPECT_THAT(table.notes[0], HasSubstr("No number up to 5 rounds decides in 90 % of fleets"));
}

TEST(RoundsNeeded, RefusesALossThatTheMarginTolerates) {
  EXPECT_THROW(rounds_needed(small_plan(0.01), three_percent, {.loss = 0.03}), std::runtime_error);
}

TEST(RoundsNeeded, TableSaysRoundsMinutesAndSharesWithTheirIntervals) {
  RoundsNeeded needed;
  needed.tried = {{.rounds = 5, .sound_passes = {38, 40}, .slow_fails = {40, 40}, .slow_passes = {0, 40}}};
  needed.rounds = 5;
  const Table table = to_table(needed, small_plan(0.01), three_percent, {.loss = 0.06}, 12);
  EXPECT_THAT(table.notes[0], HasSubstr("5 rounds (60 minutes) decide in 90 % of fleets"));
  EXPECT_THAT(table.notes[1], HasSubstr("12 hosts of 2 gpus, 3 points, noise of a round 1 %"));
  const auto passes = std::get<Number>(table.rows[0][2]);
  EXPECT_EQ(passes.value, 95);
  EXPECT_NEAR(*passes.lower, 83.08, 0.01);
  EXPECT_NEAR(*passes.upper, 99.39, 0.01);
}

TEST(RoundsNeeded, AFleetOfAStoreIsPlannedWithTheNoiseItsRoundsShow) {
  const core::tests::TemporaryFolder folder;
  test::put_small_fleet(folder.place("fleet.sqlite"));
  const Store store(folder.place("fleet.sqlite"), StoreMode::existing);
  const std::vector<PlannedFleet> planned = planned_as_measured(store, "", {});
  ASSERT_EQ(planned.size(), 1U);
  EXPECT_EQ(planned[0].unit_level, "host");
  EXPECT_EQ(planned[0].hosts, 10);
  ASSERT_EQ(planned[0].points.size(), 4U);
  for (const PointNoise& point : planned[0].points) {
    EXPECT_GT(point.changing, 1e-5);
    EXPECT_LT(point.changing, 0.02);
  }
}

}  // namespace
}  // namespace assay::results

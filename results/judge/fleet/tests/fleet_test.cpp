// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <stdexcept>

#include "harness/core/statistics/statistics.hpp"
#include "harness/core/statistics/student_t.hpp"
#include "results/judge/fleet/fleet_effects.hpp"
#include "results/judge/fleet/fleet_judgement.hpp"
#include "results/judge/fleet/fleet_rounds.hpp"
#include "results/judge/statistics/robust_statistics.hpp"
#include "results/tests/synthetic/patterned_fleet.hpp"
#include "results/tests/synthetic/rules_in_use.hpp"
#include "results/tests/synthetic/synthetic_fleet.hpp"

namespace assay::results {
namespace {

using testing::AllOf, testing::ElementsAreArray, testing::EndsWith, testing::StartsWith;

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

Fleet three_units() {
  Fleet fleet;
  fleet.metrics = {{"rate", "gemm", true}, {"time", "gemm", false}};
  fleet.levels = {"node"};
  fleet.units = {{"a", "x", {"n1"}}, {"b", "x", {"n1"}}, {"c", "x", {"n2"}}};
  fleet.values = {90, 100, 110, 2, 1, 1};
  return fleet;
}

Deviations deviations_in(const Fleet& fleet) { return rounds_of(fleet, {}).rounds.front(); }

TEST(FleetDeviations, AreLogarithmsFromTheMedianWithWorseBelow) {
  const Deviations all = deviations_in(three_units());
  EXPECT_NEAR(all.at(0, 0), std::log(0.9), 1e-12);
  EXPECT_DOUBLE_EQ(all.at(0, 1), 0);
  EXPECT_DOUBLE_EQ(all.at(1, 0), -std::log(2.0));
}

TEST(FleetDeviations, HoldUnitsAgainstTheirOwnBlockOnly) {
  Fleet fleet = three_units();
  fleet.units[2].block = "y";
  const Deviations all = deviations_in(fleet);
  EXPECT_DOUBLE_EQ(all.at(0, 2), 0);
  EXPECT_NEAR(all.at(0, 1), 0.5 * std::log(100.0 / 90), 1e-12);
}

TEST(FleetDeviations, PassOverWhatWasNotMeasuredAndRefuseWhatIsNoNumber) {
  Fleet fleet = three_units();
  fleet.at(0, 2) = missing;
  EXPECT_TRUE(std::isnan(deviations_in(fleet).at(0, 2)));
  for (const double bad : {0.0, -1.0, std::numeric_limits<double>::infinity()}) {
    fleet.at(0, 2) = bad;
    EXPECT_THROW(deviations_in(fleet), std::invalid_argument) << bad;
  }
}

FleetShape small() { return {.nodes = 96, .nodes_per_pod = 12, .metrics = 16}; }

FleetJudgement judged(SyntheticFleet& fleet, int fresh, const FleetRules& rules = {}) {
  std::vector<Fleet> again;
  for (int time = 0; time < fresh; ++time) again.push_back(fleet.measure_again());
  return judge_fleet(fleet.fleet(), again, rules);
}

bool fails(const FleetJudgement& judgement, const std::string& level, const std::string& place) {
  return std::ranges::any_of(judgement.findings, [&](const FleetFinding& one) {
    return one.is_fault() && one.level == level && one.place == place;
  });
}

std::size_t faults_in(const FleetJudgement& judgement) {
  return static_cast<std::size_t>(std::ranges::count_if(judgement.findings, &FleetFinding::is_fault));
}

TEST(FleetJudge, FailsNothingInSoundFleetsWhateverTheirNoise) {
  for (const NoiseShape shape : {NoiseShape::normal, NoiseShape::student_t, NoiseShape::skewed}) {
    FleetShape noisy = small();
    noisy.noise_shape = shape;
    noisy.tail_degrees = 3;
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      SyntheticFleet fleet(noisy, seed);
      EXPECT_EQ(faults_in(judged(fleet, 4)), 0U) << static_cast<int>(shape) << " " << seed;
    }
  }
}

TEST(FleetJudge, FindsALossOfTenPercentAtEveryLevelUnderItsOwnName) {
  SyntheticFleet fleet(small(), 4);
  fleet.plant({0.10}, 1);
  ASSERT_EQ(fleet.planted().size(), 4U);
  const FleetJudgement judgement = judged(fleet, 4);
  for (const PlantedLoss& loss : fleet.planted())
    EXPECT_TRUE(fails(judgement, loss.level, loss.place)) << loss.level << " " << loss.place;
}

TEST(FleetJudge, FindsOneSwitchAloneInTheFleet) {
  FleetShape shape{.nodes = 96, .nodes_per_pod = 8, .metrics = 5, .products = 3};
  shape.silicon = 0;
  SyntheticFleet fleet(shape, 7);
  const PlantedLoss loss = fleet.plant_one("switch", 0.02, "link", false);
  const FleetJudgement judgement = judged(fleet, 9);
  EXPECT_TRUE(fails(judgement, "switch", loss.place));
  EXPECT_EQ(faults_in(judgement), 1U) << "its eight nodes are not named again";
}

TEST(FleetJudge, FindsALossOfAllProductsThatIsNoSpreadOfSilicon) {
  FleetShape shape{.nodes = 96, .nodes_per_pod = 8, .metrics = 5, .products = 3};
  shape.silicon = 0;
  SyntheticFleet fleet(shape, 8);
  const PlantedLoss loss = fleet.plant_one("gpu", 0.05, "gemm", true);
  const FleetJudgement judgement = judged(fleet, 9);
  EXPECT_TRUE(fails(judgement, "gpu", loss.place));
  EXPECT_EQ(faults_in(judgement), 1U) << "once for the group, not for each product";
}

using test::judged, test::patterned;

TEST(FleetJudge, SeesAUnitThatDegradesInLaterRuns) {
  const auto late = patterned(16, 3, [](int host, int run) { return host == 5 && run > 0 ? 1.25 : 1.0; });
  EXPECT_TRUE(fails(judged(late), "host", "h5"));
  const auto last = patterned(16, 5, [](int host, int run) { return host == 5 && run == 4 ? 1.25 : 1.0; });
  const FleetJudgement open = judged(last);
  EXPECT_EQ(faults_in(open), 0U) << "one run is not enough";
  ASSERT_FALSE(open.findings.empty());
  EXPECT_EQ(open.findings.front().place, "h5");
  EXPECT_TRUE(open.findings.front().more_runs);
}

TEST(FleetJudge, IsNotBlindedByUnitsThatAreTooFast) {
  const auto runs = patterned(200, 4, [](int host, int) {
    return host < 7 ? 0.7 : host == 100 ? 1.25 : 1.0;
  });
  const FleetJudgement judgement = judged(runs);
  EXPECT_TRUE(fails(judgement, "host", "h100"));
  EXPECT_TRUE(judgement.unlike.empty()) << "seven of two hundred are less than a tenth";
  EXPECT_EQ(judgement.too_fast.size(), 14U);
}

/// So many places are judged by several threads.
TEST(FleetJudge, AnswersForManyPlacesInTheOrderOfMetricsThenPlaces) {
  const FleetJudgement judgement =
      judged(patterned(2 * worth_threads, 4, [](int host, int) { return host < 7 ? 0.7 : 1.0; }));
  ASSERT_GE(judgement.looks.size(), 2U);
  EXPECT_EQ(judgement.looks[0].metric, "copy");
  EXPECT_EQ(judgement.looks[1].metric, "read");
  std::vector<testing::Matcher<std::string>> expected;
  for (const char* metric : {"in copy", "in read"})
    for (int host = 0; host < 7; ++host)
      expected.push_back(AllOf(StartsWith(fmt::format("host h{}:", host)), EndsWith(metric)));
  EXPECT_THAT(judgement.too_fast, ElementsAreArray(expected));
}

TEST(FleetJudge, SaysThatAFleetIsDividedWhereMoreThanATenthIsUnlikeTheRest) {
  const auto runs = patterned(16, 4, [](int host, int) { return host < 9 ? 1.25 : 1.0; });
  const FleetJudgement judgement = judged(runs);
  ASSERT_FALSE(judgement.unlike.empty());
  EXPECT_EQ(judgement.unlike.front().unlike, 7);
  EXPECT_EQ(judgement.unlike.front().places, 16);
}

TEST(FleetJudge, CallsNothingSoundThatIsNotShownToBe) {
  // Noise of 2 %, three runs: the margin of 1.5 % is within the noise.
  const auto runs =
      patterned(16, 3, [](int host, int run) { return 1 + 0.02 * std::sin(13.0 * host + 5.0 * run * run); });
  std::int64_t undecided = 0;
  for (const FleetLook& look : judged(runs).looks) {
    undecided += look.undecided + look.suspects;
    EXPECT_TRUE(look.undecided == 0 || look.more_runs.value_or(1) > 0);
  }
  EXPECT_GT(undecided, 0);
}

TEST(FleetJudge, HoldsUnitsAgainstTheSitesMarginHoweverUsualTheirLoss) {
  // Silicon that spreads: every unit stands elsewhere, from 6 % below the middle to 6 % above.
  const auto runs = patterned(40, 6, [](int host, int) { return 1 + 0.12 * (host / 39.0 - 0.5); });
  EXPECT_EQ(faults_in(judged(runs)), 0U) << "none is unusual, and 7 % are tolerated";
  const FleetJudgement strict = judged(runs, {.site_margin = 0.03});
  ASSERT_TRUE(fails(strict, "host", "h39"));
  EXPECT_EQ(strict.findings.front().kind, FindingKind::beyond_site);
}

TEST(FleetJudge, LeavesAKindOfItsOwnUndecided) {
  auto runs = patterned(24, 4, [](int host, int) { return host == 3 ? 1.3 : 1.0; });
  for (Fleet& run : runs) run.units[3].block = "another name";
  const FleetJudgement judgement = judged(runs);
  EXPECT_THAT(judgement.small_blocks, testing::ElementsAre("another name: 1 units in 1 hosts"));
  EXPECT_EQ(judgement.looks.front().places, 23);
}

TEST(FleetJudge, OfTooFewEqualsSaysSo) {
  const FleetJudgement judgement = judge_fleet(three_units(), {}, {});
  EXPECT_TRUE(judgement.findings.empty());
  EXPECT_TRUE(judgement.looks.empty());
  EXPECT_THAT(judgement.too_few,
              testing::ElementsAre(testing::Property(&FleetIssue::text, "gpu: 3 places"),
                                   testing::Property(&FleetIssue::text, "node: 2 places")));
}

TEST(SortedNumbers, HaveTheQuantilesCoreAndScoresOfTheSameInAnyOrder) {
  std::vector<double> values;
  for (int at = 0; at < 1501; ++at) values.push_back(std::sin(at * at) + (at % 3 == 0 ? 0.25 : 0));
  std::vector<double> sorted = values;
  std::ranges::sort(sorted);
  for (const double q : {0.0, 0.05, 0.2, 1.0 / 3, 0.5, 0.95, 1.0})
    EXPECT_EQ(quantile_of_sorted(sorted, q), core::quantile_of(values, q)) << q;
  EXPECT_TRUE(std::isnan(quantile_of_sorted({}, 0.5)));
  EXPECT_EQ(core_of_sorted(sorted).centre, core_of(values).centre);
  EXPECT_EQ(core_of_sorted(sorted).deviation, core_of(values).deviation);
  const NormalScores one(values), other = NormalScores::of_sorted(sorted);
  for (const double value : {-2.0, -0.3, 0.0, 0.7, 1.9}) EXPECT_EQ(one(value), other(value)) << value;
}

TEST(NormalScores, AreThoseOfRanksWhateverTheShape) {
  std::vector<double> skewed;
  for (int at = 0; at < 999; ++at) skewed.push_back(std::exp(3 * core::normal_quantile((at + 0.5) / 999)));
  const NormalScores scores(skewed);
  EXPECT_NEAR(scores(1), 0, 0.01);
  EXPECT_NEAR(scores(std::exp(3 * 1.5)), 1.5, 0.02);
  EXPECT_NEAR(scores(std::exp(-3 * 2.0)), -2, 0.02);
  EXPECT_GT(scores(1e9), 5);
  EXPECT_LE(scores(1e30), 8);
  EXPECT_NEAR(scores.bound(), 3.09, 0.01);
  EXPECT_NEAR(scores.value_at(1.5), std::exp(4.5), 2);
}

TEST(NormalScores, OfEqualValuesAreNought) {
  const NormalScores scores(std::vector<double>(20, 0.0));
  EXPECT_NEAR(scores(0), 0, 1e-9);
  EXPECT_DOUBLE_EQ(scores(-1), -8);
}

TEST(NormalQuantile, IsTheInverseOfTheDistribution) {
  EXPECT_NEAR(core::normal_quantile(0.975), 1.959964, 1e-6);
  EXPECT_NEAR(core::normal_quantile(1e-7), -5.199338, 1e-6);
}

TEST(Core, IsThatOfTheMajorityOnWhicheverSideTheRestIs) {
  std::vector<double> values;
  for (int at = 0; at < 60; ++at) values.push_back(0.01 * core::normal_quantile((at + 0.5) / 60));
  for (int at = 0; at < 40; ++at) values.push_back(at % 2 == 0 ? 0.3 : 0.31);
  const Core core = core_of(values);
  EXPECT_NEAR(core.centre, 0, 0.01);
  EXPECT_LT(core.deviation, 0.03);
}

TEST(FleetRounds, AreCentredOnPartnersWhereFewWereMeasuredAgain) {
  auto runs =
      patterned(12, 2, [](int host, int run) { return (host == 4 ? 1.1 : 1.0) * (run == 1 ? 1.08 : 1.0); });
  for (int metric = 0; metric < 2; ++metric)
    for (std::size_t host = 5; host < 12; ++host)
      runs[1].at(static_cast<std::size_t>(metric), host) = missing;
  for (std::size_t metric = 0; metric < 2; ++metric) runs[1].at(metric, 0) = missing;
  const FleetRounds rounds = rounds_of(runs[0], std::span(runs).subspan(1));
  EXPECT_NEAR(rounds.rounds[1].at(0, 4), -std::log(1.1), 0.01) << "what the day did to all is taken out";
  EXPECT_GT(rounds.widening(1, 0, 4), 1.2) << "three partners show the centre less well than twelve";
  for (std::size_t metric = 0; metric < 2; ++metric) runs[1].at(metric, 1) = missing;
  EXPECT_TRUE(std::isnan(rounds_of(runs[0], std::span(runs).subspan(1)).rounds[1].at(0, 4))) << "too few";
}

TEST(SyntheticFleet, LeavesAFifthOfThePlacesSoundAndPlantsNothingTwice) {
  SyntheticFleet fleet(small(), 6);
  fleet.plant({0.01, 0.05}, 1000);
  std::map<std::pair<std::string, std::string>, int> times;
  for (const PlantedLoss& loss : fleet.planted()) ++times[{loss.level, loss.place}];
  for (const auto& [place, count] : times) EXPECT_EQ(count, 1) << place.first << " " << place.second;
  const auto nodes = std::count_if(fleet.planted().begin(), fleet.planted().end(),
                                   [](const PlantedLoss& loss) { return loss.level == "host"; });
  EXPECT_EQ(nodes, 76);
}

}  // namespace
}  // namespace assay::results

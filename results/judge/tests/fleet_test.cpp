// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "results/judge/fleet_suspects.hpp"
#include "results/judge/synthetic/rules_in_use.hpp"
#include "results/judge/synthetic/synthetic_fleet.hpp"

namespace assay::results {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

Fleet three_units() {
  Fleet fleet;
  fleet.metrics = {{"rate", "gemm", true}, {"time", "gemm", false}};
  fleet.levels = {"node"};
  fleet.units = {{"a", "x", {"n1"}}, {"b", "x", {"n1"}}, {"c", "x", {"n2"}}};
  fleet.values = {90, 100, 110, 2, 1, 1};
  return fleet;
}

TEST(FleetDeviations, AreLogarithmsFromTheMedianWithWorseBelow) {
  const Deviations all = deviations_of(three_units());
  EXPECT_NEAR(all.at(0, 0), std::log(0.9), 1e-12);
  EXPECT_DOUBLE_EQ(all.at(0, 1), 0);
  EXPECT_DOUBLE_EQ(all.at(1, 0), -std::log(2.0));
  EXPECT_DOUBLE_EQ(all.at(1, 2), 0);
}

TEST(FleetDeviations, HoldUnitsAgainstTheirOwnBlockOnly) {
  Fleet fleet = three_units();
  fleet.units[2].block = "y";
  const Deviations all = deviations_of(fleet);
  EXPECT_DOUBLE_EQ(all.at(0, 2), 0);
  EXPECT_NEAR(all.at(0, 1), 0.5 * std::log(100.0 / 90), 1e-12);
}

TEST(FleetDeviations, PassOverWhatWasNotMeasuredAndRefuseWhatIsNoNumber) {
  Fleet fleet = three_units();
  fleet.at(0, 2) = missing;
  EXPECT_TRUE(std::isnan(deviations_of(fleet).at(0, 2)));
  for (const double bad : {0.0, -1.0, std::numeric_limits<double>::infinity()}) {
    fleet.at(0, 2) = bad;
    EXPECT_THROW(deviations_of(fleet), std::invalid_argument) << bad;
  }
}

TEST(FleetDeviations, OfAPlaceAreTheMedianWhereHalfOfItsUnitsWereMeasured) {
  Fleet fleet = three_units();
  const Deviations nodes = at_level(fleet, deviations_of(fleet), 0);
  EXPECT_THAT(nodes.places, testing::ElementsAre("n1", "n2"));
  EXPECT_NEAR(nodes.at(0, 0), std::log(0.9) / 2, 1e-12);
  fleet.at(0, 2) = missing;
  EXPECT_TRUE(std::isnan(at_level(fleet, deviations_of(fleet), 0).at(0, 1)));
}

TEST(FleetDeviations, OfAGroupSplitIntoWhatIsCommonAndWhatIsOwn) {
  Fleet fleet = three_units();
  fleet.metrics.push_back({"third", "gemm", true});
  fleet.values = {90, 100, 100, 90, 100, 100, 45, 100, 100};
  fleet.metrics[1].larger_is_better = true;
  const SplitDeviations parts = split(deviations_of(fleet));
  EXPECT_THAT(parts.common.metrics, testing::ElementsAre("all of gemm"));
  EXPECT_NEAR(parts.common.at(0, 0), std::log(0.9), 1e-12);
  EXPECT_NEAR(parts.own.at(0, 0), 0, 1e-12);
  EXPECT_NEAR(parts.own.at(2, 0), std::log(0.5), 1e-12);
}

Retest retest(double margin, std::vector<double> deviations) {
  return {{"gpu", "a", "rate", -0.1, -0.02, margin}, std::move(deviations)};
}

TEST(Confirmation, IsOfWhatTheNoiseOfFreshMeasurementsCannotMake) {
  const std::vector<Retest> retests{retest(0.015, {-0.051, -0.049, -0.050}),
                                    retest(0.015, {-0.001, 0.001, 0.0})};
  const auto confirmed = confirm(retests, {});
  ASSERT_EQ(confirmed.size(), 2U);
  EXPECT_TRUE(confirmed[0].fault);
  EXPECT_NEAR(confirmed[0].deviation, -0.05, 1e-12);
  // Four degrees of freedom, 1 - 0.01 / 2: t is 4.604; the noise 0.001 over the root of three.
  EXPECT_NEAR(confirmed[0].at_least, 0.05 - 4.604 * 0.001 / std::sqrt(3.0), 1e-6);
  EXPECT_FALSE(confirmed[1].fault);
}

TEST(Confirmation, OfALossBelowTheMarginIsNoFaultHoweverSure) {
  EXPECT_FALSE(confirm(std::vector{retest(0.06, {-0.051, -0.049, -0.050})}, {})[0].fault);
}

TEST(Confirmation, LeavesOutWhomNobodyMeasuredTwice) {
  EXPECT_TRUE(confirm(std::vector{retest(0.015, {-0.5}), retest(0.015, {})}, {}).empty());
}

TEST(FirstLook, OfTooFewEqualsSaysSo) {
  const FleetSuspects found = first_look(three_units(), {});
  EXPECT_TRUE(found.suspects.empty());
  EXPECT_THAT(found.too_few, testing::ElementsAre("gpu: 3 places", "node: 2 places"));
}

FleetShape small() { return {.nodes = 96, .nodes_per_pod = 12, .metrics = 16}; }

std::vector<Confirmed> faults_of(SyntheticFleet& fleet) {
  const FleetSuspects found = first_look(fleet.fleet(), {});
  std::vector<Fleet> again;
  for (int time = 0; time < 9; ++time) again.push_back(fleet.measure_again());
  const auto retests = retests_of(fleet.fleet(), again, found.suspects);
  std::vector<Confirmed> faults;
  for (const Confirmed& one : confirm(retests, {}))
    if (one.fault) faults.push_back(one);
  return faults;
}

TEST(FleetJudge, FindsNothingInSoundFleets) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    SyntheticFleet fleet(small(), seed);
    EXPECT_TRUE(faults_of(fleet).empty()) << seed;
  }
}

TEST(FleetJudge, FindsALossOfTenPercentAtEveryLevelUnderItsOwnName) {
  SyntheticFleet fleet(small(), 4);
  fleet.plant({0.10}, 1);
  ASSERT_EQ(fleet.planted().size(), 4U);
  const auto faults = faults_of(fleet);
  for (const PlantedLoss& loss : fleet.planted())
    EXPECT_TRUE(std::any_of(faults.begin(), faults.end(),
                            [&](const Confirmed& one) {
                              return one.suspect.level == loss.level && one.suspect.place == loss.place &&
                                     one.suspect.metric == fleet.fleet().metrics[loss.metric].name;
                            }))
        << loss.level << " " << loss.place;
}

TEST(FleetJudge, SeesANodeWhoseGpusAreAllSlowWhereTheBestOfTheNodeCannot) {
  SyntheticFleet fleet(small(), 5);
  fleet.plant({0.10}, 1);
  const PlantedLoss& node = fleet.planted()[1];
  ASSERT_EQ(node.level, "node");
  const Flags best_of_node = rules_in_use()[2].flag(fleet.fleet());
  int flagged = 0;
  for (std::size_t unit = 0; unit < fleet.fleet().units.size(); ++unit)
    if (fleet.fleet().units[unit].places[0] == node.place)
      flagged += best_of_node.contains({node.metric, unit}) ? 1 : 0;
  EXPECT_LT(flagged, 4);
  const auto faults = faults_of(fleet);
  EXPECT_TRUE(std::any_of(faults.begin(), faults.end(), [&](const Confirmed& one) {
    return one.suspect.level == "node" && one.suspect.place == node.place;
  }));
}

TEST(SyntheticFleet, LeavesAFifthOfThePlacesSoundAndPlantsNothingTwice) {
  SyntheticFleet fleet(small(), 6);
  fleet.plant({0.01, 0.05}, 1000);
  std::map<std::pair<std::string, std::string>, int> times;
  for (const PlantedLoss& loss : fleet.planted()) ++times[{loss.level, loss.place}];
  for (const auto& [place, count] : times) EXPECT_EQ(count, 1) << place.first << " " << place.second;
  const auto nodes = std::count_if(fleet.planted().begin(), fleet.planted().end(),
                                   [](const PlantedLoss& loss) { return loss.level == "node"; });
  EXPECT_EQ(nodes, 76);
}

}  // namespace
}  // namespace assay::results

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Early life found again in simulated fleets whose parameters are known.
#include "model/reliability/early_life_fit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace assay::model::reliability {
namespace {

using testing::HasSubstr;

const EarlyLife truth{.per_day = 0.003, .early = 0.6, .scale_days = 12, .shape = 0.7};

/// Nodes that were installed over a year, and watched until today.
std::vector<NodeLife> fleet_of(const EarlyLife& life, int nodes, std::mt19937_64& random) {
  std::vector<NodeLife> fleet;
  std::uniform_real_distribution<double> installed(30, 365), share(0, 1);
  for (int one = 0; one < nodes; ++one) {
    NodeLife node{.days = std::floor(installed(random))};
    std::poisson_distribution<int> constant(life.per_day * node.days), early(life.early);
    for (int failure = constant(random); failure > 0; --failure)
      node.failures_days.push_back(share(random) * node.days);
    for (int failure = life.early > 0 ? early(random) : 0; failure > 0; --failure)
      if (const double age = life.scale_days * std::pow(-std::log1p(-share(random)), 1 / life.shape);
          age < node.days)
        node.failures_days.push_back(age);
    fleet.push_back(std::move(node));
  }
  return fleet;
}

bool holds(const Interval& interval, double value) {
  return interval.lower <= value && value <= interval.upper;
}

TEST(EarlyLifeFit, IntervalsHoldTheTruthInNinetyFiveOfAHundredFleets) {
  constexpr int fleets = 60;
  std::mt19937_64 random(1);
  int early = 0, scale = 0, shape = 0;
  for (int one = 0; one < fleets; ++one) {
    const EarlyLifeFit fit = fit_early_life(fleet_of(truth, 400, random));
    ASSERT_EQ(fit.why_not, "");
    early += holds(fit.early, truth.early) ? 1 : 0;
    scale += holds(fit.scale_days, truth.scale_days) ? 1 : 0;
    shape += holds(fit.shape, truth.shape) ? 1 : 0;
  }
  // 57 of 60 are expected; 52 is three standard deviations below.
  for (const int covered : {early, scale, shape}) EXPECT_GE(covered, 52);
}

TEST(EarlyLifeFit, AConstantRateShowsNoEarlyLife) {
  constexpr int fleets = 50;
  std::mt19937_64 random(2);
  int shown = 0;
  for (int one = 0; one < fleets; ++one)
    shown += fit_early_life(fleet_of({.per_day = 0.003}, 200, random)).why_not.empty() ? 1 : 0;
  EXPECT_LE(shown, 2);
}

TEST(EarlyLifeFit, NeedsFailures) {
  EXPECT_EQ(fit_early_life({}).why_not, "0 failures (expected 20 at least)");
  std::vector<NodeLife> nodes(30, NodeLife{.days = 100});
  for (std::size_t one = 0; one < 19; ++one) nodes[one].failures_days = {1.0};
  EXPECT_EQ(fit_early_life(nodes).why_not, "19 failures (expected 20 at least)");
}

TEST(EarlyLifeFit, AgesInWholeDaysGiveAShapeAtItsBoundWithWhatIsStillAllowed) {
  std::mt19937_64 random(3);
  std::vector<NodeLife> nodes =
      fleet_of({.per_day = 0.003, .early = 0.6, .scale_days = 5, .shape = 1}, 300, random);
  for (NodeLife& node : nodes)
    for (double& age : node.failures_days) age = std::ceil(age);
  const EarlyLifeFit fit = fit_early_life(nodes);
  EXPECT_EQ(fit.why_not, "");
  EXPECT_GT(fit.life.shape, 0.99);
  EXPECT_EQ(fit.shape.upper, 1);
  EXPECT_GT(fit.shape.lower, 0.5);
  EXPECT_LT(fit.shape.lower, 1);
  EXPECT_TRUE(holds(fit.early, 0.6));
}

TEST(EarlyLifeFit, FailuresOnTheFirstDayAloneGiveFiniteNumbers) {
  std::vector<NodeLife> nodes(100, NodeLife{.days = 100});
  for (std::size_t one = 0; one < 40; ++one) nodes[one].failures_days = {0.0};
  const EarlyLifeFit fit = fit_early_life(nodes);
  for (const double value : {fit.gain, fit.life.early, fit.early.upper, fit.shape.lower})
    EXPECT_TRUE(std::isfinite(value));
  EXPECT_EQ(fit.why_not, "the ages of 40 failures do not determine its parameters");
  nodes.push_back({.days = 0, .failures_days = {}});
  EXPECT_EQ(fit_early_life(nodes).nodes, 100) << "a life without time";
}

}  // namespace
}  // namespace assay::model::reliability

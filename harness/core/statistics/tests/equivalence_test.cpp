// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/statistics/equivalence.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "harness/core/statistics/margin.hpp"
#include "harness/core/statistics/student_t.hpp"

namespace assay::core {
namespace {

/// The share of `trials` simulated comparisons with this verdict.
double share_of(Equivalence verdict, std::size_t runs, double difference, double deviation_of_a,
                double deviation_of_b, double margin, int trials) {
  std::mt19937_64 random(20261121);
  std::normal_distribution<double> normal;
  std::vector<double> a(runs), b(runs);
  int found = 0;
  for (int trial = 0; trial < trials; ++trial) {
    for (double& run : a) run = deviation_of_a * normal(random);
    for (double& run : b) run = difference + deviation_of_b * normal(random);
    found += judge_equivalence(a, b, margin).verdict == verdict ? 1 : 0;
  }
  return static_cast<double>(found) / trials;
}

TEST(StudentT, HasTheQuantilesOfTheTables) {
  EXPECT_NEAR(student_t_quantile(0.95, 1), 6.3138, 1e-4);
  EXPECT_NEAR(student_t_quantile(0.95, 5), 2.0150, 1e-4);
  EXPECT_NEAR(student_t_quantile(0.975, 10), 2.2281, 1e-4);
  EXPECT_NEAR(student_t_quantile(0.05, 10), -1.8125, 1e-4);
  EXPECT_NEAR(student_t_quantile(0.95, 1e6), 1.6449, 1e-4);
  EXPECT_EQ(student_t_quantile(0.5, 3), 0);
  EXPECT_NEAR(normal_probability(1.6449), 0.95, 1e-5);
}

// The worst case is a true ratio at the margin itself; the next one that a single side has all the scatter.
TEST(Equivalence, IsClaimedWronglyAtMostOnceInTwenty) {
  constexpr int trials = 8'000;
  const double slack = 3 * std::sqrt(0.05 * 0.95 / trials);
  for (const std::size_t runs : {3, 5, 10, 20})
    for (const double of_a : {0.0, 0.0025, 0.01})
      EXPECT_LE(share_of(Equivalence::equivalent, runs, std::log(1.03), of_a, 0.01, 0.03, trials),
                0.05 + slack)
          << runs << " " << of_a;
}

TEST(Equivalence, IsFoundAboutAsOftenAsTheFormulaSays) {
  for (const std::size_t runs : {5, 8, 12, 22})
    for (const double difference : {0.0, 0.01})
      for (const double deviation : {0.01, 0.02})
        EXPECT_NEAR(share_of(Equivalence::equivalent, runs, difference, deviation, deviation, 0.03, 3'000),
                    decision_power(static_cast<std::int64_t>(runs), difference, deviation, 0.03), 0.08)
            << runs << " " << difference << " " << deviation;
}

TEST(Equivalence, ABiggerDifferenceIsFoundAboutAsOftenAsTheFormulaSays) {
  for (const std::size_t runs : {5, 12})
    EXPECT_NEAR(share_of(Equivalence::higher, runs, 0.05, 0.015, 0.015, 0.03, 3'000),
                decision_power(static_cast<std::int64_t>(runs), 0.05, 0.015, 0.03), 0.08)
        << runs;
}

/// Two sides under a drift that both share, by the order in which their runs started.
struct DriftingRuns {
  std::vector<double> order_of_a, order_of_b;
  double drift = 0;  // of ln(value), from one start to the next

  /// The share of comparisons that are equivalent, with and without regard to the order.
  std::pair<double, double> share_equivalent(double difference, int trials) const {
    std::mt19937_64 random(20261130);
    std::normal_distribution<double> normal;
    std::pair<double, double> found{0, 0};
    for (int trial = 0; trial < trials; ++trial) {
      std::vector<double> a, b;
      for (const double place : order_of_a) a.push_back(drift * place + 0.005 * normal(random));
      for (const double place : order_of_b) b.push_back(difference + drift * place + 0.005 * normal(random));
      const auto is_found = [&](const RunOrder& order) {
        return judge_equivalence(a, b, 0.03, order).verdict == Equivalence::equivalent ? 1.0 / trials : 0.0;
      };
      found.first += is_found({order_of_a, order_of_b});
      found.second += is_found({});
    }
    return found;
  }
};

const std::vector<double> first_five{0, 1, 2, 3, 4}, last_five{5, 6, 7, 8, 9};

// A drift of as much as the loss, from the middle of one side to that of the other.
TEST(Equivalence, OfOneSideAfterTheOtherIsNotClaimedWhereASteadyDriftHidesTheMargin) {
  for (const double loss : {0.03, 0.05}) {
    const double difference = std::log1p(loss);
    const auto [heeded, ignored] =
        DriftingRuns{first_five, last_five, -difference / 5}.share_equivalent(difference, 2'000);
    EXPECT_LE(heeded, 0.065) << loss;
    EXPECT_GE(ignored, 0.5) << loss;
  }
}

TEST(Equivalence, OfRunsWithoutDriftIsStillFound) {
  EXPECT_GE((DriftingRuns{first_five, last_five}.share_equivalent(0, 2'000).first), 0.95);
  const DriftingRuns alternating{{0, 2, 4, 6, 8}, {1, 3, 5, 7, 9}};
  const auto [heeded, ignored] = alternating.share_equivalent(0.015, 2'000);
  EXPECT_GE(heeded, ignored - 0.03);
}

TEST(Equivalence, SaysWhereOnlyADriftKeepsItOpen) {
  const std::vector a{0.008, -0.008, 0.009, -0.01, 0.001}, b{-0.009, 0.01, -0.008, 0.009, -0.002};
  EXPECT_EQ(judge_equivalence(a, b, 0.019).verdict, Equivalence::equivalent);
  const EquivalenceResult blocks = judge_equivalence(a, b, 0.019, {first_five, last_five});
  EXPECT_EQ(blocks.verdict, Equivalence::not_enough_data);
  EXPECT_TRUE(blocks.drift_could_hide);
  EXPECT_FALSE(judge_equivalence(a, b, 0.1, {first_five, last_five}).drift_could_hide);
  const std::vector<double> together(5, 0);
  EXPECT_EQ(judge_equivalence(a, b, 0.019, {together, together}).verdict, Equivalence::equivalent)
      << "started together: there is no order";
}

TEST(Equivalence, GivesTheIntervalAndTheSmallestMarginOfTheRuns) {
  const std::vector<double> a{-0.01, 0, 0.01}, b{0.01, 0.02, 0.03};
  const EquivalenceResult result = judge_equivalence(a, b, 0.10);
  const double half = 2.91998558 * std::sqrt(2 * 1e-4 / 3);  // Student's, wider than that of ranks
  EXPECT_NEAR(result.ratio, std::exp(0.02), 1e-12);
  EXPECT_NEAR(*result.deviation, 0.01, 1e-12);
  EXPECT_NEAR(*result.lower, std::exp(0.02 - std::max(half, 0.02)), 1e-8);
  EXPECT_NEAR(*result.upper, std::exp(0.02 + std::max(half, 0.02)), 1e-8);
  EXPECT_NEAR(*result.smallest_margin, std::expm1(0.02 + std::max(half, 0.02)), 1e-8);
  EXPECT_EQ(result.verdict, Equivalence::equivalent);
}

TEST(Equivalence, TellsHigherLowerAndUndecided) {
  const std::vector<double> a{0.00, 0.01, 0.00, -0.01};
  EXPECT_EQ(judge_equivalence(a, std::vector{0.10, 0.11, 0.10, 0.09}, 0.03).verdict, Equivalence::higher);
  EXPECT_EQ(judge_equivalence(a, std::vector{-0.10, -0.11, -0.10, -0.09}, 0.03).verdict, Equivalence::lower);
  EXPECT_EQ(judge_equivalence(a, std::vector{-0.04, 0.04, 0.05, -0.05}, 0.03).verdict,
            Equivalence::not_enough_data);
}

TEST(Equivalence, SaysNothingOfTwoRunsOnASideHoweverCloseTheyAre) {
  const std::vector<double> two{0.0, 0.0001}, many{0.0, 0.0001, 0.0, 0.0002, 0.0001};
  for (const auto& [a, b] : {std::pair(two, two), {two, many}, {many, two}}) {
    const EquivalenceResult result = judge_equivalence(a, b, 0.03);
    EXPECT_EQ(result.verdict, Equivalence::not_enough_data);
    EXPECT_FALSE(result.lower);
    EXPECT_TRUE(result.deviation);
  }
  EXPECT_EQ(judge_equivalence({}, many, 0.03).verdict, Equivalence::not_enough_data);
}

TEST(Equivalence, PlansAsManyRunsAsThePowerWantedTakes) {
  const auto needed = runs_needed(0.005, 0.02, 0.03);
  ASSERT_TRUE(needed);
  EXPECT_GE(decision_power(*needed, 0.005, 0.02, 0.03), 0.85);
  EXPECT_LT(decision_power(*needed - 1, 0.005, 0.02, 0.03), 0.85);
}

TEST(Equivalence, PlansRunsForADifferenceBeyondTheMarginToo) {
  const auto needed = runs_needed(0.06, 0.02, 0.03);
  ASSERT_TRUE(needed);
  EXPECT_GE(decision_power(*needed, 0.06, 0.02, 0.03), 0.85);
  EXPECT_EQ(runs_needed(0, 0, 0.03), fewest_runs);
}

TEST(Equivalence, PlansNothingAtTheMarginItself) { EXPECT_FALSE(runs_needed(std::log(1.03), 0.02, 0.03)); }

TEST(Equivalence, OfRunsWithoutScatterIsDecidedByTheirRatio) {
  const std::vector<double> a(3, 0.0);
  EXPECT_EQ(judge_equivalence(a, std::vector(3, 0.01), 0.03).verdict, Equivalence::equivalent);
  EXPECT_EQ(judge_equivalence(a, std::vector(3, 0.05), 0.03).verdict, Equivalence::higher);
}

TEST(Equivalence, IsNeverFoundWithinWhatIsNoMargin) {
  const std::vector<double> a(3, 0.0);
  for (const double margin : {std::numeric_limits<double>::quiet_NaN(), -0.03, 0.0, 0.9, 1e300})
    EXPECT_EQ(judge_equivalence(a, a, margin).verdict, Equivalence::not_enough_data) << margin;
}

TEST(Margin, IsAShareFromATenthOfAPerMilleToAHalf) {
  for (const double good : {0.0001, 0.03, 0.5}) EXPECT_TRUE(is_margin(good)) << good;
  for (const double bad : {0.00009, 0.51, 0.0, -0.03, 3.0, std::numeric_limits<double>::infinity(),
                           std::numeric_limits<double>::quiet_NaN()})
    EXPECT_FALSE(is_margin(bad)) << bad;
}

/// Power 0.8 needs z(0.95) + z(0.8) = 2.4865 standard errors beyond the margin where the deviation is known.
TEST(Equivalence, TheSmallestDifferenceShownIsThatOfTheTheory) {
  const IntervalPlan known{.error = 0.01, .spread_degrees = 4'000, .interval_degrees = 4'000};
  EXPECT_NEAR(std::log1p(smallest_difference_shown(known, 0.03)), std::log(1.03) + 0.024865, 2e-5);
  EXPECT_NEAR(decision_power(known, std::log1p(smallest_difference_shown(known, 0.03, 0.9)), 0.03), 0.9,
              1e-4);
  EXPECT_DOUBLE_EQ(smallest_difference_shown({.error = 0}, 0.03), 0.03);
}

}  // namespace
}  // namespace assay::core

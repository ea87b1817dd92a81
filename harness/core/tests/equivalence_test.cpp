// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/equivalence.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "harness/core/student_t.hpp"

namespace assay::core {
namespace {

/// The share of `trials` simulated comparisons that are called equivalent.
double share_equivalent(std::int64_t n, double mean, double deviation, double margin, int trials) {
  std::mt19937_64 random(20261121);
  std::normal_distribution<double> one(mean, deviation);
  std::vector<double> pairs(static_cast<std::size_t>(n));
  int equivalent = 0;
  for (int trial = 0; trial < trials; ++trial) {
    for (double& pair : pairs) pair = one(random);
    equivalent += judge_equivalence(pairs, margin).verdict == Equivalence::equivalent ? 1 : 0;
  }
  return static_cast<double>(equivalent) / trials;
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

// The worst case is a true ratio at the margin itself.
TEST(Equivalence, IsClaimedWronglyAtMostOnceInTwenty) {
  constexpr int trials = 8'000;
  const double slack = 3 * std::sqrt(0.05 * 0.95 / trials);
  for (const std::int64_t n : {6, 12, 22, 50})
    EXPECT_LE(share_equivalent(n, std::log(1.03), 0.01, 0.03, trials), 0.05 + slack) << n;
}

TEST(Equivalence, IsFoundAsOftenAsTheFormulaSays) {
  for (const std::int64_t n : {6, 12, 22, 50})
    for (const double mean : {0.0, 0.005})
      for (const double deviation : {0.01, 0.02})
        EXPECT_NEAR(share_equivalent(n, mean, deviation, 0.01, 4'000),
                    equivalence_power(n, mean, deviation, 0.01), 0.03)
            << n << " " << mean << " " << deviation;
}

TEST(Equivalence, GivesTheIntervalAndTheSmallestMarginOfThePairs) {
  const std::vector<double> pairs{0.00, 0.02};
  const EquivalenceResult result = judge_equivalence(pairs, 0.10);
  const double half = 6.31375151 * 0.0141421356 / std::sqrt(2.0);
  EXPECT_NEAR(result.ratio, std::exp(0.01), 1e-12);
  EXPECT_NEAR(*result.lower, std::exp(0.01 - half), 1e-8);
  EXPECT_NEAR(*result.upper, std::exp(0.01 + half), 1e-8);
  EXPECT_NEAR(*result.smallest_margin, std::expm1(0.01 + half), 1e-8);
  EXPECT_EQ(result.verdict, Equivalence::equivalent);
}

TEST(Equivalence, TellsHigherLowerAndUndecided) {
  EXPECT_EQ(judge_equivalence(std::vector{0.10, 0.11, 0.10, 0.09}, 0.03).verdict, Equivalence::higher);
  EXPECT_EQ(judge_equivalence(std::vector{-0.10, -0.11, -0.10, -0.09}, 0.03).verdict, Equivalence::lower);
  EXPECT_EQ(judge_equivalence(std::vector{-0.04, 0.04, 0.05, -0.05}, 0.03).verdict,
            Equivalence::not_enough_data);
}

TEST(Equivalence, PlansAsManyPairsAsThePowerWantedTakes) {
  const auto needed = pairs_needed(std::vector{-0.04, 0.04, 0.05, -0.05}, 0.03);
  ASSERT_TRUE(needed);
  EXPECT_GE(equivalence_power(*needed, 0, 0.0522813, 0.03), 0.80);
  EXPECT_LT(equivalence_power(*needed - 1, 0, 0.0522813, 0.03), 0.80);
}

TEST(Equivalence, SaysNothingOfOnePairOrNone) {
  EXPECT_EQ(judge_equivalence({}, 0.03).verdict, Equivalence::not_enough_data);
  const EquivalenceResult one = judge_equivalence(std::vector{0.0}, 0.03);
  EXPECT_EQ(one.verdict, Equivalence::not_enough_data);
  EXPECT_FALSE(one.lower);
  EXPECT_EQ(one.ratio, 1);
}

TEST(Equivalence, PlansNothingWhereMorePairsWouldNotHelp) {
  EXPECT_EQ(judge_equivalence(std::vector{0.0, 0.03, 0.07, 0.06}, 0.03).verdict,
            Equivalence::not_enough_data);
  EXPECT_FALSE(pairs_needed(std::vector{0.0, 0.03, 0.07, 0.06}, 0.03));
  EXPECT_FALSE(pairs_needed(std::vector{0.0}, 0.03));
}

TEST(Equivalence, OfPairsWithoutScatterIsDecidedByTheirRatio) {
  EXPECT_EQ(judge_equivalence(std::vector{0.01, 0.01, 0.01}, 0.03).verdict, Equivalence::equivalent);
  EXPECT_EQ(judge_equivalence(std::vector{0.05, 0.05, 0.05}, 0.03).verdict, Equivalence::higher);
}

}  // namespace
}  // namespace assay::core

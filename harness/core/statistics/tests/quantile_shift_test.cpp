// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/statistics/quantile_shift.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "harness/core/statistics/binomial.hpp"

namespace assay::core {
namespace {

std::vector<double> numbers_from(double first, int count) {
  std::vector<double> values;
  for (int at = 0; at < count; ++at) values.push_back(first + at);
  return values;
}

TEST(Binomial, HasTheProbabilitiesOfItsSum) {
  EXPECT_NEAR(binomial_at_most(4, 0.5, 1), 5.0 / 16, 1e-12);
  EXPECT_NEAR(binomial_at_most(40, 0.1, 0), std::pow(0.9, 40), 1e-12);
  EXPECT_EQ(binomial_at_most(4, 0.5, -1), 0);
  EXPECT_EQ(binomial_at_most(4, 0.5, 4), 1);
}

TEST(QuantileShift, SharesHaveTheIntervalOfClopperAndPearson) {
  // R 4.2: binom.test(38, 40)$conf.int; binom.test(0, 40); binom.test(40, 40).
  const ShareInterval most = share_interval(40, 38), none = share_interval(40, 0),
                      all = share_interval(40, 40);
  EXPECT_NEAR(most.lower, 0.8308, 1e-4);
  EXPECT_NEAR(most.upper, 0.9939, 1e-4);
  EXPECT_EQ(none.lower, 0);
  EXPECT_NEAR(none.upper, 1 - std::pow(0.025, 1.0 / 40), 1e-9);
  EXPECT_NEAR(all.lower, std::pow(0.025, 1.0 / 40), 1e-9);
  EXPECT_EQ(all.upper, 1);
}

/// The largest of 40 values is below the 90 % quantile with 0.9^40, 1.5 % (4 % are allowed; the largest but
/// one with 8 %); the 32nd is above it with 1.6 % (3.5 % are left), the 31st with 0.5 % (1 % is allowed).
TEST(QuantileShift, IsBoundedByOrderStatistics) {
  const std::vector<double> a = numbers_from(0, 40), b = numbers_from(100, 40);
  const QuantileShift shift = quantile_shift(a, b, 0.9);
  EXPECT_EQ(shift.shift, 100);
  EXPECT_EQ(shift.upper, 139 - 31);
  EXPECT_EQ(shift.lower, 130 - 39);
}

TEST(QuantileShift, OfFewValuesIsOfALowerQuantile) {
  EXPECT_EQ(bounded_quantile(40, 0.9), 0.9);
  EXPECT_NEAR(bounded_quantile(6, 0.9), std::pow(0.04, 1.0 / 6), 1e-9);
  const std::vector<double> few = numbers_from(0, 6), many = numbers_from(0, 60);
  EXPECT_LT(quantile_shift(few, few, bounded_quantile(6, 0.9)).upper, 6);
  EXPECT_TRUE(std::isfinite(quantile_shift(few, many, 0.9).upper));
  EXPECT_FALSE(quantile_shift(few, many, 0.9).lower) << "six values bound no 90 % quantile from above";
  EXPECT_GT(probability_quantile_not_above(few, numbers_from(100, 60), 0.9, 1), 0.5);
}

TEST(QuantileShift, AndTheShareBeyondItAnswerOneTest) {
  for (int slow = 0; slow < 20; ++slow) {
    const std::vector<double> a = numbers_from(0, 64);
    std::vector<double> b = a;
    for (int at = 0; at < slow; ++at) b[static_cast<std::size_t>(63 - at)] += 1000;
    std::ranges::sort(b);
    const ShareBeyond share = share_beyond(a, b, 0.9, 50);
    EXPECT_EQ(share.count, slow);
    EXPECT_EQ(quantile_shift(a, b, 0.9).upper < 50, share.upper < 0.1) << slow;
    EXPECT_LE(share.lower, slow / 64.0);
    EXPECT_EQ(probability_quantile_not_above(a, b, 0.9, 50) <= 0.05, share.lower > 0.1) << slow;
  }
}

using Draw = std::function<double(std::mt19937_64&)>;

std::vector<double> drawn(const Draw& draw, int count, std::mt19937_64& random) {
  std::vector<double> values(static_cast<std::size_t>(count));
  for (double& value : values) value = draw(random);
  std::ranges::sort(values);
  return values;
}

/// Both have one 90 % quantile, 0; shapes are the worst ones: nothing near it in one or both.
TEST(QuantileShift, MissesTheTruthAtMostOnceInTwentyWhateverTheShapes) {
  std::uniform_real_distribution<double> uniform;
  const Draw even = [&](auto& random) { return uniform(random) - 0.9; };
  const Draw a_tenth_far = [&](auto& random) {
    const double one = uniform(random) - 0.9;
    return one > 0 ? 1000 + one : one;
  };
  const Draw most_far_below = [&](auto& random) {
    const double one = uniform(random) - 0.9;
    return one < 0 ? one - 1000 : one;
  };
  std::mt19937_64 random(20261130);
  constexpr int trials = 400;
  const double most = 0.05 + 3 * std::sqrt(0.05 * 0.95 / trials);
  for (const Draw& of_a : {even, a_tenth_far, most_far_below})
    for (const Draw& of_b : {even, a_tenth_far, most_far_below})
      for (const int count : {40, 64}) {
        double low = 0, high = 0, far = 0;
        for (int trial = 0; trial < trials; ++trial) {
          const auto a = drawn(of_a, count, random), b = drawn(of_b, count, random);
          const QuantileShift shift = quantile_shift(a, b, 0.9);
          low += shift.upper < 0 ? 1.0 / trials : 0, high += *shift.lower > 0 ? 1.0 / trials : 0;
          far += probability_quantile_not_above(a, b, 0.9, 0) <= 0.05 ? 1.0 / trials : 0;
        }
        EXPECT_LE(low, most) << count;
        EXPECT_LE(high, most) << count;
        EXPECT_LE(far, most) << count;
      }
}

}  // namespace
}  // namespace assay::core

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/statistics/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "harness/core/statistics/autocorrelation.hpp"
#include "harness/core/statistics/beta_distribution.hpp"

namespace assay::core {
namespace {

std::vector<double> one_to(int n) {
  std::vector<double> values(static_cast<std::size_t>(n));
  std::iota(values.begin(), values.end(), 1.0);
  return values;
}

TEST(QuantileOf, InterpolatesBetweenOrderStatistics) {
  const std::vector<double> values{40, 10, 30, 20};
  EXPECT_DOUBLE_EQ(quantile_of(values, 0.5), 25);
  EXPECT_DOUBLE_EQ(quantile_of(values, 0), 10);
  EXPECT_DOUBLE_EQ(quantile_of(values, 1), 40);
  EXPECT_DOUBLE_EQ(quantile_of(values, 0.25), 17.5);
  EXPECT_TRUE(std::isnan(quantile_of({}, 0.5)));
}

TEST(SamplesNeeded, AreTheTextbookNumbers) {
  EXPECT_EQ(samples_needed(0.99, 0.95), 299);
  EXPECT_EQ(samples_needed(0.999, 0.95), 2995);
  EXPECT_EQ(samples_needed(0.95, 0.95), 59);
  EXPECT_EQ(samples_needed(0.5, 0.95), 5);
}

// I_x(a, b) against closed forms: I_x(1, b) = 1-(1-x)^b; I_x(a, 1) = x^a; I_1/2(a, a) = 1/2.
TEST(IncompleteBeta, AgreesWithClosedForms) {
  EXPECT_NEAR(incomplete_beta(0.3, 1, 4), 1 - std::pow(0.7, 4), 1e-13);
  EXPECT_NEAR(incomplete_beta(0.3, 5, 1), std::pow(0.3, 5), 1e-13);
  EXPECT_NEAR(incomplete_beta(0.5, 1234.5, 1234.5), 0.5, 1e-12);
  // P(Bin(10, 0.3) >= 3) = I_0.3(3, 8), summed by hand.
  EXPECT_NEAR(incomplete_beta(0.3, 3, 8), 0.6172172136, 1e-10);
}

// The steps of one half that it replaces: every last digit of every interval depends on it.
double fractional_rank_by_halves(double q, double n, double probability) {
  double low = 0, high = 1;
  for (int i = 0; i < 36; ++i) {
    const double u = (low + high) / 2;
    (incomplete_beta(q, (n + 1) * u, (n + 1) * (1 - u)) > probability ? low : high) = u;
  }
  return (low + high) / 2;
}

TEST(FractionalRank, IsWhatStepsOfOneHalfFind) {
  for (const double q : {0.0, 0.01, 0.5, 0.95, 0.999, 1.0})
    for (const double probability : {1e-7, 0.025, 0.5, 0.975, 1 - 1e-7})
      for (double n = 1; n < 1e6; n = 3.7 * n + 0.3)
        EXPECT_EQ(fractional_rank(q, n, probability), fractional_rank_by_halves(q, n, probability))
            << q << " " << probability << " " << n;
}

// For the median of n = 99 independent samples the classical ranks are about 40 and 60.
TEST(QuantileInterval, HasTheClassicalRanks) {
  const QuantileInterval interval = independent_quantile_interval(one_to(99), 0.5, 0.95);
  EXPECT_DOUBLE_EQ(interval.estimate, 50);
  EXPECT_NEAR(interval.lower, 40.25, 0.3);
  EXPECT_NEAR(interval.upper, 59.75, 0.3);
  EXPECT_TRUE(interval.bounded);
}

TEST(QuantileInterval, SaysWhenTheSamplesDoNotSupportIt) {
  EXPECT_FALSE(independent_quantile_interval(one_to(50), 0.99, 0.95).bounded);
  EXPECT_TRUE(independent_quantile_interval(one_to(600), 0.99, 0.95).bounded);
  EXPECT_FALSE(independent_quantile_interval(one_to(3), 0.5, 0.95).bounded);
  EXPECT_EQ(quantile_interval({}, 0.5, 0.95).n, 0);
}

TEST(AutocorrelationTime, IsOneForAlternatingAndLargeForRuns) {
  std::vector<double> alternating, runs;
  for (int i = 0; i < 400; ++i) {
    alternating.push_back(i % 2);
    runs.push_back((i / 20) % 2);
  }
  EXPECT_DOUBLE_EQ(autocorrelation_time(alternating, 0.5), 1);
  EXPECT_GT(autocorrelation_time(runs, 0.5), 8);
  EXPECT_DOUBLE_EQ(autocorrelation_time(std::vector<double>(100, 1.0), 0.5), 1);
}

TEST(Summarize, GivesPercentilesOnlyWhereTheCountSupportsThem) {
  const Summary few = summarize(one_to(298));
  EXPECT_TRUE(few.p95.has_value());
  EXPECT_FALSE(few.p99.has_value());
  const Summary enough = summarize(one_to(299));
  ASSERT_TRUE(enough.p99.has_value());
  EXPECT_NEAR(*enough.p99, 296.02, 1e-9);
  EXPECT_FALSE(enough.p999.has_value());
  EXPECT_DOUBLE_EQ(enough.min, 1);
  EXPECT_DOUBLE_EQ(enough.max, 299);
  EXPECT_DOUBLE_EQ(enough.mean, 150);
}

}  // namespace
}  // namespace assay::core

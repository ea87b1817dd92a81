// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/reliability/failure_rate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "harness/core/statistics/gamma_distribution.hpp"
#include "harness/core/statistics/log_gamma.hpp"
#include "harness/core/statistics/poisson_limit.hpp"

namespace assay::model::reliability {
namespace {

TEST(GammaDistribution, IsThatOfPoissonCountsAndExponentials) {
  EXPECT_NEAR(core::incomplete_gamma(1, 2), 1 - std::exp(-2), 1e-14);
  EXPECT_NEAR(core::incomplete_gamma(0.5, 0.3), std::erf(std::sqrt(0.3)), 1e-14);
  EXPECT_NEAR(core::incomplete_gamma(0.5, 7), std::erf(std::sqrt(7.0)), 1e-14);
  EXPECT_NEAR(core::incomplete_gamma(1000, 1000), 0.50420, 1e-5);
  for (const std::int64_t events : {0, 1, 7, 419}) {
    EXPECT_NEAR(core::gamma_quantile(static_cast<double>(events) + 1, 0.95),
                core::poisson_upper_limit(events), 1e-9 * static_cast<double>(events + 1));
    double sum = 0;  // of Poisson's probabilities, one by one
    const double mean = core::gamma_quantile(static_cast<double>(events) + 1, 0.95);
    for (std::int64_t count = 0; count <= events; ++count) {
      const auto k = static_cast<double>(count);
      sum += std::exp(k * std::log(mean) - mean - core::log_gamma(k + 1));
    }
    EXPECT_NEAR(sum, 0.05, 1e-10) << events;
  }
}

// Llama team (2024), "The Llama 3 herd of models", 3.3.4: 419 unexpected interruptions of 16,384 GPUs in 54
// days.
TEST(FailureRate, OfPublishedCounts) {
  const FailureRate rate = rate_of({{"all", 419, 54.0 * 2048}});
  EXPECT_NEAR(rate.per_1000_node_days(), 3.79, 0.005);
  EXPECT_NEAR(mean_hours_to_failure(rate.per_node_day, 2048), 3.09, 0.005);
  EXPECT_NEAR(probability_without_failure(rate.per_node_day, 2048, 1), std::exp(-419 / 54.0), 1e-12);
  // Kokolis et al. (2024): 6.50 a 1,000 node-days, by which 128 nodes would run for 28.8 h; 7.9 h were seen.
  EXPECT_NEAR(mean_hours_to_failure(6.5e-3, 128), 28.8, 0.05);
}

TEST(FailureRate, OfPartsIsThatOfTheWholeWhereAllWereWatchedAlike) {
  const FailureRate whole = rate_of({{"all", 12, 100}}),
                    parts = rate_of({{"gpu", 7, 100}, {"nic", 5, 100}, {"host", 0, 100}});
  EXPECT_NEAR(parts.per_node_day, whole.per_node_day, 1e-12);
  EXPECT_NEAR(parts.interval->lower, whole.interval->lower, 1e-9);
  EXPECT_NEAR(parts.interval->upper, whole.interval->upper, 1e-9);
  EXPECT_NEAR(whole.interval->lower, 0.0620, 1e-4) << "Garwood: 6.20 of 12";
  EXPECT_NEAR(whole.interval->upper, 0.2096, 1e-4) << "20.96 of 12";
}

TEST(FailureRate, WithoutFailuresHasAnUpperBound) {
  const FailureRate rate = rate_of({{"gpu", 0, 1000}});
  EXPECT_EQ(rate.per_node_day, 0);
  EXPECT_EQ(rate.interval->lower, 0);
  EXPECT_NEAR(rate.interval->upper, 3.689e-3, 1e-6);
  EXPECT_TRUE(std::isinf(mean_hours_to_failure(0, 8)));
}

// Components are watched for unequal times. The interval is conservative: it holds the truth in at least 95 %
// of runs, less three standard errors.
TEST(FailureRate, IntervalsHoldTheTruth) {
  std::mt19937_64 random(20261126);
  constexpr int runs = 4000;
  for (const double scale : {1.0, 30.0}) {
    int held = 0;
    for (int run = 0; run < runs; ++run) {
      std::vector<CountedFailures> counts;
      double truth = 0;
      for (const double node_days : {50.0, 400.0, 3000.0}) {
        std::poisson_distribution<std::int64_t> failures(scale * 2e-3 * node_days);
        counts.push_back({"part", failures(random), node_days});
        truth += scale * 2e-3;
      }
      const FailureRate rate = rate_of(counts);
      held += rate.interval->lower <= truth && truth <= rate.interval->upper;
    }
    EXPECT_GE(held, (0.95 - 3 * std::sqrt(0.95 * 0.05 / runs)) * runs) << scale;
  }
}

}  // namespace
}  // namespace assay::model::reliability

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The size and power of a comparison of populations under synthetic noise, coarsely; assay-population-size
// prints the table.
#include "results/tests/synthetic/population_noise.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace assay::results::synthetic {
namespace {

constexpr int trials = 400;

double three_errors(double share) { return 3 * std::sqrt(share * (1 - share) / trials); }

TEST(PopulationNoise, IsMissedAtMostOnceInTwentyAndDecidedAsOftenAsTheTheorySays) {
  std::uint64_t seed = 20261125;
  for (const PopulationNoise& noise : population_noises()) {
    const double deviation = population_deviation(noise, seed++);
    for (const PopulationSizes sizes : {PopulationSizes{8, 20}, {40, 40}}) {
      const PopulationShares shares = population_shares(noise, sizes, deviation, trials, seed++);
      EXPECT_LE(shares.below, 0.05 + three_errors(0.05)) << noise.name << " " << sizes.a << " " << sizes.b;
      EXPECT_LE(shares.above, 0.05 + three_errors(0.05)) << noise.name << " " << sizes.a << " " << sizes.b;
      if (sizes.a < 40) continue;  // the theory is for many values
      EXPECT_NEAR(shares.difference_shown, 0.8, 0.03 + three_errors(0.8)) << noise.name;
      EXPECT_NEAR(shares.equal_shown, 0.8, 0.03 + three_errors(0.8)) << noise.name;
    }
  }
}

/// Asymptotically the median of differences has a variance of pi / 3 times that of a difference of means.
TEST(PopulationNoise, OfNormalHostsHasTheDeviationOfTheTheory) {
  const PopulationNoise noise{.name = "", .host_spread = 0.01, .run_spread = 0};
  EXPECT_NEAR(population_deviation(noise, 20261126), 0.01 * std::sqrt(M_PI / 3), 2e-4);
}

TEST(PopulationNoise, OfRacksThatTheJudgeDoesNotKnowIsMissedFarTooOften) {
  PopulationNoise noise{.name = "", .host_spread = 0.005, .rack_spread = 0.01, .racks_known = false};
  const double unknown = population_shares(noise, {8, 8}, 0.01, trials, 20261127).above;
  noise.racks_known = true;
  EXPECT_GT(unknown, 0.12);
  EXPECT_LE(population_shares(noise, {8, 8}, 0.01, trials, 20261127).above, 0.05 + three_errors(0.05));
}

}  // namespace
}  // namespace assay::results::synthetic

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The size and power of a comparison of populations under synthetic noise, coarsely; assay-population-size
// prints the table.
#include "results/tests/synthetic/population_noise.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "results/tests/synthetic/population_theory.hpp"

namespace assay::results::synthetic {
namespace {

double three_errors(double share, int trials) { return 3 * std::sqrt(share * (1 - share) / trials); }

TEST(PopulationNoise, IsMissedAtMostOnceInTwentyAndDecidedAsOftenAsTheTheorySays) {
  std::uint64_t seed = 20261125;
  for (const PopulationNoise& noise : population_noises()) {
    if (noise.is_lopsided()) continue;
    const int trials = noise.rack_spread > 0 ? 1'000 : 4'000;  // racks are slow
    const PopulationDeviations deviations = population_deviations(noise, seed++);
    for (const PopulationSizes sizes : {PopulationSizes{8, 20}, {100, 100}}) {
      if (noise.rack_spread > 0 && sizes.a > 8) continue;
      const PopulationShares shares =
          population_shares(noise, sizes, 0, plan_populations(deviations, sizes), trials, seed++);
      EXPECT_LE(shares.below, 0.05 + three_errors(0.05, trials)) << noise.name << " " << sizes.a;
      EXPECT_LE(shares.above, 0.05 + three_errors(0.05, trials)) << noise.name << " " << sizes.a;
      if (sizes.a < 100) continue;  // the theory is for many values
      EXPECT_NEAR(shares.difference_shown, 0.8, 0.03 + three_errors(0.8, trials)) << noise.name;
      EXPECT_NEAR(shares.equal_shown, 0.8, 0.03 + three_errors(0.8, trials)) << noise.name;
    }
  }
}

/// Did the 400 count in full, 6.3 to 7.4 % would be wrong.
TEST(PopulationNoise, OfFewSkewedValuesAgainstManyIsMissedAtMostOnceInTwenty) {
  using enum NoiseShape;
  constexpr int trials = 6'000;
  for (const PopulationNoise& noise :
       {PopulationNoise{.name = "one spread", .run_spread = 0.003, .baseline_shape = skewed},
        PopulationNoise{.name = "half", .run_spread = 0.003, .baseline_share = 0.5, .baseline_shape = skewed},
        PopulationNoise{.name = "half of t(2)",
                        .shape = student_t2,
                        .run_spread = 0.003,
                        .baseline_share = 0.5,
                        .baseline_shape = skewed}}) {
    const double truth = true_shift(noise, 400'000, 20261128);
    const PopulationShares shares = population_shares(noise, {8, 400}, truth, {}, trials, 20261129);
    EXPECT_LE(shares.below, 0.05 + three_errors(0.05, trials)) << noise.name;
    EXPECT_LE(shares.above, 0.05 + three_errors(0.05, trials)) << noise.name;
  }
}

/// Asymptotically the median of differences has a variance of pi / 3 times that of a difference of means.
TEST(PopulationNoise, OfNormalHostsHasTheDeviationOfTheTheory) {
  const PopulationNoise noise{.name = "", .host_spread = 0.01, .run_spread = 0};
  const PopulationDeviations deviations = population_deviations(noise, 20261126);
  EXPECT_NEAR(deviations.a, 0.01 * std::sqrt(M_PI / 3), 2e-4);
  EXPECT_NEAR(deviations.b, 0.01 * std::sqrt(M_PI / 3), 2e-4);
}

TEST(PopulationNoise, OfRacksThatTheJudgeDoesNotKnowIsMissedFarTooOften) {
  constexpr int trials = 400;
  PopulationNoise noise{.name = "", .host_spread = 0.005, .rack_spread = 0.01, .racks_known = false};
  const double unknown = population_shares(noise, {8, 8}, 0, {}, trials, 20261127).above;
  noise.racks_known = true;
  EXPECT_GT(unknown, 0.12);
  EXPECT_LE(population_shares(noise, {8, 8}, 0, {}, trials, 20261127).above,
            0.05 + three_errors(0.05, trials));
}

}  // namespace
}  // namespace assay::results::synthetic

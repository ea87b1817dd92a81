// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The size and power of a comparison under synthetic noise, coarsely; assay-comparison-size prints the table.
#include "results/tests/synthetic/comparison_noise.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace assay::results::synthetic {
namespace {

constexpr double margin = 0.03;

/// Three standard errors above 5 %.
double highest_size(int trials) { return 0.05 + 3 * std::sqrt(0.05 * 0.95 / trials); }

TEST(ComparisonNoise, IsWronglyCalledEquivalentAtMostOnceInTwentyWhateverItsKind) {
  constexpr int trials = 1'000;
  const std::vector<double> at_the_margin{1 + margin, 1 / (1 + margin)};
  for (const ComparisonNoise& noise : comparison_noises())
    for (const std::int64_t runs : {3, 5, 10}) {
      if (noise.sample_correlation > 0 && runs > 3) continue;  // 50 samples each: slow
      for (const double share : share_equivalent(noise, runs, margin, at_the_margin, trials, 20261125))
        EXPECT_LE(share, highest_size(trials)) << noise.name << ", " << runs << " runs";
    }
}

TEST(ComparisonNoise, LetsEqualsBeFoundEqual) {
  constexpr int trials = 400;
  const std::vector<double> equal{1};
  for (const ComparisonNoise& noise : comparison_noises()) {
    if (noise.sample_correlation > 0 || noise.run_spread > 0.01 || noise.repetition_correlation > 0.5)
      continue;
    EXPECT_GE(share_equivalent(noise, 5, margin, equal, trials, 20261126)[0], 0.75) << noise.name;
  }
}

TEST(ComparisonNoise, OfTwoRunsOnASideIsNeverFoundEqual) {
  const std::vector<double> equal{1};
  EXPECT_EQ(share_equivalent({.name = "tiny", .repetition_spread = 1e-6}, 2, margin, equal, 100, 1)[0], 0);
}

TEST(ComparisonNoise, HasTheSpreadThatItNames) {
  std::mt19937_64 random(20261127);
  for (const NoiseShape shape : {NoiseShape::normal, NoiseShape::skewed, NoiseShape::uniform,
                                 NoiseShape::two_states, NoiseShape::rare_outlier}) {
    double sum = 0, squares = 0;
    constexpr int draws = 40'000;
    for (int i = 0; i < draws; ++i) {
      const double value = draw_noise(shape, random);
      sum += value, squares += value * value;
    }
    EXPECT_NEAR(sum / draws, 0, 0.03) << static_cast<int>(shape);
    EXPECT_NEAR(squares / draws, 1, 0.05) << static_cast<int>(shape);
  }
}

}  // namespace
}  // namespace assay::results::synthetic

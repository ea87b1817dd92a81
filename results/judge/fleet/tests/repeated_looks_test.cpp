// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/fleet/repeated_looks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "harness/core/statistics/student_t.hpp"

namespace assay::results {
namespace {

/// C_P(K, 0.1) of Jennison and Turnbull, Group Sequential Methods (2000), table 2.1: two sides of 5 % each,
/// equal groups.
TEST(RepeatedLooks, HavePococksLevels) {
  const auto boundary = [](std::size_t looks) { return level_of_each_look(0.05, {1, looks}); };
  EXPECT_DOUBLE_EQ(boundary(1), 0.05);
  EXPECT_NEAR(boundary(2), core::normal_probability(-1.875), 2e-4);
  EXPECT_NEAR(boundary(5), core::normal_probability(-2.122), 2e-4);
  EXPECT_NEAR(boundary(10), core::normal_probability(-2.270), 2e-4);
}

TEST(RepeatedLooks, ErrAsOftenTogetherAsAsked) {
  constexpr int trials = 40000, first = 3, last = 9;
  constexpr double error = 0.05;
  const double level = level_of_each_look(error, {first, last});
  std::mt19937_64 random(7);
  std::normal_distribution<double> noise;
  int crossed = 0;
  for (int trial = 0; trial < trials; ++trial) {
    double sum = 0, least = 1;
    for (int round = 1; round <= last; ++round) {
      sum += noise(random);
      if (round >= first) least = std::min(least, core::normal_probability(-sum / std::sqrt(round)));
    }
    crossed += least < level ? 1 : 0;
  }
  const double deviation = std::sqrt(error * (1 - error) / trials);
  EXPECT_NEAR(static_cast<double>(crossed) / trials, error, 4 * deviation);
}

TEST(RepeatedLooks, ShareBothErrorsAndLeaveMarginsAlone) {
  const FleetRules rules = rules_of_each_look({.margin = 0.02}, {3, 9});
  EXPECT_EQ(rules.margin, 0.02);
  EXPECT_NEAR(rules.pass_error, 0.0172, 2e-4);
  EXPECT_NEAR(rules.family_error, 0.0079, 2e-4);
  EXPECT_EQ(rules_of_each_look({}, {3, 3}), FleetRules{});
}

}  // namespace
}  // namespace assay::results

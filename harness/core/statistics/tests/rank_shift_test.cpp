// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/statistics/rank_shift.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <tuple>
#include <vector>

namespace assay::core {
namespace {

// Tables of Mann and Whitney, one-sided 5 %.
TEST(RankShift, HasTheCriticalValuesOfTheTables) {
  EXPECT_EQ(rank_sum_critical(3, 3, 0.05), 0);
  EXPECT_EQ(rank_sum_critical(4, 4, 0.05), 1);
  EXPECT_EQ(rank_sum_critical(5, 5, 0.05), 4);
  EXPECT_EQ(rank_sum_critical(5, 8, 0.05), 8);
  EXPECT_EQ(rank_sum_critical(10, 10, 0.05), 27);
  EXPECT_EQ(rank_sum_critical(20, 20, 0.05), 138);
  EXPECT_EQ(rank_sum_critical(8, 5, 0.05), rank_sum_critical(5, 8, 0.05));
}

TEST(RankShift, GivesNoBoundWhereTheSamplesAreTooSmall) {
  EXPECT_EQ(rank_sum_critical(2, 2, 0.05), -1);
  EXPECT_EQ(rank_sum_critical(0, 9, 0.05), -1);
  EXPECT_FALSE(rank_shift_interval(std::vector{1.0, 2.0}, std::vector{1.0, 2.0}, 0.05));
}

TEST(RankShift, OfThreeAndThreeIsTheWholeSpread) {
  const auto shift = rank_shift_interval(std::vector{1.0, 2.0, 3.0}, std::vector{5.0, 5.5, 6.5}, 0.05);
  ASSERT_TRUE(shift);
  EXPECT_DOUBLE_EQ(shift->lower, 2.0);
  EXPECT_DOUBLE_EQ(shift->upper, 5.5);
}

TEST(RankShift, BeyondTheExactSizesGoesOnAsBefore) {
  EXPECT_NEAR(rank_sum_critical(51, 51, 0.05), 1056, 2);
  EXPECT_GT(rank_sum_critical(51, 51, 0.05), rank_sum_critical(50, 50, 0.05));
}

TEST(RankShift, OfManyIsTheDifferenceOfThatRankAmongAll) {
  std::mt19937_64 random(20261127);
  std::normal_distribution<double> normal(0, 1);
  for (const auto& [size_of_a, size_of_b, digits] :
       {std::tuple(65, 64, 1e9), std::tuple(300, 90, 1e9), std::tuple(120, 400, 4.0)}) {
    const auto rounded = [&, digits = digits] { return std::round(digits * normal(random)) / digits; };
    std::vector<double> a(static_cast<std::size_t>(size_of_a)), b(static_cast<std::size_t>(size_of_b)), all;
    std::ranges::generate(a, rounded);
    std::ranges::generate(b, rounded);
    for (const double of_a : a)
      for (const double of_b : b) all.push_back(of_b - of_a);
    std::ranges::sort(all);
    const auto cut = static_cast<std::size_t>(rank_sum_critical(size_of_a, size_of_b, 0.05));
    const auto shift = rank_shift_interval(a, b, 0.05);
    ASSERT_TRUE(shift);
    EXPECT_EQ(shift->lower, all[cut]);
    EXPECT_EQ(shift->upper, all[all.size() - 1 - cut]);
  }
}

// Exact for any shape that both share: here noise that is nearly always 0, at times far off.
TEST(RankShift, MissesTheTrueShiftAsOftenAsItSays) {
  std::mt19937_64 random(20261123);
  std::uniform_real_distribution<double> uniform(0, 1);
  const auto noise = [&] { return uniform(random) + (uniform(random) < 0.2 ? 10 : 0); };
  int beyond = 0;
  constexpr int trials = 20'000;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<double> a(5), b(7);
    std::ranges::generate(a, noise);
    std::ranges::generate(b, noise);
    beyond += rank_shift_interval(a, b, 0.05)->upper < 0 ? 1 : 0;
  }
  EXPECT_LE(beyond, 0.05 * trials);
  EXPECT_GE(beyond, 0.03 * trials);
}

}  // namespace
}  // namespace assay::core

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/statistics/studentised_shift.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace assay::core {
namespace {

const std::vector<double> usual{1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 2, 4, 1, 1};
const std::vector<double> painful{3, 3, 4, 3, 1, 2, 3, 1, 1, 5, 4};

/// The example of Brunner and Munzel (2000), pain scores: their statistic is 3.1375, P(a < b) is 0.789. Here
/// the degrees of freedom are those of the smaller sample, 10: P(T > 3.1375) is 0.00527.
TEST(StudentisedShift, HasTheStatisticOfBrunnerAndMunzel) {
  EXPECT_NEAR(probability_not_above(usual, painful, 0), 0.00527, 2e-5);
  EXPECT_NEAR(probability_not_above(painful, usual, 0), 1 - 0.00527, 2e-5);
}

TEST(StudentisedShift, IsTheMedianOfAllDifferencesAndMovesWithTheData) {
  const std::vector<double> a{0.0, 0.3, 0.7, 1.1, 1.9, 4.0, 9.0}, b{0.2, 0.5, 1.3, 2.2, 3.1, 3.7};
  std::vector<double> differences, moved = b;
  for (const double one : a)
    for (const double other : b) differences.push_back(other - one);
  std::ranges::sort(differences);
  const auto shift = studentised_shift(a, b);
  ASSERT_TRUE(shift);
  EXPECT_NEAR(shift->shift, (differences[20] + differences[21]) / 2, 0.05);
  EXPECT_LT(shift->lower, shift->shift);
  EXPECT_GT(shift->upper, shift->shift);
  for (double& value : moved) value += 10;
  const auto farther = studentised_shift(a, moved);
  EXPECT_NEAR(farther->lower, shift->lower + 10, 1e-6);
  EXPECT_NEAR(farther->upper, shift->upper + 10, 1e-6);
  EXPECT_EQ(shift->degrees, 5);
}

TEST(StudentisedShift, BoundsAreWhereTheProbabilityIsAlpha) {
  const std::vector<double> a{0.0, 0.3, 0.7, 1.1, 1.9, 4.0, 9.0}, b{0.2, 0.5, 1.3, 2.2, 3.1, 3.7};
  const auto shift = studentised_shift(a, b, 0.05);
  EXPECT_LE(probability_not_above(a, b, shift->lower - 1e-6), 0.05);
  EXPECT_GT(probability_not_above(a, b, shift->lower + 1e-6), 0.05);
}

TEST(StudentisedShift, OfValuesThatAgreeIsExact) {
  const std::vector<double> same(6, 1.0), other(9, 1.25);
  const auto shift = studentised_shift(same, other);
  EXPECT_NEAR(shift->shift, 0.25, 1e-8);
  EXPECT_NEAR(shift->upper - shift->lower, 0, 1e-8);
  EXPECT_EQ(probability_not_above(same, other, 0.2), 0);
}

TEST(StudentisedShift, OfManyAgainstFewIsThatOfTheirQuantiles) {
  const std::vector<double> few{0.0, 0.3, 0.7, 1.1, 1.9, 4.0};
  std::vector<double> many, quantiles;  // 90 and 30: three of the one to one of the other
  for (int i = 0; i < 90; ++i) many.push_back(0.01 * i * i);
  for (int i = 1; i < 90; i += 3) quantiles.push_back(0.01 * i * i);
  const auto shift = studentised_shift(few, many), of_quantiles = studentised_shift(few, quantiles);
  EXPECT_EQ(shift->lower, of_quantiles->lower);
  EXPECT_EQ(shift->upper, of_quantiles->upper);
  EXPECT_EQ(probability_not_above(few, many, 1), probability_not_above(few, quantiles, 1));
  EXPECT_EQ(counted_shift_values(90, 6), 30U);
  EXPECT_EQ(counted_shift_values(6, 90), 6U);
}

TEST(StudentisedShift, OfFewerThanSixValuesIsNone) {
  const std::vector<double> five{1, 2, 3, 4, 5}, six{1, 2, 3, 4, 5, 6};
  EXPECT_FALSE(studentised_shift(five, six));
  EXPECT_FALSE(studentised_shift(six, five));
  EXPECT_EQ(probability_not_above(five, six, -100), 1);
}

}  // namespace
}  // namespace assay::core

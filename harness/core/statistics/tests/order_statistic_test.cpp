// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/statistics/order_statistic.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace assay::core {
namespace {

TEST(OrderStatistic, OfAnEvenNumberHasThreeMiddles) {
  const std::vector<double> values{4, 1, 3, 2};
  EXPECT_EQ(lower_median(values), 2);
  EXPECT_EQ(upper_median(values), 3);
  EXPECT_EQ(median(values), 2.5);
}

TEST(OrderStatistic, OfAnOddNumberHasOneMiddle) {
  for (const std::vector<double>& values : {std::vector<double>{7}, {9, 7, 1}, {7, 7, 1, 9, 8}}) {
    EXPECT_EQ(lower_median(values), 7);
    EXPECT_EQ(upper_median(values), 7);
    EXPECT_EQ(median(values), 7);
  }
}

TEST(OrderStatistic, OfNoneIsZeroOrNoNumber) {
  EXPECT_EQ(lower_median({}), 0);
  EXPECT_EQ(upper_median({}), 0);
  EXPECT_THAT(median({}), testing::IsNan());
}

TEST(OrderStatistic, PartsTheValuesAtTheRank) {
  std::vector<double> values{5, 3, 9, 1, 7, 2};
  EXPECT_EQ(at_rank(values, 4), 7);
  EXPECT_EQ(*std::max_element(values.begin(), values.begin() + 4), 5);
  EXPECT_EQ(values[5], 9);
}

}  // namespace
}  // namespace assay::core

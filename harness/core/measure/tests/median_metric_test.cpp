// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/measure/median_metric.hpp"

#include <gtest/gtest.h>

namespace assay::core {
namespace {

Metric of(const std::vector<double>& samples) {
  return median_metric(samples, "time_us", "us", [](double one) { return one; });
}

TEST(MedianMetric, HasAnIntervalFromSixSamplesOn) {
  const Metric six = of({1, 6, 2, 5, 3, 4});
  EXPECT_EQ(six.value, 3.5);
  ASSERT_TRUE(six.lower && six.upper);
  EXPECT_LT(*six.lower, 3.5);
  EXPECT_GT(*six.upper, 3.5);
}

TEST(MedianMetric, OfFewerHasNone) {
  const Metric five = of({1, 5, 2, 4, 3});
  EXPECT_EQ(five.value, 3);
  EXPECT_FALSE(five.lower.has_value());
  EXPECT_FALSE(five.upper.has_value());
}

}  // namespace
}  // namespace assay::core

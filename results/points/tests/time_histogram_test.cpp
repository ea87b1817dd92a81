// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/points/time_histogram.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace assay::results {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;

TEST(TimeHistogram, BinsAreOfEqualRatio) {
  const TimeHistogram histogram = time_histogram({1e-6, 1.5e-6, 3e-6, 8e-6}, 3);
  EXPECT_THAT(histogram.edges_s, ElementsAre(DoubleNear(1e-6, 1e-18), DoubleNear(2e-6, 1e-18),
                                             DoubleNear(4e-6, 1e-18), DoubleNear(8e-6, 1e-18)));
  EXPECT_THAT(histogram.counts, ElementsAre(2, 1, 1));
}

TEST(TimeHistogram, CountsEverySampleOnceItsHighestToo) {
  std::vector<double> samples;
  for (int i = 1; i <= 1000; ++i) samples.push_back(i * 1e-7);
  std::int64_t sum = 0;
  for (const std::int64_t count : time_histogram(samples, 40).counts) sum += count;
  EXPECT_EQ(sum, 1000);
}

TEST(TimeHistogram, EqualSamplesAreOneBin) {
  const TimeHistogram histogram = time_histogram({2e-6, 2e-6, 2e-6}, 40);
  EXPECT_THAT(histogram.counts, ElementsAre(3));
  EXPECT_THAT(histogram.edges_s, ElementsAre(2e-6, 2e-6));
}

TEST(TimeHistogram, WhatIsNoTimeIsLeftOut) {
  const double nan = std::nan(""), infinite = std::numeric_limits<double>::infinity();
  EXPECT_THAT(time_histogram({nan, 1e-6, 0, -1, infinite}, 4).counts, ElementsAre(1));
  EXPECT_TRUE(time_histogram({nan}, 4).counts.empty());
  EXPECT_TRUE(time_histogram({}, 4).edges_s.empty());
}

}  // namespace
}  // namespace assay::results

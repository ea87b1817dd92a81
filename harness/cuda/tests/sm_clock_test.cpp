// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/cuda/telemetry/sm_clock.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace assay::cuda {
namespace {

TEST(ClockSpan, IsCyclesOverNanosecondsOfTheSameSm) {
  // Counters of the three SMs start anywhere; each advances by 1,980,000 cycles in 1 ms.
  const std::vector<SmStamp> before = {{5, 1'000}, {9'000'000, 1'000}, {77, 1'032}};
  const std::vector<SmStamp> after = {
      {1'980'005, 1'001'000}, {10'980'000, 1'001'000}, {1'980'077, 1'001'032}};
  const ClockSpan span = clock_span(before, after);
  EXPECT_EQ(span.sms, 3);
  EXPECT_DOUBLE_EQ(span.cycles, 1'980'000);
  EXPECT_DOUBLE_EQ(span.nanoseconds, 1'000'000);
  EXPECT_DOUBLE_EQ(span.mhz(), 1980);
}

TEST(ClockSpan, LeavesOutSmsThatWereStampedOnce) {
  const std::vector<SmStamp> before = {{100, 50}, {0, 0}, {100, 50}};
  const std::vector<SmStamp> after = {{300, 150}, {900, 150}, {0, 0}};
  const ClockSpan span = clock_span(before, after);
  EXPECT_EQ(span.sms, 1);
  EXPECT_DOUBLE_EQ(span.mhz(), 2000);
}

TEST(ClockSpan, LeavesOutACounterThatWentBackwards) {
  const std::vector<SmStamp> before = {{1'000, 50}, {100, 50}};
  const std::vector<SmStamp> after = {{10, 150}, {250, 150}};
  const ClockSpan span = clock_span(before, after);
  EXPECT_EQ(span.sms, 1);
  EXPECT_DOUBLE_EQ(span.cycles, 150);
}

TEST(ClockSpan, WithoutStampsIsUnknownAndNotZero) {
  const ClockSpan span = clock_span({}, {});
  EXPECT_EQ(span.sms, 0);
  EXPECT_TRUE(std::isnan(span.mhz()));
}

}  // namespace
}  // namespace assay::cuda

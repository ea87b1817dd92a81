// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/link/error_dose.hpp"

#include <gtest/gtest.h>

#include "harness/core/error.hpp"

namespace assay::link {
namespace {

TEST(SecondsToProve, FollowTheRuleOfThree) {
  EXPECT_NEAR(seconds_to_prove(1e-12, 400), 7.5, 0.02);
  EXPECT_NEAR(seconds_to_prove(1e-14, 400), 750, 2);
  EXPECT_NEAR(seconds_to_prove(1e-15, 400), 7500, 12);
  EXPECT_NEAR(seconds_to_prove(1e-15, 400, 1) / 3600, 3.3, 0.01);
  EXPECT_NEAR(seconds_to_prove(1e-15, 400, 2) / 3600, 4.4, 0.04);
  EXPECT_NEAR(seconds_to_prove(1e-15, 100) / 3600, 8.3, 0.03);  // one lane of four
}

TEST(ErrorRateBound, OfFiveMinutesAt400GbitIsNoBetterThan25eMinus15) {
  EXPECT_NEAR(error_rate_bound(400e9 * 300, 0), 2.5e-14, 0.01e-14);
}

TEST(ErrorRateBound, NeverExceedsOne) { EXPECT_EQ(error_rate_bound(1, 0), 1); }

TEST(Describe, SaysBoundConfidenceTimeAndRate) {
  EXPECT_EQ(describe({.bits = 400e9 * 750, .seconds = 750}),
            "bit error rate below 1e-14, 95 %, after 12.5 min at 400 Gb/s");
  EXPECT_EQ(describe({.bits = 392e9 * 20, .seconds = 20, .errors = 2}),
            "bit error rate below 8e-13, 95 %, after 20 s at 392 Gb/s, 2 errors");
  EXPECT_EQ(describe({.bits = 400e9 * 7500, .seconds = 7500}, 0.95),
            "bit error rate below 1e-15, 95 %, after 2.1 h at 400 Gb/s");
}

TEST(DescribeProgress, SaysWhatIsProvenAndWhatIsMissing) {
  EXPECT_EQ(describe_progress({.bits = 400e9 * 750, .seconds = 750}, 1e-15),
            "proven below 1e-14; below 1e-15 after 1.9 h more");
  EXPECT_EQ(describe_progress({.bits = 400e9 * 750, .seconds = 750}, 1e-14), "proven below 1e-14");
  EXPECT_EQ(describe_progress({.bits = 400e9 * 10, .seconds = 10, .errors = 1}, 1e-12),
            "proven below 1.2e-12, 1 error; below 1e-12 after 1.86 s more");
}

TEST(ErrorDose, RefusesWhatIsNoDose) {
  EXPECT_THROW(error_rate_bound(0, 0), core::Error);
  EXPECT_THROW(error_rate_bound(1e12, -1), core::Error);
  EXPECT_THROW(error_rate_bound(1e12, 0, 1), core::Error);
  EXPECT_THROW(bits_to_prove(0), core::Error);
  EXPECT_THROW(bits_to_prove(1), core::Error);
  EXPECT_THROW(seconds_to_prove(1e-14, 0), core::Error);
  EXPECT_THROW(describe({.bits = 1e12, .seconds = 0}), core::Error);
}

}  // namespace
}  // namespace assay::link

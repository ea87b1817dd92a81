// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/checkpoint/useful_time.hpp"

#include <gtest/gtest.h>

namespace assay::offload {
namespace {

// A checkpoint of 60 s, a failure every 3 hours, 5 minutes to restart.
const FailureCosts costs{.checkpoint_s = 60, .restart_s = 300, .mean_time_between_failures_s = 10800};

TEST(UsefulTime, YoungsIntervalIsTheRootOfTwiceCostTimesMean) {
  EXPECT_NEAR(young_interval_s(costs), 1138.42, 0.005);  // sqrt(1,296,000)
}

TEST(UsefulTime, DalysIntervalIsALittleShorter) {
  // d / 2M = 1 / 360; 1138.4200 (1 + 0.0527046 / 3 + 0.0027778 / 9) - 60
  EXPECT_NEAR(daly_interval_s(costs), 1098.77, 0.005);
}

TEST(UsefulTime, DalysIntervalIsTheMeanWhereACheckpointCostsMoreThanTwiceThat) {
  EXPECT_EQ(daly_interval_s({.checkpoint_s = 700, .restart_s = 0, .mean_time_between_failures_s = 300}), 300);
}

TEST(UsefulTime, FractionIsLargestNearDalysInterval) {
  const double interval_s = daly_interval_s(costs);
  const double best = useful_fraction(costs, interval_s);
  EXPECT_GT(best, useful_fraction(costs, interval_s * 0.9));
  EXPECT_GT(best, useful_fraction(costs, interval_s * 1.1));
}

TEST(UsefulTime, FractionOfAJobThatHardlyFailsIsWhatCheckpointsLeave) {
  const FailureCosts rare{.checkpoint_s = 10, .restart_s = 0, .mean_time_between_failures_s = 1e9};
  EXPECT_NEAR(useful_fraction(rare, 90), 0.9, 1e-6);
}

}  // namespace
}  // namespace assay::offload

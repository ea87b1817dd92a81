// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/series/uneven_points.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "harness/core/statistics/order_statistic.hpp"

namespace assay::results {
namespace {

constexpr int uneven_hosts = 16, uneven_runs = 5;

/// A host whose samples are 20 % slower for this share of the time, among fifteen sound ones; noise of a
/// sample 1 %, and one in a hundred is disturbed.
std::vector<FleetIssue> uneven_where(double slow_share, int samples) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> noise(0, 0.01);
  std::bernoulli_distribution is_disturbed(0.01), is_slow(slow_share);
  Fleet fleet;
  fleet.metrics = {{"gemm.time", "gemm", false}};
  FleetRunValues values(uneven_runs);
  for (std::uint32_t host = 0; host < uneven_hosts; ++host) {
    fleet.units.push_back({"h" + std::to_string(host), "x", {}});
    for (auto& run : values) {
      FleetPoint point;
      for (int sample = 0; sample < samples; ++sample)
        point.samples_s.push_back((1 + noise(random)) * (is_disturbed(random) ? 1.5 : 1) *
                                  (host == 3 && is_slow(random) ? 1.2 : 1));
      point.evidence.time_s = core::median(point.samples_s);
      run.push_back({0, host, point.evidence.time_s, excess_of(point)});
    }
  }
  return uneven_points(fleet, values);
}

TEST(UnevenPoints, AreThoseThatThrottleForSomeOfTheTime) {
  for (const double share : {0.25, 0.45})
    EXPECT_THAT(uneven_where(share, 60), testing::ElementsAre(testing::Field(&FleetIssue::unit, "h3")))
        << share;
}

TEST(UnevenPoints, AreNoneOfEqualNoise) { EXPECT_THAT(uneven_where(0, 60), testing::IsEmpty()); }

TEST(UnevenPoints, AreNotKnownOfFewSamples) { EXPECT_THAT(uneven_where(0.45, 7), testing::IsEmpty()); }

}  // namespace
}  // namespace assay::results

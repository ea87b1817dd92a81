// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Steps, ramps and slow starts within a run: how often the judge of drift finds them, and how often it is
// wrong.
#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <random>
#include <vector>

#include "results/judge/tests/drifting_times.hpp"

namespace assay::results {
namespace {

using test::drift_margin;
using test::drifting_times;
using test::DriftNoise;
using test::DriftShares;
using test::DriftTimes;
using test::judged_drifts;

/// A step of `by` after this share of the samples; below 0: a slow start.
DriftTimes stepped_times(std::size_t samples, double at, double by, const DriftNoise& noise,
                         std::mt19937& random) {
  DriftTimes times = drifting_times(samples, 0, noise, random);
  for (std::size_t i = 0; i < samples; ++i)
    if (static_cast<double>(i) + 0.5 > at * static_cast<double>(samples)) times[i] *= 1 + by;
  return times;
}

/// Each series judged as one of 800, by margins of 2 %.
DriftShares shares_of_drawn(const std::function<DriftTimes(std::mt19937&)>& draw) {
  constexpr int series = 200, fleet = 800;
  std::mt19937 random(13);
  std::vector<DriftTimes> all;
  for (int i = 0; i < series; ++i) all.push_back(draw(random));
  return test::shares_in(judged_drifts(all, 0.025 * series / fleet));
}

TEST(DriftShapes, OfAnyShapeIsFoundInSixtySamplesOfAFleet) {
  for (const DriftNoise noise :
       {DriftNoise{.scale = 0.004}, DriftNoise{.degrees_of_freedom = 5, .scale = 0.0035}}) {
    for (const double at : {0.3, 0.5, 0.7}) {
      const DriftShares step =
          shares_of_drawn([&](std::mt19937& random) { return stepped_times(60, at, 0.03, noise, random); });
      EXPECT_GE(step.failed, 0.75) << at;
      EXPECT_EQ(step.passed, 0) << at;
    }
    for (const double at : {0.2, 0.3}) {
      const DriftShares start =
          shares_of_drawn([&](std::mt19937& random) { return stepped_times(60, at, -0.03, noise, random); });
      EXPECT_EQ(start.failed + start.passed, 0) << at;
    }
    const DriftShares ramp =
        shares_of_drawn([&](std::mt19937& random) { return drifting_times(60, 0.04, noise, random); });
    EXPECT_GE(ramp.failed, 0.75);
    const DriftShares sound =
        shares_of_drawn([&](std::mt19937& random) { return drifting_times(60, 0, noise, random); });
    EXPECT_EQ(sound.failed, 0);
    EXPECT_GE(sound.passed, 0.99);
  }
}

/// The larger the step, the surer it is: it does not count as correlation of the samples.
TEST(DriftShapes, OfALargeStepFailsAtAnyNumberOfSamples) {
  for (const std::size_t samples : {60, 200, 1000})
    for (const double at : {0.5, 0.7}) {
      std::mt19937 random(17);
      const VerdictRow row = judged_drifts({stepped_times(samples, at, 0.15, {}, random)}).at(0);
      EXPECT_EQ(row.verdict, Verdict::fail) << samples << " samples: " << row.because;
      EXPECT_NEAR(row.value->value, 15, 2) << row.because;
    }
}

TEST(DriftShapes, OfAStepAtTheMarginFailsAndPassesNoMoreOftenThanItSays) {
  for (const double at : {1.0 / 3, 0.5, 0.8})
    for (const double correlation : {0.0, 0.6}) {
      std::mt19937 random(19);
      std::vector<DriftTimes> all;
      for (int i = 0; i < 400; ++i)
        all.push_back(stepped_times(200, at, drift_margin, {3, correlation}, random));
      const DriftShares shares = test::shares_in(judged_drifts(all, 0.05 * 400));
      EXPECT_LE(shares.failed, 0.08) << at << " " << correlation;
      EXPECT_LE(shares.passed, 0.08) << at << " " << correlation;
    }
}

}  // namespace
}  // namespace assay::results

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/measure/measure.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

#include "harness/core/tests/fake_trial.hpp"

namespace assay::core::tests {
namespace {

const std::atomic<bool> not_interrupted{false};

TEST(Measure, BatchesIterationsUntilASampleIsLongEnough) {
  ScriptedClock clock;
  FakeTrial trial(clock, [] { return 1e-6; });
  const MeasureOptions options{.min_sample_seconds = 100e-6};
  const Measurement measurement = measure(trial, options, clock, not_interrupted);
  EXPECT_GE(measurement.iterations_per_sample, 100);
  EXPECT_LE(measurement.iterations_per_sample, 150);
  EXPECT_NEAR(measurement.interval.estimate, 1e-6, 1e-15);
}

TEST(Measure, KeepsTheColdFirstOperationApart) {
  ScriptedClock clock;
  FakeTrial trial(clock, [first = true]() mutable { return std::exchange(first, false) ? 0.25 : 1e-3; });
  const Measurement measurement = measure(trial, {}, clock, not_interrupted);
  EXPECT_DOUBLE_EQ(measurement.cold_first_s, 0.25);
  EXPECT_THAT(measurement.samples_s, testing::Each(testing::DoubleNear(1e-3, 1e-12)));
}

class ToldApart final : public Trial {
 public:
  Timing do_run(std::int64_t iterations) override {
    return {.seconds = 3e-6 * static_cast<double>(iterations),
            .each_s = std::vector<double>(static_cast<std::size_t>(iterations), 2e-6)};
  }
  Verification do_verify() override { return {}; }
};

TEST(Measure, TakesIterationsThatATrialTellsApartAsSamples) {
  SteadyClock clock;
  ToldApart trial;
  const MeasureOptions options{.max_seconds = 0.05, .max_warmup_seconds = 0.01, .min_samples = 3000};
  const Measurement measurement = measure(trial, options, clock, not_interrupted);
  EXPECT_GE(measurement.samples_s.size(), 3000U);
  EXPECT_DOUBLE_EQ(measurement.interval.estimate, 2e-6);
  EXPECT_EQ(measurement.iterations_per_sample, 1);
}

TEST(Measure, StopsOnANarrowIntervalOfASteadyStream) {
  ScriptedClock clock;
  FakeTrial trial(clock, [i = 0]() mutable { return 1e-3 * (1 + 0.001 * (i++ % 7)); });
  const Measurement measurement = measure(trial, {.max_seconds = 100}, clock, not_interrupted);
  EXPECT_EQ(measurement.stop, StopReason::interval);
  EXPECT_TRUE(measurement.warmup.stationary);
  EXPECT_LE(measurement.interval.relative_width(), 0.02);
  EXPECT_GE(measurement.interval.n_effective, 100);
}

TEST(Measure, EndsWithTheBudgetAndSaysSo) {
  ScriptedClock clock;
  FakeTrial trial(clock, [i = 0]() mutable { return 1e-3 * (1 + (i++ * 7919 % 100) / 100.0); });
  const MeasureOptions options{.relative_width = 1e-6, .max_seconds = 0.5, .max_warmup_seconds = 0.1};
  const Measurement measurement = measure(trial, options, clock, not_interrupted);
  EXPECT_EQ(measurement.stop, StopReason::budget);
  EXPECT_LT(measurement.elapsed_s, 0.7);
}

TEST(Measure, TakesThreeSamplesEvenIfOneExceedsTheBudget) {
  ScriptedClock clock;
  FakeTrial trial(clock, [] { return 10.0; });
  const Measurement measurement = measure(trial, {.max_seconds = 1}, clock, not_interrupted);
  EXPECT_EQ(measurement.stop, StopReason::budget);
  EXPECT_EQ(measurement.samples_s.size(), 3U);
  EXPECT_FALSE(measurement.interval.bounded);
  EXPECT_FALSE(measurement.warmup.stationary);
}

TEST(Measure, StopsAtTheSampleLimit) {
  ScriptedClock clock;
  FakeTrial trial(clock, [i = 0]() mutable { return 1e-3 * (1 + (i++ * 7919 % 100) / 100.0); });
  const MeasureOptions options{.relative_width = 1e-6, .max_seconds = 1e6, .max_samples = 500};
  const Measurement measurement = measure(trial, options, clock, not_interrupted);
  EXPECT_EQ(measurement.stop, StopReason::samples);
  EXPECT_EQ(measurement.samples_s.size(), 500U);
}

TEST(Measure, FinishesTheSampleInFlightWhenInterrupted) {
  ScriptedClock clock;
  std::atomic<bool> interrupted{false};
  FakeTrial trial(clock, [&, i = 0]() mutable {
    if (++i == 400) interrupted = true;
    return 1e-3 * (1 + (i * 7919 % 100) / 100.0);
  });
  const MeasureOptions options{.relative_width = 1e-6, .max_seconds = 1e6, .max_warmup_seconds = 0.1};
  const Measurement measurement = measure(trial, options, clock, interrupted);
  EXPECT_EQ(measurement.stop, StopReason::interrupted);
  EXPECT_GT(measurement.samples_s.size(), 100U);
  EXPECT_TRUE(trial.verified);
}

TEST(Measure, WarmsUpUntilASignalSettles) {
  ScriptedClock clock;
  FakeTrial trial(clock, [] { return 1e-3; });
  double clock_mhz = 1000;
  trial.signal = [&] { return clock_mhz += clock_mhz < 1900 ? 100 : 0; };
  const Measurement settled = measure(trial, {.max_warmup_seconds = 1000}, clock, not_interrupted);
  EXPECT_TRUE(settled.warmup.stationary);
  double rising = 1000;
  trial.signal = [&] { return rising += 50; };
  const Measurement moving = measure(trial, {.max_warmup_seconds = 2}, clock, not_interrupted);
  EXPECT_FALSE(moving.warmup.stationary);
  EXPECT_EQ(moving.warmup.last_moving, "clock");
}

// As an H100 does: 0.4 s after work begins it is at its power limit, and slower by a tenth.
TEST(Measure, UsesTheWholeBudgetWhereTheWarmUpEndedTooSoon) {
  ScriptedClock clock;
  FakeTrial trial(clock, [&] { return clock.seconds() < 0.4 ? 1e-3 : 1.1e-3; });
  trial.signal = [&] { return std::min(700.0, 100 + 1500 * clock.seconds()); };
  const MeasureOptions options{.max_seconds = 1, .max_warmup_seconds = 0.2};
  const Measurement measurement = measure(trial, options, clock, not_interrupted);
  EXPECT_EQ(measurement.warmup.last_moving, "clock");
  EXPECT_EQ(measurement.stop, StopReason::budget);
  EXPECT_NEAR(measurement.interval.estimate, 1.1e-3, 1e-9);
  const Measurement settled =
      measure(trial, {.max_seconds = 1, .max_warmup_seconds = 2}, clock, not_interrupted);
  EXPECT_EQ(settled.stop, StopReason::interval);
}

TEST(Measure, FlagsAStreamThatKeepsDrifting) {
  ScriptedClock clock;
  FakeTrial trial(clock, [i = 0]() mutable { return 1e-3 * (1 + 1e-3 * i++); });
  const Measurement measurement = measure(trial, {.max_seconds = 1}, clock, not_interrupted);
  EXPECT_TRUE(measurement.drifting);
  EXPECT_NE(measurement.stop, StopReason::interval);
}

TEST(Measure, ReadsCountersAroundSamplingOnly) {
  ScriptedClock clock;
  FakeTrial trial(clock, [] { return 1e-3; });
  static_cast<void>(measure(trial, {}, clock, not_interrupted));
  EXPECT_THAT(trial.events, testing::ElementsAre(testing::StrEq("begin"), testing::StrEq("end")));
}

}  // namespace
}  // namespace assay::core::tests

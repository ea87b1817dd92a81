// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/run/point_loop.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/error.hpp"
#include "harness/core/tests/fake_trial.hpp"
#include "harness/run/journal/record_of.hpp"
#include "harness/run/progress.hpp"
#include "harness/run/tests/fake_cases.hpp"

namespace assay::run {
namespace {

std::vector<core::Case> cases_by(core::tests::ScriptedClock& clock) {
  return tests::fake_cases_passing([&clock](double seconds) { clock.advance(seconds); });
}

results::PointRecord record_of_case(std::size_t index) {
  core::tests::ScriptedClock clock;
  const std::vector<core::Case> cases = cases_by(clock);
  const std::atomic<bool> interrupted{false};
  const PointLoop loop("memory", clock, [] { return std::string("2026-01-01T00:00:00.000Z"); }, interrupted);
  const plan::PlannedPoint planned{&cases.at(index),
                                   core::Point{{"n", std::int64_t{5}}},
                                   {.max_seconds = 0.02, .max_warmup_seconds = 0.02}};
  return loop.run(planned).record;
}

TEST(PointLoop, RecordsWhatWasMeasuredAndUnderWhatConditions) {
  const results::PointRecord record = record_of_case(0);
  EXPECT_EQ(record.status, results::Status::ok);
  EXPECT_EQ(record.case_name, "memory.fake.steady");
  EXPECT_EQ(record.key, "n=5");
  EXPECT_EQ(record.started, "2026-01-01T00:00:00.000Z");
  ASSERT_TRUE(record.time.has_value());
  EXPECT_NEAR(record.time->value_s, 2e-4, 1e-9);
  ASSERT_EQ(record.metrics.size(), 2U);
  EXPECT_EQ(record.metrics[0].name, "bandwidth_gb_per_s");
  EXPECT_NEAR(record.metrics[0].value, 5.0, 1e-6);
  EXPECT_EQ(record.metrics[1].name, "extra_w");
  EXPECT_EQ(record.verification.result, core::Verification::Result::right);
  EXPECT_EQ(record.samples_s.size(), static_cast<std::size_t>(record.time->n));
  EXPECT_EQ(std::get<std::string>(record.conditions.at(0).second), "cold");
}

TEST(PointLoop, SaysAfterEachStepThatItGoesOn) {
  core::tests::ScriptedClock clock;
  const std::vector<core::Case> cases = cases_by(clock);
  const std::atomic<bool> interrupted{false};
  int steps = 0;
  const PointLoop loop("memory", clock, [] { return std::string(); }, interrupted, [&] { ++steps; });
  const plan::PlannedPoint planned{
      &cases.at(0), core::Point{{"n", std::int64_t{5}}}, {.max_seconds = 0.02, .max_warmup_seconds = 0.02}};
  const results::PointRecord record = loop.run(planned).record;
  // prepared, sampled, verified, and each sample
  EXPECT_GE(steps, 3 + static_cast<int>(record.samples_s.size()));
}

TEST(PointLoop, AFailureIsARecordWithCodeAndPlace) {
  const results::PointRecord record = record_of_case(2);
  EXPECT_EQ(record.status, results::Status::failed);
  EXPECT_THAT(record.reason, testing::MatchesRegex("allocate 1 EiB: Cannot allocate memory \\(system 12, "
                                                   "fake_cases.cpp:[0-9]+\\)"));
  EXPECT_FALSE(record.time.has_value());
}

TEST(PointLoop, AWrongAnswerKeepsItsTimeAndSaysWhatWasWrong) {
  const results::PointRecord record = record_of_case(3);
  EXPECT_EQ(record.status, results::Status::wrong);
  EXPECT_EQ(record.reason, "element 3: expected 6, read 7");
  EXPECT_TRUE(record.time.has_value());
}

TEST(PointLoop, UnsupportedCarriesTheDriversWords) {
  const results::PointRecord record = record_of_case(4);
  EXPECT_EQ(record.status, results::Status::unsupported);
  EXPECT_EQ(record.reason, "no CUDA-capable device is detected");
}

TEST(PointLoop, ADeviceThatFailsWhenAskedIsAFailedPointWithoutABudget) {
  core::tests::ScriptedClock clock;
  std::vector<core::Case> cases = cases_by(clock);
  cases[0].unsupported = [](const core::Point&) -> std::optional<std::string> {
    throw core::Error(core::ErrorKind::cublas, "ask for algorithms: an invalid value", 7);
  };
  const std::atomic<bool> interrupted{false};
  const PointLoop loop("memory", clock, [] { return std::string("2026-01-01T00:00:00.000Z"); }, interrupted);
  const plan::PlannedPoint planned{&cases[0], core::Point{{"n", std::int64_t{5}}}, {}};
  EXPECT_EQ(budget_of(planned), 0);
  const results::PointRecord record = loop.run(planned).record;
  EXPECT_EQ(record.status, results::Status::failed);
  EXPECT_THAT(record.reason, testing::StartsWith("ask for algorithms: an invalid value (cublas 7"));
}

TEST(PointLoop, WhatTookTooLongIsATimeoutThatSaysWhoWasLate) {
  core::tests::ScriptedClock clock;
  std::vector<core::Case> cases = cases_by(clock);
  cases[0].prepare = [](const core::Point&) -> std::unique_ptr<core::Trial> {
    core::TimedOut late(core::ErrorKind::team, "no end within 5 s: late: rank 2");
    late.poison();
    throw late;
  };
  const std::atomic<bool> interrupted{false};
  const PointLoop loop("memory", clock, [] { return std::string("2026-01-01T00:00:00.000Z"); }, interrupted);
  const Measured measured = loop.run({&cases[0], core::Point{{"n", std::int64_t{5}}}, {}});
  EXPECT_EQ(measured.record.status, results::Status::timeout);
  EXPECT_TRUE(measured.process_poisoned);
  EXPECT_THAT(measured.record.reason, testing::StartsWith("no end within 5 s: late: rank 2 (team"));
}

TEST(PointLoop, WhatGaveUpWaitingWhenAskedToStopIsInterrupted) {
  core::tests::ScriptedClock clock;
  std::vector<core::Case> cases = cases_by(clock);
  cases[0].prepare = [](const core::Point&) -> std::unique_ptr<core::Trial> {
    throw core::Interrupted(core::ErrorKind::system, "asked to stop while it waited for a block");
  };
  const std::atomic<bool> interrupted{true};
  const PointLoop loop("memory", clock, [] { return std::string("2026-01-01T00:00:00.000Z"); }, interrupted);
  const Measured measured = loop.run({&cases[0], core::Point{{"n", std::int64_t{5}}}, {}});
  EXPECT_EQ(measured.record.status, results::Status::failed);
  EXPECT_EQ(measured.record.stop, "interrupted");
  EXPECT_FALSE(measured.process_poisoned);
  EXPECT_THAT(measured.record.reason,
              testing::StartsWith("asked to stop while it waited for a block (system"));
}

TEST(HeadlineMetric, ARatesLowerBoundComesFromTheTimesUpperBound) {
  core::Case benchmark;
  benchmark.headline = core::Headline::tflops;
  const core::QuantileInterval interval{.estimate = 2, .lower = 1, .upper = 4};
  const results::Metric metric = headline_metric(benchmark, {.flops = 8e12}, interval);
  EXPECT_DOUBLE_EQ(metric.value, 4);
  EXPECT_DOUBLE_EQ(metric.lower.value(), 2);
  EXPECT_DOUBLE_EQ(metric.upper.value(), 8);
  benchmark.headline = core::Headline::latency_ns;
  EXPECT_DOUBLE_EQ(headline_metric(benchmark, {}, interval).lower.value(), 1e9);
}

TEST(HeadlineMetric, CountsUpdatesInGigaAndConnectionsOneByOne) {
  core::Case benchmark;
  const core::QuantileInterval interval{.estimate = 2, .lower = 1, .upper = 4};
  benchmark.headline = core::Headline::update_rate_gup_per_s;
  const results::Metric updates = headline_metric(benchmark, {.operations = 8e9}, interval);
  EXPECT_EQ(updates.unit, "GUP/s");
  EXPECT_DOUBLE_EQ(updates.value, 4);
  EXPECT_DOUBLE_EQ(updates.lower.value(), 2);
  benchmark.headline = core::Headline::connection_rate_per_s;
  const results::Metric connections = headline_metric(benchmark, {.operations = 8}, interval);
  EXPECT_EQ(connections.name, "connection_rate_per_s");
  EXPECT_EQ(connections.unit, "1/s");
  EXPECT_DOUBLE_EQ(connections.upper.value(), 8);
}

TEST(TimeLeft, FollowsThePaceSoFar) {
  TimeLeft left(100);
  EXPECT_DOUBLE_EQ(left.seconds(), 100);
  left.done(20, 5);
  EXPECT_DOUBLE_EQ(left.seconds(), 20);
}

}  // namespace
}  // namespace assay::run

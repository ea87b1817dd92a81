// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/cuda/telemetry/window_power.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "harness/core/names.hpp"
#include "harness/cuda/telemetry/telemetry.hpp"

namespace assay::cuda {
namespace {

using testing::ElementsAre;
using testing::Pair;

constexpr double step_s = 0.1, sampled_each_s = 0.02;

/// A GPU as NVML shows one: its energy counter stands between steps of 14 J each 100 ms, which are 140 W; its
/// readings of power say something else. The clock is the script's.
class SteppingGpu final : public TelemetrySource {
 public:
  explicit SteppingGpu(double begins_at_s) : at_s_(begins_at_s) {}

  TelemetryReading read() override {
    TelemetryReading reading;
    reading.at_s = at_s_;
    const double steps = std::floor(at_s_ / step_s);
    if (counts_energy) reading.energy_j = 5e6 + joules_a_step * steps - (at_s_ > reset_at_s ? 4e6 : 0);
    if (reads_power)
      reading.power_w = 650 + (power_moves ? static_cast<double>(static_cast<int>(steps) % 2) : 0);
    return reading;
  }
  TelemetryCounters count() override {
    TelemetryCounters counters;
    counters.at_s = at_s_;
    return counters;
  }
  /// Summarises the readings that the sampling thread would take in this window, without the thread.
  TelemetrySummary summary_of(double window_s) {
    const TelemetryCounters before = count();
    const double end_s = at_s_ + window_s;
    std::vector<TelemetryReading> readings;
    for (; at_s_ < end_s; at_s_ += sampled_each_s) readings.push_back(read());
    at_s_ = end_s;
    readings.push_back(read());
    return summarize_telemetry(readings, before, count());
  }

  double joules_a_step = 14, reset_at_s = INFINITY;
  bool counts_energy = true, reads_power = true, power_moves = true;

 private:
  double at_s_;
};

TEST(WindowPower, OfTwoSecondsIsTheCountersAndNotTheReadings) {
  SteppingGpu gpu(1000.033);
  const TelemetrySummary summary = gpu.summary_of(2);
  EXPECT_NEAR(summary.power.power_w.value(), 140, 2);
  EXPECT_NEAR(summary.energy_j.value(), 280, 4) << "of the whole window";
  EXPECT_THAT(summary.power.facts(),
              ElementsAre(Pair("power_by", core::Scalar("energy_counter")),
                          Pair("power_sensor_changes", core::Scalar(std::int64_t{20}))));
}

TEST(WindowPower, OfFortyMillisecondsIsLeftOutWithTheReasonWhereverItFalls) {
  for (double begins_at_s = 1000.005; begins_at_s < 1000.1; begins_at_s += 0.01) {
    const TelemetrySummary summary = SteppingGpu(begins_at_s).summary_of(0.04);
    EXPECT_FALSE(summary.power.power_w) << begins_at_s;
    EXPECT_FALSE(summary.energy_j) << "0 J or 14 J, as it falls: " << begins_at_s;
  }
  EXPECT_THAT(
      SteppingGpu(1000.005).summary_of(0.04).power.facts(),
      ElementsAre(Pair("power_left_out",
                       core::Scalar("0 changes of the energy counter in 0.04 s: 10 or more are needed"))));
}

TEST(WindowPower, NeedsTenChangesAndIsRightWithThemWhereverTheWindowFalls) {
  for (double begins_at_s = 1000.005; begins_at_s < 1000.1; begins_at_s += 0.01) {
    EXPECT_FALSE(SteppingGpu(begins_at_s).summary_of(0.89).power.power_w) << begins_at_s;
    EXPECT_NEAR(SteppingGpu(begins_at_s).summary_of(1.1).power.power_w.value(), 140,
                140 * sampled_each_s / 0.9)
        << begins_at_s;
  }
}

TEST(WindowPower, WithoutACounterIsTheMeanOfReadingsThatChangedTenTimes) {
  SteppingGpu gpu(1000.033);
  gpu.counts_energy = false;
  const WindowPower power = gpu.summary_of(2).power;
  EXPECT_NEAR(power.power_w.value(), 650.5, 0.1);
  EXPECT_EQ(power.by, "power_readings");
  EXPECT_EQ(gpu.summary_of(0.5).power.why_not,
            "5 changes of the power reading in 0.5 s: 10 or more are needed");
}

TEST(WindowPower, OfAReadingThatNeverMovesIsLeftOut) {
  SteppingGpu gpu(1000.033);
  gpu.counts_energy = gpu.power_moves = false;
  EXPECT_EQ(gpu.summary_of(5).power.why_not, "0 changes of the power reading in 5 s: 10 or more are needed");
}

TEST(WindowPower, OfACounterThatWentBackIsLeftOut) {
  SteppingGpu gpu(1000.033);
  gpu.reset_at_s = 1001;
  EXPECT_EQ(gpu.summary_of(2).power.why_not, "the energy counter went back");
}

TEST(WindowPower, OfAGpuWithoutSensorsIsLeftOut) {
  SteppingGpu gpu(1000.033);
  gpu.counts_energy = gpu.reads_power = false;
  EXPECT_EQ(gpu.summary_of(2).power.why_not, "the GPU reports neither energy nor power");
}

TEST(WindowPower, OfNothingReadSaysNothing) { EXPECT_TRUE(WindowPower().facts().empty()); }

}  // namespace
}  // namespace assay::cuda

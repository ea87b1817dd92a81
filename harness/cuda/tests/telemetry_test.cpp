// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/cuda/telemetry/telemetry.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "harness/core/tests/eventually.hpp"

namespace assay::cuda {
namespace {

using testing::ElementsAre;
using testing::Pair;

constexpr std::uint64_t sw_power_cap = 0x4;
constexpr std::uint64_t hw_slowdown = 0x8;

TelemetryReading reading(double at_s, std::uint64_t reasons, double clock_mhz = 1755) {
  TelemetryReading made;
  made.at_s = at_s;
  made.sm_clock_mhz = clock_mhz;
  made.power_w = 700;
  made.temperature_c = 60 + at_s;
  made.throttle_reasons = reasons;
  return made;
}

TEST(TelemetrySummary, GivesEachReasonTheTimeUntilTheNextReading) {
  const std::vector<TelemetryReading> readings = {reading(0, sw_power_cap), reading(3, 0),
                                                  reading(4, sw_power_cap | hw_slowdown),
                                                  reading(8, hw_slowdown)};
  const TelemetrySummary summary = summarize_telemetry(readings, {}, {});
  EXPECT_TRUE(summary.throttle_known);
  EXPECT_THAT(summary.throttle_fraction,
              ElementsAre(Pair("sw_power_cap", 7.0 / 8), Pair("hw_slowdown", 4.0 / 8)));
}

TEST(TelemetrySummary, WeighsTheClockByTime) {
  const std::vector<TelemetryReading> readings = {reading(0, 0, 1980), reading(1, 0, 1500),
                                                  reading(4, 0, 1400)};
  const TelemetrySummary summary = summarize_telemetry(readings, {}, {});
  EXPECT_DOUBLE_EQ(summary.sm_clock_mean_mhz.value(), (1980.0 + 3 * 1500.0) / 4);
  EXPECT_DOUBLE_EQ(summary.sm_clock_min_mhz.value(), 1400);
  EXPECT_DOUBLE_EQ(summary.sm_clock_max_mhz.value(), 1980);
  EXPECT_DOUBLE_EQ(summary.temperature_max_c.value(), 64);
}

TEST(TelemetrySummary, OfOneReadingStandsForTheWholeWindow) {
  const TelemetrySummary summary = summarize_telemetry({reading(5, hw_slowdown)}, {}, {});
  EXPECT_THAT(summary.throttle_fraction, ElementsAre(Pair("hw_slowdown", 1.0)));
  EXPECT_FALSE(summary.power.power_w) << "one reading is no power of a window";
}

TEST(TelemetrySummary, KeepsABitThatNobodyNamed) {
  const TelemetrySummary summary = summarize_telemetry({reading(0, 1ULL << 40), reading(1, 0)}, {}, {});
  EXPECT_THAT(summary.throttle_fraction, ElementsAre(Pair("bit_40", 1.0)));
}

TEST(TelemetrySummary, WithoutReasonsIsUnknownAndNotUnthrottled) {
  TelemetryReading silent;
  const TelemetrySummary summary = summarize_telemetry({silent, silent}, {}, {});
  EXPECT_FALSE(summary.throttle_known);
  bool said = false;
  for (const core::Fact& fact : telemetry_facts(summary)) {
    EXPECT_EQ(fact.first.find("_fraction"), std::string::npos) << fact.first;
    said = said || fact.first == "throttle";
  }
  EXPECT_TRUE(said);
}

TEST(TelemetrySummary, SubtractsCountersAndRefusesThoseThatWereReset) {
  TelemetryCounters before, after;
  before.at_s = 10;
  after.at_s = 12;
  before.pcie_replays = 3;
  after.pcie_replays = 5;
  before.ecc_corrected = 9;
  after.ecc_corrected = 0;
  before.limited_s = {{"power", 1.5}, {"thermal", 4}};
  after.limited_s = {{"power", 2.75}, {"thermal", 4}};
  const TelemetrySummary summary = summarize_telemetry({}, before, after);
  EXPECT_DOUBLE_EQ(summary.window_s.value(), 2);
  EXPECT_EQ(summary.pcie_replays.value(), 2);
  EXPECT_FALSE(summary.ecc_corrected.has_value());
  EXPECT_FALSE(summary.ecc_uncorrected.has_value());
  EXPECT_THAT(summary.limited_s, ElementsAre(Pair("power", 1.25), Pair("thermal", 0.0)));
}

TEST(TelemetryFacts, WriteReasonsThatDidNotHoldToo) {
  const TelemetrySummary summary = summarize_telemetry({reading(0, sw_power_cap), reading(1, 0)}, {}, {});
  double power_cap = -1, brake = -1;
  for (const auto& [name, value] : telemetry_facts(summary)) {
    if (name == "throttle_sw_power_cap_fraction") power_cap = std::get<double>(value);
    if (name == "throttle_hw_power_brake_slowdown_fraction") brake = std::get<double>(value);
  }
  EXPECT_DOUBLE_EQ(power_cap, 1);
  EXPECT_DOUBLE_EQ(brake, 0);
}

class Scripted final : public TelemetrySource {
 public:
  explicit Scripted(std::atomic<int>& reads) : reads_(reads) {}
  TelemetryReading read() override {
    const int n = reads_++;
    return reading(n, n == 0 ? sw_power_cap : 0);
  }
  TelemetryCounters count() override {
    TelemetryCounters counters;
    counters.pcie_replays = ++counts_;
    return counters;
  }

 private:
  std::atomic<int>& reads_;
  int counts_ = 0;
};

TEST(Telemetry, ReadsUntilEndAndAtTheEnd) {
  const auto threads = core::tests::count_threads();
  std::atomic<int> reads{0};
  Telemetry telemetry(std::make_unique<Scripted>(reads), "");
  telemetry.begin();
  EXPECT_TRUE(core::tests::eventually([&] { return reads >= 2; }));
  telemetry.end();
  const int at_end = reads;
  EXPECT_GE(telemetry.summary().readings, 3);
  EXPECT_EQ(telemetry.summary().readings, at_end);
  EXPECT_EQ(telemetry.summary().pcie_replays, 1);
  EXPECT_TRUE(core::tests::eventually([&] { return core::tests::count_threads() == threads; }, 5))
      << "nothing is left that could read after end()";
  EXPECT_EQ(reads, at_end);
}

TEST(Telemetry, StopsWhenItIsDestroyedWhileSampling) {
  const auto threads = core::tests::count_threads();
  std::atomic<int> reads{0};
  {
    Telemetry telemetry(std::make_unique<Scripted>(reads), "");
    telemetry.begin();
  }
  const int at_end = reads;
  EXPECT_TRUE(core::tests::eventually([&] { return core::tests::count_threads() == threads; }, 5));
  EXPECT_EQ(reads, at_end);
}

TEST(Telemetry, WithoutASourceSaysWhy) {
  Telemetry telemetry(nullptr, "libnvidia-ml.so.1: cannot open shared object file");
  telemetry.begin();
  telemetry.end();
  EXPECT_FALSE(telemetry.now().has_value());
  EXPECT_THAT(telemetry.facts(),
              ElementsAre(Pair("telemetry", core::Fact::second_type(std::string(
                                                "libnvidia-ml.so.1: cannot open shared object file")))));
}

}  // namespace
}  // namespace assay::cuda

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "gemm/device/device_peak.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace assay::gemm {
namespace {

DevicePeak h100(Dtype dtype, double mhz) {
  return {.flop_per_cycle_per_sm = flop_per_cycle_per_sm({9, 0, ""}, dtype).value(),
          .sm_count = 132,
          .clock_mhz = mhz,
          .clock_source = "max SM clock"};
}

TEST(DevicePeak, GivesThePublishedFiguresOfH100Sxm) {
  // NVIDIA states dense peaks at a boost clock of 1830 MHz for tensor types; fp64 and fp32 at 1980 MHz.
  EXPECT_NEAR(h100(Dtype::bf16, 1830).tflops(), 989.4, 0.1);
  EXPECT_NEAR(h100(Dtype::fp8_e4m3, 1830).tflops(), 1978.9, 0.1);
  EXPECT_NEAR(h100(Dtype::tf32, 1830).tflops(), 494.7, 0.1);
  EXPECT_NEAR(h100(Dtype::fp64, 1980).tflops(), 66.9, 0.1);
  EXPECT_NEAR(h100(Dtype::bf16, 1980).tflops(), 1070.5, 0.1);
}

TEST(DevicePeak, GivesThePublishedFiguresOfA100) {
  const double tflops = flop_per_cycle_per_sm({8, 0, ""}, Dtype::bf16).value() * 108 * 1410e-6;
  EXPECT_NEAR(tflops, 311.9, 0.1);
  EXPECT_FALSE(flop_per_cycle_per_sm({8, 0, ""}, Dtype::fp8_e4m3).has_value());
}

struct DataSheet {
  ComputeUnit unit;
  int sm_count;
  double boost_mhz;
  Dtype dtype;
  double tflops;  // dense, sums in fp32
};

TEST(DevicePeak, IsWithinFivePercentOfTheDataSheet) {
  const std::vector<DataSheet> sheets{
      {{8, 6, "NVIDIA A40"}, 84, 1740, Dtype::bf16, 149.7},
      {{8, 6, "NVIDIA A10"}, 72, 1695, Dtype::int8, 250},
      {{8, 6, "NVIDIA GeForce RTX 3090"}, 82, 1695, Dtype::fp16, 71},
      {{8, 9, "NVIDIA L40S"}, 142, 2520, Dtype::fp8_e4m3, 733},
      {{8, 9, "NVIDIA L40S"}, 142, 2520, Dtype::fp32, 91.6},
      {{8, 9, "NVIDIA GeForce RTX 4090"}, 128, 2520, Dtype::bf16, 165.2},
      {{8, 9, "NVIDIA GeForce RTX 4090"}, 128, 2520, Dtype::int8, 660.6},
      {{10, 0, "NVIDIA B200"}, 148, 1850, Dtype::bf16, 2250},
      {{10, 0, "NVIDIA B200"}, 148, 1850, Dtype::fp8_e4m3, 4500},
      {{10, 0, "NVIDIA B200"}, 148, 1850, Dtype::tf32, 1125},
      {{12, 0, "NVIDIA RTX PRO 6000 Blackwell Server Edition"}, 188, 2617, Dtype::bf16, 503.8},
      {{12, 0, "NVIDIA GeForce RTX 5090"}, 170, 2407, Dtype::fp8_e4m3, 419},
  };
  for (const DataSheet& sheet : sheets) {
    const auto flops = flop_per_cycle_per_sm(sheet.unit, sheet.dtype);
    ASSERT_TRUE(flops.has_value()) << sheet.unit.gpu;
    EXPECT_NEAR(*flops * sheet.sm_count * sheet.boost_mhz * 1e-6, sheet.tflops, 0.05 * sheet.tflops)
        << sheet.unit.gpu << ", " << to_string(sheet.dtype);
  }
}

TEST(DevicePeak, IsNotGuessedForOtherArchitecturesAndTypes) {
  EXPECT_FALSE(flop_per_cycle_per_sm({8, 7, ""}, Dtype::bf16).has_value());
  EXPECT_FALSE(flop_per_cycle_per_sm({11, 0, ""}, Dtype::bf16).has_value());
  EXPECT_FALSE(flop_per_cycle_per_sm({8, 6, ""}, Dtype::fp8_e4m3).has_value());
  EXPECT_FALSE(flop_per_cycle_per_sm({10, 3, ""}, Dtype::int8).has_value());
}

TEST(DevicePeak, NamesItsSource) {
  EXPECT_EQ(h100(Dtype::bf16, 1980).source(Dtype::bf16, 9, 0),
            "132 SMs x 4096 FLOP/cycle/SM (bf16, sm_90) x 1980 MHz (max SM clock)");
}

double value_of(const std::vector<core::Metric>& metrics, const std::string& name) {
  for (const core::Metric& metric : metrics)
    if (metric.name == name) return metric.value;
  ADD_FAILURE() << name << " is missing";
  return 0;
}

TEST(DeviceMetrics, SeparateTheClockFromTheShape) {
  // 800 TFLOP/s at 1500 MHz: 1e12 FLOPs in 1.25 ms, 1.875e6 cycles.
  core::QuantileInterval seconds;
  seconds.estimate = 1.25e-3;
  seconds.lower = 1.2e-3;
  seconds.upper = 1.3e-3;
  const auto metrics =
      device_metrics(1e12, seconds, h100(Dtype::bf16, 1980),
                     {.sustained_mhz = 1500, .power_w = 640, .cycles_per_iteration = 1.875e6}, 132);
  EXPECT_NEAR(value_of(metrics, "peak_tflops"), 1070.5, 0.1);
  EXPECT_NEAR(value_of(metrics, "efficiency"), 0.7473, 1e-4);
  EXPECT_NEAR(value_of(metrics, "efficiency_at_sustained_clock"), 0.9864, 1e-4);
  EXPECT_NEAR(value_of(metrics, "flop_per_cycle_per_sm"), 4040.4, 0.1);
  EXPECT_NEAR(value_of(metrics, "efficiency_per_sm_cycle"), 0.9864, 1e-4);
  EXPECT_NEAR(value_of(metrics, "joules_per_tflop"), 0.8, 1e-9);
}

TEST(DeviceMetrics, HaveNoJoulesWithoutAPower) {
  core::QuantileInterval seconds;
  seconds.estimate = seconds.lower = seconds.upper = 1.25e-3;
  for (const core::Metric& metric :
       device_metrics(1e12, seconds, h100(Dtype::bf16, 1980),
                      {.sustained_mhz = 1500, .power_w = {}, .cycles_per_iteration = {}}, 132))
    EXPECT_NE(metric.name, "joules_per_tflop");
}

TEST(DeviceMetrics, LeaveOutWhatIsNotKnown) {
  core::QuantileInterval seconds;
  seconds.estimate = seconds.lower = seconds.upper = 1e-3;
  EXPECT_TRUE(device_metrics(1e12, seconds, std::nullopt, {}, 132).empty());
}

}  // namespace
}  // namespace assay::gemm

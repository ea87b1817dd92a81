// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "gemm/device/device_peak.hpp"

#include <fmt/core.h>

#include <array>
#include <string_view>

#include "gemm/efficiency_metric.hpp"
#include "harness/core/names.hpp"

namespace assay::gemm {
namespace {

struct PeakRow {
  int major, minor;
  std::array<double, 7>
      flop_per_cycle;  // by Dtype; 0: the type has no unit, or no data sheet states its rate
};

//                                      fp64 fp32 tf32  bf16  fp16  fp8    int8
constexpr std::array peaks{PeakRow{8, 0, {128, 128, 1024, 2048, 2048, 0, 4096}},
                           PeakRow{8, 6, {4, 256, 512, 1024, 1024, 0, 2048}},
                           PeakRow{8, 9, {4, 256, 512, 1024, 1024, 2048, 2048}},
                           PeakRow{9, 0, {256, 256, 2048, 4096, 4096, 8192, 8192}},
                           PeakRow{10, 0, {128, 256, 4096, 8192, 8192, 16384, 16384}},
                           PeakRow{10, 3, {0, 256, 4096, 8192, 8192, 16384, 0}},
                           PeakRow{12, 0, {4, 256, 512, 1024, 1024, 2048, 2048}}};

/// GeForce cards add products of floating-point types in fp32 at half the rate of the same chip elsewhere.
bool is_halved(std::string_view gpu, Dtype dtype) {
  return gpu.find("GeForce") != std::string_view::npos && dtype != Dtype::fp64 && dtype != Dtype::fp32 &&
         dtype != Dtype::int8;
}

}  // namespace

std::optional<double> flop_per_cycle_per_sm(const ComputeUnit& unit, Dtype dtype) {
  for (const PeakRow& row : peaks)
    if (const double flops = row.flop_per_cycle[static_cast<std::size_t>(dtype)];
        row.major == unit.major && row.minor == unit.minor && flops > 0)
      return is_halved(unit.gpu, dtype) ? flops / 2 : flops;
  return std::nullopt;
}

std::string DevicePeak::source(Dtype dtype, int compute_major, int compute_minor) const {
  return fmt::format("{} SMs x {:.0f} FLOP/cycle/SM ({}, sm_{}{}) x {:.0f} MHz ({})", sm_count,
                     flop_per_cycle_per_sm, to_string(dtype), compute_major, compute_minor, clock_mhz,
                     clock_source);
}

std::vector<core::Metric> device_metrics(double flops, const core::QuantileInterval& seconds,
                                         const std::optional<DevicePeak>& peak,
                                         const DeviceReadings& readings, int sm_count) {
  std::vector<core::Metric> metrics;
  if (peak) metrics = efficiency_metrics(flops, seconds, peak->tflops());
  const double achieved = core::tflops(flops, seconds.estimate);
  if (peak && readings.sustained_mhz)
    metrics.push_back({.name = "efficiency_at_sustained_clock",
                       .unit = "",
                       .value = achieved / (peak->flop_per_cycle() * *readings.sustained_mhz * 1e-6)});
  if (readings.cycles_per_iteration) {
    const double per_cycle = flops / *readings.cycles_per_iteration / sm_count;
    metrics.push_back({.name = "flop_per_cycle_per_sm", .unit = "FLOP", .value = per_cycle});
    if (peak)
      metrics.push_back(
          {.name = "efficiency_per_sm_cycle", .unit = "", .value = per_cycle / peak->flop_per_cycle_per_sm});
  }
  // W / (TFLOP/s): the mean power over the sampling window, which includes the short gaps between samples.
  if (readings.power_w)
    metrics.push_back(
        {.name = core::names::joules_per_tflop, .unit = "J/TFLOP", .value = *readings.power_w / achieved});
  return metrics;
}

}  // namespace assay::gemm

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "gemm/device_metrics.hpp"

#include "gemm/efficiency_metric.hpp"

namespace assay::gemm {

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
    metrics.push_back({.name = "joules_per_tflop", .unit = "J/TFLOP", .value = *readings.power_w / achieved});
  return metrics;
}

}  // namespace assay::gemm

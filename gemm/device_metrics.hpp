// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What needs time, peak, clocks and power together: efficiency against the clock the GPU could hold and the
// one it did hold, per SM and cycle, and joules per TFLOP. Pure arithmetic.
#pragma once

#include <optional>
#include <vector>

#include "gemm/device_peak.hpp"
#include "harness/core/benchmark.hpp"
#include "harness/core/statistics.hpp"

namespace assay::gemm {

/// What the device told, beside the time.
struct DeviceReadings {
  std::optional<double> sustained_mhz, power_w, cycles_per_iteration;
};

/// efficiency, peak_tflops, efficiency_at_sustained_clock, flop_per_cycle_per_sm, efficiency_per_sm_cycle and
/// joules_per_tflop, each where its inputs are known. `seconds` is of one iteration.
std::vector<core::Metric> device_metrics(double flops, const core::QuantileInterval& seconds,
                                         const std::optional<DevicePeak>& peak,
                                         const DeviceReadings& readings, int sm_count);

}  // namespace assay::gemm

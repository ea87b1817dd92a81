// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Peak rate of a GPU's matrix units: multiply-add operations of a cycle, times SMs, times clock. Also the
// metrics that need time, peak, clocks and power together: efficiency against the clock the GPU could hold
// and the one it did hold, per SM and cycle, and joules per TFLOP. Pure arithmetic.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gemm/problem.hpp"
#include "harness/core/measure/benchmark.hpp"
#include "harness/core/statistics/statistics.hpp"

namespace assay::gemm {

/// A GPU's compute capability and its name.
struct ComputeUnit {
  int major = 0, minor = 0;
  std::string gpu;
};

/// FLOPs of one SM in one cycle, dense, with sums in fp32 (fp64, int32), by matrix units where the type has
/// them; empty where this is not known. Sources, by compute capability: NVIDIA's white papers of A100 (8.0,
/// table 1), GA102 (8.6), Ada (8.9), H100 (9.0, table 2) and RTX Blackwell (12.0); data sheets of HGX B200
/// (10.0) and B300 (10.3).
std::optional<double> flop_per_cycle_per_sm(const ComputeUnit& unit, Dtype dtype);

struct DevicePeak {
  double flop_per_cycle_per_sm = 0;
  int sm_count = 0;
  double clock_mhz = 0;
  std::string clock_source;  // "max SM clock"

  double flop_per_cycle() const { return flop_per_cycle_per_sm * sm_count; }
  double tflops() const { return flop_per_cycle() * clock_mhz * 1e-6; }
  /// "132 SMs x 4096 FLOP/cycle/SM (bf16, sm_90) x 1980 MHz (max SM clock)"
  std::string source(Dtype dtype, int compute_major, int compute_minor) const;
};

/// Readings that the device reported, besides the time.
struct DeviceReadings {
  std::optional<double> sustained_mhz, power_w, cycles_per_iteration;
};

/// efficiency, peak_tflops, efficiency_at_sustained_clock, flop_per_cycle_per_sm, efficiency_per_sm_cycle and
/// joules_per_tflop, each where its inputs are known. `seconds` is of one iteration.
std::vector<core::Metric> device_metrics(double flops, const core::QuantileInterval& seconds,
                                         const std::optional<DevicePeak>& peak,
                                         const DeviceReadings& readings, int sm_count);

}  // namespace assay::gemm

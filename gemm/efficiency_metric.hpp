// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Achieved over peak, with the interval of the time turned over.
#pragma once

#include <vector>

#include "harness/core/measure/benchmark.hpp"
#include "harness/core/statistics/statistics.hpp"
#include "harness/core/units.hpp"

namespace assay::gemm {

/// peak_tflops and efficiency (0 to 1). The slow end of the time is the low end of the efficiency.
inline std::vector<core::Metric> efficiency_metrics(double flops, const core::QuantileInterval& seconds,
                                                    double peak_tflops) {
  const auto efficiency = [&](double time) { return core::tflops(flops, time) / peak_tflops; };
  return {{.name = "efficiency",
           .unit = "",
           .value = efficiency(seconds.estimate),
           .lower = efficiency(seconds.upper),
           .upper = efficiency(seconds.lower)},
          {.name = "peak_tflops", .unit = "TFLOP/s", .value = peak_tflops}};
}

}  // namespace assay::gemm

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Rates of the GPUs of a node, all at work, over a burn-in: each is compared with its equals at the same
// time, and with itself as time passes.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "results/judge/verdict/verdicts.hpp"
#include "results/record/record.hpp"
#include "results/record/timeline.hpp"

namespace assay::suite {

/// The kind of timeline entries: TFLOP/s of a GPU while all work, of one point.
inline constexpr const char* rate_kind = "tflops_together";

struct GpuRate {
  std::string unit = {};   // "GPU 3 0000:4b:00.0"
  std::string point = {};  // case and key
  double together = 0, alone = 0;
  double mhz = 0, power_w = 0;  // together; 0: unknown
};

/// Rates of GPUs in a record; none of a record of another kind.
std::vector<GpuRate> gpu_rates_of(const results::PointRecord& record);

/// Two rows a GPU: against the median of all at the same time, and its last third against its first.
std::vector<results::VerdictRow> rate_rows(std::span<const results::TimelineEntry> timeline);

}  // namespace assay::suite

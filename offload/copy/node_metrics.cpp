// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/copy/node_metrics.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "harness/core/measure/median_metric.hpp"
#include "harness/core/names.hpp"
#include "harness/core/statistics/statistics.hpp"
#include "harness/core/units.hpp"

namespace assay::offload {
namespace {

double median_s(const GpuSeconds& samples, std::size_t gpu) {
  std::vector<double> seconds;
  for (const std::vector<double>& sample : samples) seconds.push_back(sample[gpu]);
  return core::quantile_of(seconds, 0.5);
}

core::Metric worst(const char* name, std::int64_t bytes, const GpuSeconds& samples) {
  return core::median_metric(samples, name, "GB/s", [bytes](const std::vector<double>& seconds) {
    return core::gb_per_s(static_cast<double>(bytes), *std::ranges::max_element(seconds));
  });
}

}  // namespace

std::vector<core::Metric> node_metrics(std::int64_t bytes, const GpuSeconds& together,
                                       const GpuSeconds& alone) {
  if (together.empty() || alone.empty()) return {};
  double least_share = median_s(alone, 0) / median_s(together, 0);
  for (std::size_t gpu = 1; gpu < together.front().size(); ++gpu)
    least_share = std::min(least_share, median_s(alone, gpu) / median_s(together, gpu));
  return {worst(core::names::worst_gb_per_s, bytes, together),
          worst(core::names::alone_worst_gb_per_s, bytes, alone),
          {.name = "least_share_of_alone", .unit = "", .value = least_share}};
}

std::vector<core::Fact> node_facts(std::int64_t bytes, const GpuSeconds& together, const GpuSeconds& alone) {
  std::vector<core::Fact> facts;
  if (together.empty() || alone.empty()) return facts;
  for (std::size_t gpu = 0; gpu < together.front().size(); ++gpu) {
    const auto rate = [&](const GpuSeconds& samples) {
      return core::gb_per_s(static_cast<double>(bytes), median_s(samples, gpu));
    };
    facts.emplace_back(fmt::format("gpu{}_gb_per_s", gpu), rate(together));
    facts.emplace_back(fmt::format("gpu{}_alone_gb_per_s", gpu), rate(alone));
  }
  return facts;
}

}  // namespace assay::offload

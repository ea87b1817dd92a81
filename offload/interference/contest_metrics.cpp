// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/interference/contest_metrics.hpp"

#include "harness/core/measure/median_metric.hpp"
#include "harness/core/names.hpp"

namespace assay::offload {

std::vector<core::Metric> contest_metrics(const std::vector<ContestTimes>& times) {
  if (times.empty()) return {};
  return {core::median_metric(times, "alone_us", "us", [](const auto& one) { return 1e6 * one.alone_s; }),
          core::median_metric(times, "beside_spin_us", "us",
                              [](const auto& one) { return 1e6 * one.beside_spin_s; }),
          core::median_metric(times, core::names::slowdown, "",
                              [](const auto& one) { return one.beside_s / one.alone_s; }),
          core::median_metric(times, core::names::slowdown_of_spinning, "",
                              [](const auto& one) { return one.beside_spin_s / one.alone_s; }),
          core::median_metric(times, core::names::slowdown_beyond_spinning, "",
                              [](const auto& one) { return one.beside_s / one.beside_spin_s; }),
          core::median_metric(times, core::names::aggressor_gb_per_s, "GB/s",
                              [](const auto& one) { return one.aggressor_gb_per_s; })};
}

}  // namespace assay::offload

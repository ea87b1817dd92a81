// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/interference/contest_trial.hpp"

#include "harness/workload/host_library.hpp"
#include "offload/median_metric.hpp"

namespace assay::offload {
std::vector<core::Metric> contest_metrics(const std::vector<ContestTimes>& times) {
  if (times.empty()) return {};
  return {
      median_metric(times, "alone_us", "us", [](const auto& one) { return 1e6 * one.alone_s; }),
      median_metric(times, "beside_spin_us", "us", [](const auto& one) { return 1e6 * one.beside_spin_s; }),
      median_metric(times, "slowdown", "", [](const auto& one) { return one.beside_s / one.alone_s; }),
      median_metric(times, "slowdown_of_spinning", "",
                    [](const auto& one) { return one.beside_spin_s / one.alone_s; }),
      median_metric(times, "slowdown_beyond_spinning", "",
                    [](const auto& one) { return one.beside_s / one.beside_spin_s; }),
      median_metric(times, "aggressor_gb_per_s", "GB/s",
                    [](const auto& one) { return one.aggressor_gb_per_s; })};
}

core::Timing ContestTrial::run(std::int64_t iterations) {
  core::Timing timing;
  for (std::int64_t i = 0; i < iterations; ++i) {
    times_.push_back(contest_.run());
    timing.each_s.push_back(times_.back().beside_s);
    timing.seconds += times_.back().beside_s;
  }
  return timing;
}

void ContestTrial::sampling_begins() {
  times_.clear();
  counters_.begin();
}

std::vector<core::Metric> ContestTrial::metrics(const core::Measurement&) { return contest_metrics(times_); }

std::vector<core::Fact> ContestTrial::facts() {
  std::vector<core::Fact> facts = counters_.facts();
  facts.emplace_back("cpus", host::cpu_list(contest_.cpus()));
  facts.emplace_back("quanta_of_a_time", std::int64_t{contest_.quanta()});
  if (settings_.victim == LoadKind::gemm || settings_.aggressor == LoadKind::gemm)
    facts.emplace_back("library", workload::host_library(settings_.loads.dtype).version());
  return facts;
}

}  // namespace assay::offload

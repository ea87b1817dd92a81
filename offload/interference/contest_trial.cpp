// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/interference/contest_trial.hpp"

#include "harness/workload/host_library.hpp"

namespace assay::offload {

core::Timing ContestTrial::enqueue(std::int64_t iterations) {
  core::Timing timing;
  for (std::int64_t i = 0; i < iterations; ++i) {
    times_.push_back(contest_.run());
    timing.each_s.push_back(times_.back().beside_s);
    timing.seconds += times_.back().beside_s * contest_.quanta();
  }
  return timing;
}

std::vector<core::Metric> ContestTrial::metrics(const core::Measurement&) { return contest_metrics(times_); }

std::vector<core::Fact> ContestTrial::facts() {
  std::vector<core::Fact> facts{{"cpus", host::cpu_list(contest_.cpus())},
                                {"quanta_of_a_time", std::int64_t{contest_.quanta()}}};
  if (settings_.victim == LoadKind::gemm || settings_.aggressor == LoadKind::gemm)
    facts.emplace_back("library", workload::host_library(settings_.loads.dtype).version());
  return facts;
}

}  // namespace assay::offload

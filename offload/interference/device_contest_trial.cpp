// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/interference/device_contest_trial.hpp"

#include <optional>
#include <utility>

namespace assay::offload {

core::Timing DeviceContestTrial::enqueue(std::int64_t iterations) {
  core::Timing timing;
  for (std::int64_t i = 0; i < iterations; ++i) {
    times_.push_back(contest_.run());
    timing.each_s.push_back(times_.back().times.beside_s);
    timing.seconds += times_.back().times.beside_s * static_cast<double>(contest_.quanta());
  }
  return timing;
}

void DeviceContestTrial::sampling_begins() {
  times_.clear();
  contest_.forget_ran_dry();
}

std::vector<core::Metric> DeviceContestTrial::metrics(const core::Measurement&) {
  const VictimWork victim{
      .quantum_bytes = contest_.victim().quantum_bytes(),
      .quantum_flops = contest_.victim().quantum_flops(),
      .blocks_of_work = contest_.victim().blocks_of_work(),
      .sm_count = contest_.site().device.sm_count,
      .taken = settings_.is_taking_known() ? std::optional(settings_.taken()) : std::nullopt};
  return device_contest_metrics(times_, victim);
}

}  // namespace assay::offload

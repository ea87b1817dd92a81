// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A trial of a step's traffic, by whichever memories and movers.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "offload/workload/workload_settings.hpp"

namespace assay::offload {

/// Replay: made of a step, which it refers to, and more; run() and wrong().
template <class Replay>
class StepReplayTrial {
 public:
  template <class... More>
  explicit StepReplayTrial(const training::HostStep& step, More... more)
      : step_(step), replay_(step_, more...) {}

  core::Timing enqueue(std::int64_t iterations) {
    core::Timing timing;
    for (std::int64_t i = 0; i < iterations; ++i) {
      times_.push_back(replay_.run());
      timing.each_s.push_back(times_.back().whole_s);
      timing.seconds += times_.back().whole_s;
    }
    return timing;
  }
  core::Verification check() {
    if (auto wrong = replay_.wrong()) return {core::Verification::Result::wrong, *wrong};
    return {core::Verification::Result::right, "every byte of every transfer, at its target"};
  }
  void sampling_begins() { times_.clear(); }
  std::vector<core::Metric> metrics(const core::Measurement&) const {
    return workload_metrics(step_, times_);
  }

 private:
  training::HostStep step_;
  Replay replay_;
  std::vector<HostStepTimes> times_;
};

}  // namespace assay::offload

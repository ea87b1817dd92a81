// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A contest on a GPU as what is measured.
#pragma once

#include <vector>

#include "offload/interference/device_contest_metrics.hpp"

namespace assay::offload {

class DeviceContestTrial final : public core::Trial {
 public:
  /// Throws core::Error.
  DeviceContestTrial(const DeviceContestSettings& settings, int gpu)
      : settings_(settings), contest_(settings, gpu) {}

  core::Timing do_run(std::int64_t iterations) override;
  core::Verification do_verify() override { return contest_.verify(); }
  std::vector<core::Signal> do_signals() override { return contest_.site().signals(); }
  void do_sampling_begins() override;
  void do_sampling_ends() override { contest_.site().sampling_ends(); }
  std::vector<core::Metric> do_metrics(const core::Measurement& measurement) override;
  std::vector<core::Fact> do_facts() override;

 private:
  DeviceContestSettings settings_;
  DeviceContest contest_;
  std::vector<DeviceContestTimes> times_;
};

}  // namespace assay::offload

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
      : settings_(settings), contest_(settings, gpu), conditions_(contest_.site(), contest_.timer()) {}

  core::Timing run(std::int64_t iterations) override;
  core::Verification verify() override { return contest_.verify(); }
  std::vector<core::Signal> signals() override { return conditions_.signals(); }
  void sampling_begins() override;
  void sampling_ends() override { conditions_.end(); }
  std::vector<core::Metric> metrics(const core::Measurement& measurement) override;
  std::vector<core::Fact> facts() override;

 private:
  DeviceContestSettings settings_;
  DeviceContest contest_;
  cuda::DeviceConditions conditions_;
  std::vector<DeviceContestTimes> times_;
};

}  // namespace assay::offload

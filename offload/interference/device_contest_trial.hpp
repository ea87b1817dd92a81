// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A contest on a GPU as what is measured.
#pragma once

#include <vector>

#include "offload/interference/device_contest_metrics.hpp"

namespace assay::offload {

class DeviceContestTrial {
 public:
  /// Throws core::Error.
  DeviceContestTrial(const DeviceContestSettings& settings, cuda::GatedSite& site)
      : settings_(settings), contest_(settings, site) {}

  core::Timing enqueue(std::int64_t iterations);
  core::Verification check() { return contest_.verify(); }
  void sampling_begins();
  std::vector<core::Metric> metrics(const core::Measurement& measurement);
  std::vector<core::Fact> facts() { return contest_.facts(); }

 private:
  DeviceContestSettings settings_;
  DeviceContest contest_;
  std::vector<DeviceContestTimes> times_;
};

}  // namespace assay::offload

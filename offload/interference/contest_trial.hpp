// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A contest as what is measured: what the aggressor costs the victim, and how much of it spinning alone
// would.
#pragma once

#include <vector>

#include "harness/host/host_site.hpp"
#include "offload/interference/contest.hpp"

namespace assay::offload {

class ContestTrial {
 public:
  explicit ContestTrial(const ContestSettings& settings) : settings_(settings), contest_(settings) {}

  core::Timing enqueue(std::int64_t iterations);
  core::Verification check() { return contest_.verify(); }
  void sampling_begins() { times_.clear(); }
  std::vector<core::Metric> metrics(const core::Measurement& measurement);
  std::vector<core::Fact> facts();

 private:
  ContestSettings settings_;
  Contest contest_;
  std::vector<ContestTimes> times_;
};

}  // namespace assay::offload

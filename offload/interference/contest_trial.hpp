// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A contest as what is measured: what the aggressor costs the victim, and how much of it spinning alone
// would.
#pragma once

#include <vector>

#include "harness/host/host_counters.hpp"
#include "offload/interference/contest.hpp"

namespace assay::offload {

class ContestTrial final : public core::Trial {
 public:
  explicit ContestTrial(const ContestSettings& settings) : settings_(settings), contest_(settings) {}

  core::Timing do_run(std::int64_t iterations) override;
  core::Verification do_verify() override { return contest_.verify(); }
  void do_sampling_begins() override;
  void do_sampling_ends() override { counters_.end(); }
  std::vector<core::Metric> do_metrics(const core::Measurement& measurement) override;
  std::vector<core::Fact> do_facts() override;

 private:
  ContestSettings settings_;
  Contest contest_;
  host::HostCounters counters_;
  std::vector<ContestTimes> times_;
};

}  // namespace assay::offload

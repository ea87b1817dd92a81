// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Computing and exchanges of one point at one rank: passes that are timed, and the slowest rank of each.
#pragma once

#include <memory>
#include <vector>

#include "collectives/overlap/timed_pass.hpp"
#include "collectives/problem.hpp"
#include "harness/team/team.hpp"

namespace assay::collectives {

class OverlapTrial {
 public:
  struct Setup {
    PassPlan plan = {};
    std::vector<Problem> problems = {};  // by exchange of the plan
    std::unique_ptr<TimedPass> pass = {};
  };
  OverlapTrial(team::Team& team, Setup setup);

  core::Timing enqueue(std::int64_t iterations);
  core::Verification check();
  void sampling_begins();
  std::vector<core::Metric> metrics(const core::Measurement& measurement);
  std::vector<core::Fact> facts() const;

 private:
  team::Team& team_;
  Setup setup_;
  std::vector<PassTimes> times_;  // since sampling began
};

}  // namespace assay::collectives

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A training step at one rank: its collectives one at a time, on host memory or on a GPU's, and compute at
// the same time as a timer that takes no core. A step begins with a barrier, outside of the time.
#pragma once

#include <vector>

#include "collectives/measure/group_part.hpp"
#include "collectives/measure/steps/step_setup.hpp"
#include "harness/core/measure/benchmark.hpp"

namespace assay::collectives {

/// Times of one step at one rank.
struct StepTimes {
  double whole_s = 0;
  double communication_s = 0;  // within collectives
};

core::Verification verified(std::vector<GroupPart>& parts);

class StepTrial {
 public:
  StepTrial(team::Team& team, StepSetup setup);

  core::Timing enqueue(std::int64_t iterations);
  core::Verification check();
  void sampling_begins();
  std::vector<core::Metric> metrics(const core::Measurement& measurement);
  std::vector<core::Fact> facts();

 private:
  StepTimes run_step();

  team::Team& team_;
  StepSetup setup_;
  Executor barrier_;
  std::vector<GroupPart> parts_;
  std::vector<StepTimes> times_;  // since sampling began
};

}  // namespace assay::collectives

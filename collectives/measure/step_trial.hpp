// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A training step at one rank: its collectives over the module's transport, one at a time, and compute at the
// same time as a timer that takes no core. A step begins with a barrier, outside of the time.
#pragma once

#include <string>
#include <vector>

#include "collectives/measure/connected_ranks.hpp"
#include "collectives/measure/group_part.hpp"
#include "collectives/measure/step_plan.hpp"
#include "harness/core/benchmark.hpp"

namespace assay::collectives {

/// Of one step at one rank.
struct StepTimes {
  double whole_s = 0;
  double communication_s = 0;  // within collectives
};

/// A rank's part, by the first algorithm that may run it: a ring where there is one.
GroupPart::Made made_part(const StepPart& part, const Content& content, Transport& all_ranks);
core::Verification verified(std::vector<GroupPart>& parts);

class StepTrial {
 public:
  StepTrial(team::Team& team, const Content& content, StepPlan plan, std::string name,
            ConnectedRanks connected);

  core::Timing enqueue(std::int64_t iterations);
  core::Verification check();
  void sampling_begins();
  std::vector<core::Metric> metrics(const core::Measurement& measurement);
  std::vector<core::Fact> facts();

 private:
  StepTimes run_step();

  team::Team& team_;
  Content content_;
  StepPlan plan_;
  std::string name_;
  ConnectedRanks connected_;
  Executor barrier_;
  std::vector<GroupPart> parts_;
  std::vector<StepTimes> times_;  // since sampling began
};

}  // namespace assay::collectives

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The setup that runs a training step at one rank: assay's algorithms on host memory, or NCCL on a GPU.
#pragma once

#include <string>
#include <vector>

#include "collectives/measure/connected_ranks.hpp"
#include "collectives/measure/group_part.hpp"
#include "collectives/measure/steps/step_plan.hpp"
#include "collectives/nccl/nccl_back_end.hpp"

namespace assay::collectives {

struct StepSetup {
  std::string name = {};
  StepPlan plan = {};
  Content content = {};
  ConnectedRanks connected = {};            // for barriers; notes what runs
  std::vector<GroupPart::Made> parts = {};  // of the plan, in its order
  std::vector<core::Fact> conditions = {};
  std::string time_counts = {};
};

struct WantedStep {
  const training::TrainingStep& step;
  std::vector<int> node_of = {};  // by rank, empty: all on one
  Content content = {};
};

/// A rank's part, by the first algorithm that may run it: a ring where there is one.
GroupPart::Made made_part(const StepPart& part, const Content& content, Transport& all_ranks);

StepSetup host_step(const WantedStep& wanted, ConnectedRanks connected);

/// Every rank calls it at the same time. Throws core::Error (nccl, cuda).
StepSetup nccl_step(const WantedStep& wanted, ConnectedRanks connected, NcclWorld& world);

}  // namespace assay::collectives

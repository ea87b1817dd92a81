// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Costs of checkpoints that a run of the offload module measured, for a state of another size.
#pragma once

#include <string>

#include "model/reliability/job.hpp"
#include "results/points/run_points.hpp"

namespace assay::answers {

struct CheckpointCosts {
  double lost_s = 0;   // that the work loses to a checkpoint: its stall, and what steps take longer meanwhile
  double write_s = 0;  // until it is durable
  double restore_s = 0;                  // 0: not measured
  std::string source;                    // of which run and point
  std::vector<std::string> doubts = {};  // about them, one line each
};

/// Costs of the `offload.*.checkpoint` with the most bytes, scaled in proportion to `state_bytes`. Throws a
/// usage Error where the run has no checkpoint, and where `state_bytes` is 0.
CheckpointCosts checkpoint_costs(const results::RunPoints& run, double state_bytes);

/// Puts the costs into `request`, with the restore added to the recovery.
void take_checkpoint(const CheckpointCosts& costs, model::reliability::JobRequest& request);

}  // namespace assay::answers

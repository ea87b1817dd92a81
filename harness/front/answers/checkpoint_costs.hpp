// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What a run of the offload module measured of checkpoints, for a state of another size.
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

/// Of the `offload.*.checkpoint` with the most bytes, in proportion to `state_bytes`. Throws a usage Error
/// where the run has none, and where that is 0.
CheckpointCosts checkpoint_costs(const results::RunPoints& run, double state_bytes);

/// The restore is added to the recovery.
void take_checkpoint(const CheckpointCosts& costs, model::reliability::JobRequest& request);

}  // namespace assay::answers

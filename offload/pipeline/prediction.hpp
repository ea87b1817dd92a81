// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Predicted time of a step of the pipeline, from the times of its parts alone and at the same time. Pure.
#pragma once

#include "offload/pipeline/schedule.hpp"

namespace assay::offload {

/// Seconds of one block, nothing else running.
struct BlockTimes {
  double compute_s = 0, fetch_s = 0, write_s = 0;
};

/// How much longer each takes while the other runs; 1: no interference.
struct Slowdowns {
  double compute = 1, copy = 1;
  /// The share of its own pace that a direction keeps while the other one runs: 1: independent (capped well
  /// below what one thread copies), 0.5: the two take turns.
  double direction_share = 1;
};

/// `direction_share` from the seconds of each direction alone and of both, started at once.
double direction_share(double fetch_s, double write_s, double both_s);

/// Plays the schedule: each of compute, fetch and write runs at the pace that the others leave it.
double predicted_step_s(const PipelineShape& shape, const BlockTimes& times, const Slowdowns& slowdowns);

}  // namespace assay::offload

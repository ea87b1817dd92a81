// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The parts of evaluate(), each in a file of its own.
#pragma once

#include "model/predict/schedule.hpp"
#include "model/predict/step.hpp"

namespace assay::model {

/// What each part reads.
struct StepInputs {
  const Execution& execution;
  const System& system;
  const BlockCost& block;
  const Schedule& schedule;

  /// Elements of embedding and head on the first stage, whose tied matrix is one where it is also the last.
  double first_stage_end_weights() const {
    const bool both = execution.pipeline_par == 1 && !block.tied_embedding;
    return block.embedding.weights + (both ? block.head.weights : 0);
  }
};

void fill_memory(const StepInputs& in, StepMemory& memory);
Verdict fits_memory(const System& system, const StepMemory& memory);

/// Seconds of one block on its way forward and backward, with what offloading adds.
struct BlockTime {
  double base_s = 0, edge_s = 0;
  double chunk_s(double base_blocks) const { return base_blocks * base_s + edge_s; }
};
struct BlockTimes {
  BlockTime forward, backward;
  BlockTime forward_offload, backward_offload;  // the part that offloading added
  double forward_pipeline_s = 0, backward_pipeline_s = 0;
};
/// What the shorter of both blocks leaves without its own memory. What remains by rounding is nothing.
double free_s(const BlockTime& time, double memory_s);

/// Also fills the offload bandwidths of `step.required`.
BlockTimes block_times(const StepInputs& in, Step& step);

/// What embedding and head add to the step's time.
double ends_s(const StepInputs& in, const BlockTimes& times);

/// Fills data_* of `step.time` and `step.required`.
void fill_data_parallel(const StepInputs& in, const BlockTimes& times, Step& step);
/// The same of the blocks, whose weights are in shards; `step.data_bytes` is there.
void fill_parameter_sharding(const StepInputs& in, const BlockTimes& times, Step& step);

}  // namespace assay::model

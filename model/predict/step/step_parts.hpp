// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The parts of evaluate(), each in a file of its own.
#pragma once

#include <algorithm>

#include "model/predict/step/schedule.hpp"
#include "model/predict/step/step.hpp"

namespace assay::model {

/// Inputs that each part reads.
struct StepInputs {
  const Execution& execution;
  const System& system;
  const BlockCost& block;
  const Schedule& schedule;

  /// Bytes handed to the next stage and the one before, a chunk and microbatch.
  double forward_pipeline_bytes() const { return execution.pipeline_par > 1 ? block.boundary_bytes : 0; }
  double backward_pipeline_bytes() const { return execution.training ? forward_pipeline_bytes() : 0; }

  std::size_t data_tier() const { return execution.copies_net(); }
  /// Exposed all-to-alls of a block. Forward and backward passes of two microbatches hide each other's under
  /// DualPipe.
  DispatchCost dispatch() const;

  /// Elements of embedding and head on the first stage, whose tied matrix is one where it is also the last.
  double first_stage_end_weights() const {
    const bool both = execution.pipeline_par == 1 && !block.tied_embedding;
    return block.embedding.weights + (both ? block.head.weights : 0);
  }
};

class GradientExchange;

void fill_memory(const StepInputs& in, StepMemory& memory);

/// Seconds of one block on its way forward and backward, with what offloading adds.
struct BlockTime {
  double base_s = 0, edge_s = 0;
  double chunk_s(double base_blocks) const { return base_blocks * base_s + edge_s; }
};
struct BlockTimes {
  BlockTime forward, backward;
  BlockTime forward_offload, backward_offload;  // the part that offloading added
  double forward_pipeline_s = 0, backward_pipeline_s = 0;
  double weights_s = 0;  // of a block's backward pass, the part that nothing waits for
};
/// Seconds that the shorter of both blocks leaves without its own memory. What remains by rounding is
/// nothing.
double free_s(const BlockTime& time, double memory_s);

/// The times of blocks where nothing is offloaded.
BlockTimes block_times_in_place(const StepInputs& in);
/// Also fills the offload bandwidths of `step.required`.
BlockTimes block_times(const StepInputs& in, Step& step);

/// Fills the parts of `time` that no sharding, overlap or offload around the blocks changes.
void fill_fixed_parts(const StepInputs& in, const BlockTimes& times, StepTime& time);
/// Seconds for the weights of all blocks, each of which takes `optimizer`, and of embedding and head.
double optimizer_s(const StepInputs& in, const Pass& optimizer);
double bubble_s(const StepInputs& in, const BlockTimes& times);
double sum_of_parts_s(const StepTime& time);
/// Fills all of `step.time`; `step.optimizer` is there.
void fill_time(const StepInputs& in, const BlockTimes& times, Step& step);

/// Seconds that embedding and head add to the step's time.
double ends_s(const StepInputs& in, const BlockTimes& times);

/// A measured overlap beyond that bounds nothing.
inline bool is_share(double value) { return value >= 0 && value <= 1; }

/// Not above data_exposed_s of this sharding, with or without overlap, without parameter_sharding; -infinity
/// where the network's times or shares are of no sort that bounds it.
double least_data_exposed_s(const StepInputs& in);
/// A bound for weights in shards, with overlap or without.
double least_sharded_exposed_s(const StepInputs& in);
/// Fills data_* of `step.time` and `step.required`.
void fill_data_parallel(const StepInputs& in, const BlockTimes& times, Step& step);
/// Fills them for blocks whose weights are in shards; `step.data_bytes` is there.
void fill_parameter_sharding(const StepInputs& in, const BlockTimes& times, const GradientExchange& exchange,
                             Step& step);

}  // namespace assay::model

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "model/predict/step/laid_out_memory.hpp"

namespace assay::model {
namespace {

/// Master weights, moments and gradients. The gradient of the block in flight is fp32 and whole.
void fill_optimizer(const StepInputs& in, StepMemory& memory) {
  if (!in.execution.training) return;
  const BlockCost& block = in.block;
  const double shards = static_cast<double>(in.execution.optimizer_shards());
  const double state_bytes = bytes_of(in.execution.datatype) < 4 ? 12 : 8;
  memory.block_optimizer = state_bytes * block.weights / shards;
  const double gradient = in.execution.gradient_share();
  const double gradient_shards = in.execution.shares_gradients() ? shards : 1;
  memory.block_weight_gradient =
      (block.weight_bytes - block.expert_weight_bytes) * gradient / gradient_shards;
  memory.block_weight_gradient_whole =
      (in.execution.gradient_datatype ? bytes_of(*in.execution.gradient_datatype) : 4) *
      (block.weights + block.expert_weights);
  if (block.expert_weights > 0) {
    const double expert_shards = static_cast<double>(in.execution.expert_optimizer_shards());
    memory.block_optimizer += state_bytes * block.expert_weights / expert_shards;
    memory.block_weight_gradient +=
        block.expert_weight_bytes * gradient / (in.execution.shares_gradients() ? expert_shards : 1);
  }
  memory.optimizer = memory.block_optimizer * in.schedule.blocks;
  memory.weight_gradient =
      memory.block_weight_gradient_whole + memory.block_weight_gradient * (in.schedule.blocks - 1);
  memory.optimizer_resident = 2 * memory.block_optimizer;
  memory.weight_gradient_resident = memory.block_weight_gradient_whole + memory.block_weight_gradient;
}

/// One of a chunk's blocks is an edge block.
double mean_of_chunk(const Schedule& schedule, double base, double edge) {
  return base == edge ? base : base + (edge - base) / schedule.chunk_blocks();
}

void fill_activations(const StepInputs& in, double in_flight, StepMemory& memory) {
  const BlockCost& block = in.block;
  memory.activation = block.working_bytes;
  memory.activation_resident = block.working_bytes + block.stored_bytes;
  memory.activation_gradient = block.gradient_bytes;
  if (!in.execution.training) return;
  const double kept_blocks = in.schedule.blocks * in_flight;
  memory.activation +=
      mean_of_chunk(in.schedule, block.stored_bytes, block.edge_stored_bytes) * (kept_blocks - 1);
  memory.checkpoint = mean_of_chunk(in.schedule, block.checkpoint_bytes, block.edge_checkpoint_bytes) *
                      in.schedule.blocks * in_flight;
  memory.checkpoint_resident = 2 * block.checkpoint_bytes;
}

/// Embedding or head: weights and, in training, their gradients and state and what the loss keeps.
double ends_bytes(const Execution& execution, double weights, double kept_bytes) {
  if (weights == 0) return 0;
  const double width = bytes_of(execution.datatype);
  if (!execution.training) return weights * width;
  const double shards = static_cast<double>(execution.optimizer_shards());
  const double gradient_width = width * execution.gradient_share();
  const double gradient_shards = execution.shares_gradients() ? shards : 1;
  return weights * width + weights * gradient_width / gradient_shards +
         weights * (width < 4 ? 12 : 8) / shards + kept_bytes;
}

void add_activations(const StepInputs& in, StepMemory& memory) {
  if (!in.execution.activations_offload) {
    memory.tier1 += memory.activation + memory.checkpoint;
    return;
  }
  memory.tier1 += memory.activation_resident + memory.checkpoint_resident;
  memory.tier2 += in.execution.recompute == Recompute::full ? memory.checkpoint : memory.activation;
}

void add_optimizer(const StepInputs& in, StepMemory& memory) {
  if (!in.execution.optimizer_offload) {
    memory.tier1 += memory.optimizer + memory.weight_gradient;
    return;
  }
  memory.tier1 += memory.weight_gradient_resident;
  memory.tier1 += memory.optimizer_resident;
  memory.tier2 += memory.block_weight_gradient * in.schedule.blocks;
  memory.tier2 += memory.optimizer;
}

/// In Calculon's order, so that a size which rounds up there rounds up here.
void add_up(const StepInputs& in, StepMemory& memory) {
  memory.tier1 = in.execution.weight_offload ? memory.weight_resident : memory.weight;
  memory.tier2 = in.execution.weight_offload ? memory.weight : 0;
  add_activations(in, memory);
  add_optimizer(in, memory);
  memory.tier1 += memory.activation_gradient;
  memory.tier1 += memory.ends;
}

/// A processor of DualPipe holds a stage of either direction.
void add_second_stage(StepMemory& memory) {
  memory.weight *= 2;
  memory.optimizer *= 2;
  memory.weight_gradient *= 2;
}

bool has_another_last_stage(const StepInputs& in) {
  return in.execution.pipeline_par > 1 && in.block.head.weights > 0;
}

/// Fills the classes of the first stage, whatever is offloaded.
void fill_classes(const StepInputs& in, StepMemory& memory) {
  memory = {};
  memory.weight = in.block.weight_bytes * in.schedule.blocks;
  if (in.execution.parameter_sharding) {  // whole: the block in flight, and those that are gathered ahead
    const auto whole = static_cast<double>(1 + in.execution.sharding_prefetch);
    memory.weight = memory.weight / static_cast<double>(in.execution.shards()) +
                    in.block.weight_bytes * std::min(whole, in.schedule.blocks);
  }
  memory.weight_resident = 2 * in.block.weight_bytes;
  fill_optimizer(in, memory);
  if (in.schedule.kind == PipelineSchedule::dualpipe) add_second_stage(memory);
  fill_activations(in, in.schedule.in_flight(), memory);
  const bool alone = in.execution.pipeline_par == 1;
  memory.ends = ends_bytes(in.execution, in.first_stage_end_weights(), alone ? in.block.head.kept_bytes : 0);
}

/// Fewer microbatches are in flight on the last stage than on the first, and the head is there.
StepMemory last_stage_classes(const StepInputs& in, StepMemory memory) {
  fill_activations(in, in.schedule.in_flight_on_last(), memory);
  memory.ends = ends_bytes(in.execution, in.block.head.weights, in.block.head.kept_bytes);
  return memory;
}

}  // namespace

LaidOutMemory::LaidOutMemory(const StepInputs& in) : in_(in), has_another_last_(has_another_last_stage(in)) {
  fill_classes(in, first_);
  if (has_another_last_) last_ = last_stage_classes(in, first_);
}

const StepMemory& LaidOutMemory::with_offloads_of(const Execution& execution) {
  const StepInputs in{execution, in_.system, in_.block, in_.schedule};
  add_up(in, first_);
  if (!has_another_last_) return first_;
  add_up(in, last_);
  first_.last_stage_tier1 = last_.tier1;
  return first_;
}

void fill_memory(const StepInputs& in, StepMemory& memory) {
  fill_classes(in, memory);
  add_up(in, memory);
  if (!has_another_last_stage(in)) return;
  StepMemory last = last_stage_classes(in, memory);
  add_up(in, last);
  memory.last_stage_tier1 = last.tier1;
}

Verdict fits_memory(const System& system, const StepMemory& memory) {
  const double tier1 = memory.fullest_tier1();
  if (tier1 > system.mem1.capacity_bytes)
    return {.obstacle = Obstacle::mem1_too_small,
            .needed_bytes = tier1,
            .available_bytes = system.mem1.capacity_bytes};
  if (memory.tier2 > system.mem2.capacity_bytes)
    return {.obstacle = Obstacle::mem2_too_small,
            .needed_bytes = memory.tier2,
            .available_bytes = system.mem2.capacity_bytes};
  return {};
}

}  // namespace assay::model

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/step_parts.hpp"

namespace assay::model {
namespace {

/// Master weights, moments and gradients. The gradient of the block in flight is fp32 and whole.
void fill_optimizer(const StepInputs& in, StepMemory& memory) {
  if (!in.execution.training) return;
  const double shards = static_cast<double>(in.execution.optimizer_shards());
  memory.block_optimizer = (bytes_of(in.execution.datatype) < 4 ? 12 : 8) * in.block.weights / shards;
  memory.block_weight_gradient = in.block.weight_bytes / shards;
  memory.block_weight_gradient_whole = 4 * in.block.weights;
  memory.optimizer = memory.block_optimizer * in.schedule.blocks;
  memory.weight_gradient =
      memory.block_weight_gradient_whole + memory.block_weight_gradient * (in.schedule.blocks - 1);
  memory.optimizer_resident = 2 * memory.block_optimizer;
  memory.weight_gradient_resident = memory.block_weight_gradient_whole + memory.block_weight_gradient;
}

void fill_activations(const StepInputs& in, StepMemory& memory) {
  const BlockCost& block = in.block;
  memory.activation = block.working_bytes;
  memory.activation_resident = block.working_bytes + block.stored_bytes;
  memory.activation_gradient = block.gradient_bytes;
  if (!in.execution.training) return;
  const double kept_blocks = in.schedule.blocks * in.schedule.in_flight();
  memory.activation += block.stored_bytes * (kept_blocks - 1);
  memory.checkpoint = block.checkpoint_bytes * kept_blocks;
  memory.checkpoint_resident = 2 * block.checkpoint_bytes;
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
  memory.tier1 += memory.optimizer_resident + memory.weight_gradient_resident;
  memory.tier2 += memory.optimizer + memory.block_weight_gradient * in.schedule.blocks;
}

}  // namespace

void fill_memory(const StepInputs& in, StepMemory& memory) {
  memory = {};
  memory.weight = in.block.weight_bytes * in.schedule.blocks;
  memory.weight_resident = 2 * in.block.weight_bytes;
  fill_optimizer(in, memory);
  fill_activations(in, memory);
  memory.tier1 = memory.activation_gradient;
  memory.tier1 += in.execution.weight_offload ? memory.weight_resident : memory.weight;
  if (in.execution.weight_offload) memory.tier2 += memory.weight;
  add_activations(in, memory);
  add_optimizer(in, memory);
}

Verdict fits_memory(const System& system, const StepMemory& memory) {
  if (memory.tier1 > system.mem1.capacity_bytes)
    return {.obstacle = Obstacle::mem1_too_small,
            .needed_bytes = memory.tier1,
            .available_bytes = system.mem1.capacity_bytes};
  if (memory.tier2 > system.mem2.capacity_bytes)
    return {.obstacle = Obstacle::mem2_too_small,
            .needed_bytes = memory.tier2,
            .available_bytes = system.mem2.capacity_bytes};
  return {};
}

}  // namespace assay::model

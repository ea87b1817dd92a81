// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Time of blocks on their way through a processor, and what offloading adds: a transfer hides only behind
// time in which the processor does not use its own memory, one direction at a time.
#include <algorithm>
#include <limits>

#include "model/predict/step/step_parts.hpp"

namespace assay::model {
namespace {

/// Bytes of one block that move, where the class is offloaded.
struct Moved {
  double weight, activation, optimizer;
  bool training;

  Moved(const StepInputs& in, const StepMemory& memory)
      : weight(in.execution.weight_offload ? in.block.weight_bytes : 0),
        activation(in.execution.activations_offload ? kept(in.block) : 0),
        optimizer(in.execution.optimizer_offload ? memory.block_optimizer : 0),
        training(in.execution.training) {}

  static double kept(const BlockCost& block) {
    return block.checkpoint_bytes > 0 ? block.checkpoint_bytes : block.stored_bytes;
  }
  double forward() const { return std::max(weight, activation); }
  double backward() const { return training ? weight + activation + optimizer : 0; }
};

/// Adds to `time` what of a transfer does not hide behind it.
BlockTime offload_exposed(const Staircase& mem2, double moved_bytes, double memory_s, BlockTime& time) {
  if (moved_bytes == 0) return {};
  const double transfer_s = mem2.seconds(moved_bytes);
  const BlockTime exposed{.base_s = std::max(0.0, transfer_s + memory_s - time.base_s),
                          .edge_s = std::max(0.0, transfer_s + memory_s - time.edge_s)};
  time.base_s += exposed.base_s;
  time.edge_s += exposed.edge_s;
  return exposed;
}

/// Infinite where something has to move and nothing is free.
double offload_rate(double bytes, double window_s) {
  if (bytes == 0) return 0;
  return window_s > 0 ? bytes / window_s : std::numeric_limits<double>::infinity();
}

void require(const StepInputs& in, const StepMemory& memory, const BlockTimes& times,
             double backward_memory_s, RequiredBandwidth& required) {
  const Moved moved(in, memory);
  const double forward_s = free_s(times.forward, in.block.forward.memory_s);
  const double backward_s = free_s(times.backward, backward_memory_s);
  required.activation_offload = offload_rate(Moved::kept(in.block), forward_s);
  required.weight_offload = offload_rate(in.block.weight_bytes, forward_s);
  required.offload = offload_rate(moved.forward(), forward_s);
  required.optimizer_offload = 0;
  if (!in.execution.training) return;
  required.optimizer_offload =
      offload_rate(memory.block_optimizer + memory.block_weight_gradient, backward_s);
  required.offload = std::max(required.offload, offload_rate(moved.backward(), backward_s));
}

}  // namespace

double free_s(const BlockTime& time, double memory_s) {
  const double shorter_s = std::min(time.base_s, time.edge_s);
  const double left_s = shorter_s - memory_s;
  return left_s > 1e-12 * shorter_s ? left_s : 0;
}

BlockTimes block_times_in_place(const StepInputs& in) {
  const BlockCost& block = in.block;
  const Network& network = in.system.networks[in.execution.pipeline_par_net];
  BlockTimes times;
  const double forward_bytes = in.forward_pipeline_bytes();
  const double backward_bytes = in.backward_pipeline_bytes();
  const bool absent = in.system.fixes.absent_messages;  // Calculon pays for messages of 0 bytes
  if (!absent || forward_bytes > 0)
    times.forward_pipeline_s = network.seconds(Collective::p2p, forward_bytes, 1);
  if (!absent || backward_bytes > 0)
    times.backward_pipeline_s = network.seconds(Collective::p2p, backward_bytes, 1);
  const DispatchCost dispatch = in.dispatch();
  times.weights_s = block.wgrad.seconds;
  const double forward_s = block.forward.seconds + dispatch.forward_s + block.context.forward_s;
  times.forward = {.base_s = forward_s + block.forward_exchange.base.exposed_s,
                   .edge_s = forward_s + block.forward.edge_extra_s + block.forward_exchange.edge.exposed_s +
                             times.forward_pipeline_s};
  const double backward_s = block.recompute.seconds + block.agrad.seconds + block.wgrad.seconds +
                            dispatch.backward_s + dispatch.repeated_s + block.context.backward_s +
                            block.context.repeated_s;
  const double backward_edge_s =
      backward_s + block.recompute.edge_extra_s + block.agrad.edge_extra_s + block.wgrad.edge_extra_s;
  times.backward = {
      .base_s = backward_s + block.repeated_exchange.base.exposed_s + block.backward_exchange.base.exposed_s,
      .edge_s = backward_edge_s + block.repeated_exchange.edge.exposed_s +
                block.backward_exchange.edge.exposed_s + times.backward_pipeline_s};
  return times;
}

BlockTimes block_times(const StepInputs& in, Step& step) {
  const BlockCost& block = in.block;
  step.forward_pipeline_bytes = in.forward_pipeline_bytes();
  step.backward_pipeline_bytes = in.backward_pipeline_bytes();
  BlockTimes times = block_times_in_place(in);
  const double backward_memory_s = block.agrad.memory_s + block.wgrad.memory_s;
  require(in, step.memory, times, backward_memory_s, step.required);
  const Moved moved(in, step.memory);
  const Staircase& mem2 = in.system.mem2.by_bytes;
  times.forward_offload = offload_exposed(mem2, moved.forward(), block.forward.memory_s, times.forward);
  times.backward_offload = offload_exposed(mem2, moved.backward(), backward_memory_s, times.backward);
  return times;
}

}  // namespace assay::model

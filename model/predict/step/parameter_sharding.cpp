// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Weights that are kept in shards (ZeRO-3, FSDP): each microbatch gathers a block's weights before its
// forward pass and again before its backward pass, and scatters its reduced gradients. The next block's
// gather and the last block's gradients hide behind a pass; the first gather of each and the last reduction
// do not. With copies of the shards (HSDP) these add up their gradients once a step.
#include <algorithm>
#include <limits>

#include "model/predict/step/gradient_exchange.hpp"

namespace assay::model {
namespace {

/// Time of a block that leaves memory and, on a tier shared with tensor parallelism, the network alone.
double free_for_shards_s(const StepInputs& in, const BlockTime& time, double memory_s, double tensor_link_s) {
  const bool shared = in.data_tier() == in.execution.tensor_par_net;
  return std::max(0.0, free_s(time, memory_s) - (shared ? tensor_link_s : 0));
}

double needed_rate(double bytes, double window_s) { return window_s > 0 ? bytes / window_s : 0; }

}  // namespace

// One block's: the first gathers of each microbatch, its last reduction, and the sum over copies.
double least_sharded_exposed_s(const StepInputs& in) {
  const Network& network = in.system.networks[in.data_tier()];
  const GradientExchange exchange(in);
  const double bytes = in.block.weight_bytes - in.block.expert_weight_bytes;
  const double gather_s = exchange.gather_s(bytes), reduce_s = exchange.reduce_s(bytes);
  const double copies_s = exchange.copies_s(bytes);
  const bool bounded = gather_s >= 0 && reduce_s >= 0 && copies_s >= 0 && network.processor_usage >= 0 &&
                       is_share(network.gather_overlap.value_or(0)) &&
                       is_share(network.gradient_overlap.value_or(0));
  if (!bounded) return -std::numeric_limits<double>::infinity();
  return in.schedule.microbatches * (2 * gather_s + reduce_s) + copies_s;
}

void fill_parameter_sharding(const StepInputs& in, const BlockTimes& times, const GradientExchange& exchange,
                             Step& step) {
  const Network& network = in.system.networks[in.data_tier()];
  const BlockCost& block = in.block;
  const double gather_s = exchange.gather_s(step.data_bytes);
  const double reduce_s = exchange.reduce_s(step.data_bytes);
  const double copies_s = exchange.copies_s(step.data_bytes);  // once a step
  const double later = in.schedule.blocks - 1;
  step.time.data_link_s = in.schedule.microbatches * in.schedule.blocks * (2 * gather_s + reduce_s) +
                          in.schedule.blocks * copies_s;
  step.time.data_exposed_s = step.time.data_link_s;
  if (!in.execution.data_par_overlap) return;
  const double forward_s =
      free_for_shards_s(in, times.forward, block.forward.memory_s, block.forward_exchange.base.link_s);
  const double backward_s = free_for_shards_s(
      in, times.backward, block.agrad.memory_s + block.wgrad.memory_s + block.recompute.memory_s,
      block.backward_exchange.base.link_s + block.repeated_exchange.base.link_s);
  const double ahead = in.execution.sharding_prefetch > 0 ? later : 0;
  const double gathers_s = ahead * (std::min(gather_s, forward_s) + std::min(gather_s, backward_s));
  const double reductions_s = later * std::min(reduce_s, std::max(0.0, backward_s - gather_s));
  const double hidden_copies_s = later * std::min(copies_s, std::max(0.0, backward_s - gather_s - reduce_s));
  const double unmeasured = 1 - network.processor_usage;
  step.time.data_exposed_s -=
      in.schedule.microbatches * (network.gather_overlap.value_or(unmeasured) * gathers_s +
                                  network.gradient_overlap.value_or(unmeasured) * reductions_s) +
      network.gradient_overlap.value_or(unmeasured) * hidden_copies_s;
  const double gathered = network.operation(Collective::all_gather).scalar * step.data_bytes;
  const double reduced = network.operation(Collective::reduce_scatter).scalar * step.data_bytes;
  step.required.data_chunk =
      std::max(needed_rate(gathered, forward_s), needed_rate(gathered + reduced, backward_s));
}

}  // namespace assay::model

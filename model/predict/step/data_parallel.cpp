// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Exchange of gradients between data-parallel peers, alone or behind the backward pass of the chunks that
// follow.
#include <algorithm>
#include <cmath>
#include <limits>

#include "model/predict/step/gradient_exchange.hpp"

namespace assay::model {
namespace {

/// The compute that the exchange of a block's gradients can hide behind.
struct Window {
  double chunk_s;           // of one chunk's backward pass, without its memory time
  double block_compute_s;   // slowed while the network works
  double late_optimizer_s;  // of the last block, where every processor steps all weights
};

/// Backward time of a block that leaves memory and, on a tier shared with tensor parallelism or experts, the
/// network alone. Tokens of experts that stay here are copied in memory.
double free_for_gradients_s(const StepInputs& in, double backward_s, double optimizer_s,
                            const ExchangeCost& backward, const ExchangeCost& repeated) {
  const BlockCost& block = in.block;
  double free =
      backward_s - block.agrad.memory_s - block.wgrad.memory_s - block.recompute.memory_s + optimizer_s;
  if (in.data_tier() == in.execution.tensor_par_net) free -= backward.link_s + repeated.link_s;
  if (in.execution.expert_par == 1 || in.data_tier() == in.execution.expert_par_net)
    free -= block.dispatch.backward_s + block.dispatch.repeated_s;
  if (in.data_tier() == in.execution.context_par_net)
    free -= block.context.backward_s + block.context.repeated_s;
  return free;
}

Window window(const StepInputs& in, const BlockTimes& times, const Pass& optimizer) {
  const BlockCost& block = in.block;
  const bool whole = !in.execution.optimizer_sharding;
  const double optimizer_s = whole ? optimizer.seconds - optimizer.memory_s : 0;
  const double base = free_for_gradients_s(in, times.backward.base_s, optimizer_s,
                                           block.backward_exchange.base, block.repeated_exchange.base);
  const double edge = free_for_gradients_s(in, times.backward.edge_s, optimizer_s,
                                           block.backward_exchange.edge, block.repeated_exchange.edge);
  return {.chunk_s = in.schedule.base_blocks * base + edge,
          .block_compute_s = block.agrad.flop_s + block.wgrad.flop_s + block.recompute.flop_s +
                             (whole ? optimizer.flop_s : 0),
          .late_optimizer_s = optimizer_s};
}

/// The exposed part of an exchange of `exchange_s` behind a window, in which the network uses `usage` of the
/// processor. Calculon's `over` charges all compute of the window for that, forgets the part that hides as
/// soon as something does not, and can expose more than there is.
double exposed_s(const StepInputs& in, double over, double exchange_s, double window_s, double usage) {
  if (in.system.fixes.hidden_gradients)
    return exchange_s - (1 - usage) * std::clamp(window_s, 0.0, exchange_s);
  return over > 0 ? over : exchange_s * usage;
}

/// Backward passes of a chunk before that of the next one. Calculon counts microbatches that are not there.
double passes_of_a_chunk(const StepInputs& in) {
  const Schedule& schedule = in.schedule;
  return in.system.fixes.hidden_gradients ? std::min(schedule.stages, schedule.microbatches)
                                          : schedule.stages;
}

/// All chunks but the last hide behind the backward pass of the next chunk on every stage.
double first_chunks_exposed_s(const StepInputs& in, const BlockTimes& times, const Window& open,
                              double block_s, double usage) {
  const Schedule& schedule = in.schedule;
  const double exchange_s = schedule.chunk_blocks() * block_s;
  double crossings = 0;  // pipeline messages that meet the exchange on a tier they share
  if (in.execution.pipeline_par_net == in.data_tier())
    crossings = std::min(std::floor(exchange_s / times.backward.chunk_s(schedule.base_blocks)),
                         schedule.last_round());
  const double passes = passes_of_a_chunk(in);
  const double compute_s = schedule.chunk_blocks() * open.block_compute_s;
  const double window_s = passes * open.chunk_s - crossings * times.backward_pipeline_s;
  const double over = exchange_s - window_s + passes * compute_s * usage;
  return (schedule.chunks - 1) * exposed_s(in, over, exchange_s, window_s, usage);
}

/// The time that the last chunk leaves to hide behind.
double tail_s(const StepInputs& in, const BlockTimes& times, const Window& open) {
  if (in.schedule.base_blocks == 0) return 0;
  return open.chunk_s - times.backward_pipeline_s - (times.backward.base_s + times.backward.edge_s) / 2 +
         open.late_optimizer_s;
}

double rate(double bytes, double seconds) { return seconds > 0 ? bytes / seconds : 0; }

void require(const StepInputs& in, const BlockTimes& times, const Window& open, double block_s, double usage,
             Step& step) {
  const Network& network = in.system.networks[in.data_tier()];
  const double scalar = in.execution.optimizer_sharding
                            ? network.operation(Collective::reduce_scatter).scalar +
                                  network.operation(Collective::all_gather).scalar
                            : network.operation(Collective::all_reduce).scalar;
  const Schedule& schedule = in.schedule;
  const double bytes = scalar * schedule.chunk_blocks() * step.data_bytes;
  const double compute_s = schedule.chunk_blocks() * open.block_compute_s;
  const bool shared = in.data_tier() == in.execution.pipeline_par_net;
  const double message_s = shared ? times.backward_pipeline_s : 0;
  const double chunks_s =
      (schedule.chunks - 1) * (schedule.stages * (open.chunk_s + compute_s * usage) - message_s);
  step.required.data_chunk = rate(bytes, chunks_s);
  if (schedule.base_blocks > 0)
    step.required.data_tail = rate(bytes, tail_s(in, times, open) + schedule.base_blocks * block_s * usage);
}

/// All but the last block's exchange has something to hide behind.
void overlap(const StepInputs& in, const BlockTimes& times, double block_s, Step& step) {
  const Network& network = in.system.networks[in.data_tier()];
  const double usage = network.gradient_overlap ? 0 : network.processor_usage;
  const Window open = window(in, times, step.optimizer);
  const double later_s = in.schedule.base_blocks * block_s;
  const double window_s = tail_s(in, times, open);
  const double over = later_s + open.block_compute_s * usage - window_s;
  step.time.data_exposed_s = block_s + first_chunks_exposed_s(in, times, open, block_s, usage) +
                             exposed_s(in, over, later_s, window_s, usage);
  if (network.gradient_overlap) {
    const double could_hide_s = std::max(0.0, step.time.data_link_s - step.time.data_exposed_s);
    step.time.data_exposed_s = step.time.data_link_s - *network.gradient_overlap * could_hide_s;
  }
  require(in, times, open, block_s, usage, step);
}

/// Gradients of experts are exchanged only between the processors that hold the same ones.
double block_exchange_s(const StepInputs& in, const GradientExchange& exchange) {
  const BlockCost& block = in.block;
  const double all_s = exchange.seconds(block.weight_bytes - block.expert_weight_bytes);
  if (block.expert_weight_bytes == 0 || in.execution.expert_copies() == 1) return all_s;
  return all_s + exchange.expert_seconds(block.expert_weight_bytes);
}

/// The embedding's gradient is the last of the step, with nothing left to hide behind; so is, with one
/// stage, a head's of its own where nothing hides.
void add_ends(const StepInputs& in, const GradientExchange& exchange, StepTime& time) {
  const double weights = in.first_stage_end_weights();
  if (weights == 0) return;
  const double width = bytes_of(in.execution.datatype);
  const double all_s = exchange.seconds(weights * width);
  time.data_link_s += all_s;
  time.data_exposed_s +=
      in.execution.data_par_overlap ? exchange.seconds(in.block.embedding.weights * width) : all_s;
}

}  // namespace

// Whole, every block's exchange shows; overlapped, one block's does and the rest is never below nothing, nor
// is a measured overlap's share of it.
double least_data_exposed_s(const StepInputs& in) {
  if (!in.execution.training || in.execution.copies() == 1) return 0;
  const Network& network = in.system.networks[in.data_tier()];
  const double width = bytes_of(in.execution.datatype);
  const GradientExchange exchange(in);
  const double block_s = block_exchange_s(in, exchange);
  const double end_weights = in.first_stage_end_weights();
  const double all_s = end_weights == 0 ? 0 : exchange.seconds(end_weights * width);
  const double first_s = end_weights == 0 ? 0 : exchange.seconds(in.block.embedding.weights * width);
  const bool bounded = block_s >= 0 && all_s >= 0 && first_s >= 0 && network.processor_usage >= 0 &&
                       is_share(network.gradient_overlap.value_or(0));
  if (!bounded) return -std::numeric_limits<double>::infinity();
  return block_s + std::min(all_s, first_s);
}

void fill_data_parallel(const StepInputs& in, const BlockTimes& times, Step& step) {
  step.data_bytes = 0;
  step.time.data_link_s = step.time.data_exposed_s = step.required.data_chunk = step.required.data_tail = 0;
  if (!in.execution.training || in.execution.copies() == 1) return;
  step.data_bytes = in.block.weight_bytes - in.block.expert_weight_bytes;
  const GradientExchange exchange(in);
  if (in.execution.parameter_sharding) {
    fill_parameter_sharding(in, times, exchange, step);
  } else {
    const double block_s = block_exchange_s(in, exchange);
    step.time.data_link_s = step.time.data_exposed_s = in.schedule.blocks * block_s;
    if (in.execution.data_par_overlap) overlap(in, times, block_s, step);
  }
  add_ends(in, exchange, step.time);
}

}  // namespace assay::model

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/step/pipeline.hpp"
#include "model/predict/step/step_parts.hpp"

namespace assay::model {

DispatchCost StepInputs::dispatch() const {
  DispatchCost dispatch = block.dispatch;
  if (schedule.kind != PipelineSchedule::dualpipe) return dispatch;
  const double used = system.networks[execution.expert_par_net].processor_usage;
  const auto exposed = [used](double link_s, double compute_s) {
    return std::max(link_s * used, link_s - compute_s);
  };
  dispatch.forward_s = exposed(dispatch.forward_s, block.agrad.seconds + block.wgrad.seconds);
  dispatch.backward_s = exposed(dispatch.backward_s, block.forward.seconds);
  return dispatch;
}

namespace {

void fill_tensor_parallel(const StepInputs& in, StepTime& time) {
  const Schedule& schedule = in.schedule;
  const BlockCost& block = in.block;
  const double chunks = schedule.microbatches * schedule.chunks;
  const double base = chunks * schedule.base_blocks;
  const ExchangePass& forward = block.forward_exchange;
  const ExchangePass& backward = block.backward_exchange;
  const ExchangePass& repeated = block.repeated_exchange;
  time.tensor_link_s = base * (forward.base.link_s + backward.base.link_s) +
                       chunks * (forward.edge.link_s + backward.edge.link_s);
  time.tensor_exposed_s = base * (forward.base.exposed_s + backward.base.exposed_s) +
                          chunks * (forward.edge.exposed_s + backward.edge.exposed_s);
  time.repeated_link_s = base * repeated.base.link_s + chunks * repeated.edge.link_s;
  time.repeated_exposed_s = base * repeated.base.exposed_s + chunks * repeated.edge.exposed_s;
}

}  // namespace

namespace {

/// Schedules without a closed form for all lengths of passes.
double simulated_bubble_s(const Schedule& schedule, const BlockTimes& times) {
  const double weights_s = schedule.chunk_blocks() * times.weights_s;
  return pipeline_bubble_s({.schedule = schedule.kind,
                            .stages = static_cast<int>(schedule.stages),
                            .microbatches = static_cast<int>(schedule.microbatches)},
                           {.forward_s = times.forward.chunk_s(schedule.base_blocks),
                            .backward_s = times.backward.chunk_s(schedule.base_blocks) - weights_s,
                            .weights_s = weights_s});
}

}  // namespace

// Warm-up and drain of the pipeline, the stalls where the stages do not divide the microbatches, less what
// stages with a block less save.
double bubble_s(const Schedule& schedule, const BlockTimes& times) {
  using enum PipelineSchedule;
  if (schedule.stages > 1 && (schedule.kind == zero_bubble || schedule.kind == dualpipe))
    return simulated_bubble_s(schedule, times);
  const double chunk_s =
      times.forward.chunk_s(schedule.base_blocks) + times.backward.chunk_s(schedule.base_blocks);
  const double stalls = (schedule.chunks - 1) * (schedule.stages - schedule.last_round());
  const double edge_s = times.forward.edge_s + times.backward.edge_s;
  const double base_s = times.forward.base_s + times.backward.base_s;
  const double saved_s = schedule.short_stages * (schedule.base_blocks > 0 ? (base_s + edge_s) / 2 : edge_s);
  return (schedule.stages - 1 + stalls) * chunk_s - saved_s;
}

double optimizer_s(const StepInputs& in, const Pass& optimizer) {
  double seconds = in.schedule.blocks * optimizer.seconds;
  if (const double ends = in.first_stage_end_weights(); ends > 0)
    seconds += optimizer_cost_of(ends, in.execution, in.system).seconds;
  return seconds;
}

double sum_of_parts_s(const StepTime& time) {
  return time.forward_s + time.backward_s + time.optimizer_s + time.forward_offload_s +
         time.backward_offload_s + time.recompute_s + time.repeated_exposed_s + time.bubble_s +
         time.tensor_exposed_s + time.pipeline_exposed_s + time.data_exposed_s + time.expert_exposed_s +
         time.ends_s + time.context_exposed_s;
}

void fill_fixed_parts(const StepInputs& in, const BlockTimes& times, StepTime& time) {
  const Schedule& schedule = in.schedule;
  const BlockCost& block = in.block;
  const double all = schedule.blocks * schedule.microbatches;
  const double chunks = schedule.microbatches * schedule.chunks;
  time.forward_s = all * block.forward.seconds + chunks * block.forward.edge_extra_s;
  time.backward_s = all * (block.agrad.seconds + block.wgrad.seconds) +
                    chunks * (block.agrad.edge_extra_s + block.wgrad.edge_extra_s);
  time.recompute_s = all * block.recompute.seconds + chunks * block.recompute.edge_extra_s;
  fill_tensor_parallel(in, time);
  const DispatchCost dispatch = in.dispatch();
  time.expert_exposed_s = all * (dispatch.forward_s + dispatch.backward_s + dispatch.repeated_s);
  time.context_exposed_s =
      all * (block.context.forward_s + block.context.backward_s + block.context.repeated_s);
  time.pipeline_link_s = 0;
  if (in.execution.pipeline_par > 1)
    time.pipeline_link_s =
        chunks * (times.forward_pipeline_s + (in.execution.training ? times.backward_pipeline_s : 0));
  time.pipeline_exposed_s = time.pipeline_link_s;
}

void fill_time(const StepInputs& in, const BlockTimes& times, Step& step) {
  const Schedule& schedule = in.schedule;
  StepTime& time = step.time;
  fill_fixed_parts(in, times, time);
  time.optimizer_s = optimizer_s(in, step.optimizer);
  time.bubble_s = bubble_s(schedule, times);
  const double chunks = schedule.microbatches * schedule.chunks;
  time.forward_offload_s = chunks * times.forward_offload.chunk_s(schedule.base_blocks);
  time.backward_offload_s = chunks * times.backward_offload.chunk_s(schedule.base_blocks);
  time.ends_s = ends_s(in, times);
  fill_data_parallel(in, times, step);
  time.total_s = sum_of_parts_s(time);
}

}  // namespace assay::model

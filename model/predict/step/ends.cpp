// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Embedding and head in the pipeline: the first stage and the last have more to do than the others.
#include <algorithm>

#include "model/predict/step/step_parts.hpp"

namespace assay::model {
namespace {

/// The two copies of a tied matrix add up their gradients once a step.
double tied_gradient_s(const StepInputs& in) {
  if (!in.block.tied_embedding || !in.execution.training || in.execution.pipeline_par == 1) return 0;
  const double bytes = in.block.embedding.weights * bytes_of(in.execution.datatype);
  return in.system.networks[in.execution.pipeline_par_net].seconds(Collective::all_reduce, bytes, 2);
}

}  // namespace

// Stages that take t_i a microbatch take sum(t_i) + (m - 1) max(t_i) for m microbatches; the step without
// embedding and head has the first stage's as the longest.
double ends_s(const StepInputs& in, const BlockTimes& times) {
  const double first_s = in.block.embedding.seconds;
  const double last_s = in.block.head.seconds;
  if (first_s + last_s == 0) return 0;
  const Schedule& schedule = in.schedule;
  if (schedule.stages == 1) return schedule.microbatches * (first_s + last_s);
  const double chunk_s =
      times.forward.chunk_s(schedule.base_blocks) + times.backward.chunk_s(schedule.base_blocks);
  const double block_s = chunk_s / schedule.chunk_blocks();
  const double fewer_s = schedule.short_stages > 0 ? block_s : 0;  // the last stage has a block less
  const double longest_s = std::max(first_s, last_s - fewer_s);
  return first_s + last_s + (schedule.microbatches - 1) * longest_s + tied_gradient_s(in);
}

}  // namespace assay::model

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/step/step_bound.hpp"

#include <algorithm>

#include "model/predict/step/step_parts.hpp"

namespace assay::model {
namespace {

/// Its optimizer and its exchange of gradients.
double least_update_s(const StepInputs& in) {
  const double exposed_s = least_data_exposed_s(in);
  return exposed_s + optimizer_s(in, optimizer_cost(in.block, in.execution, in.system));
}

}  // namespace

namespace {

/// Time around the blocks' update, of an execution without overlap and offloads.
double least_passes_s(const StepInputs& in) {
  const BlockTimes times = block_times_in_place(in);
  StepTime time;
  fill_fixed_parts(in, times, time);
  time.bubble_s = bubble_s(in.schedule, times);
  time.ends_s = ends_s(in, times);
  return sum_of_parts_s(time);
}

Execution plain_of(Execution execution) {
  execution.optimizer_sharding = execution.data_par_overlap = execution.parameter_sharding = false;
  execution.weight_offload = execution.activations_offload = execution.optimizer_offload = false;
  return execution;
}

constexpr double rounding = 1e-12;  // parts are added in another order

}  // namespace

// Offloading only adds to the blocks' times, and the bubble grows with these. Where the last stage has a
// block less, more of the head hides behind a longer one, m - 1 times; but that is less than what m chunks
// grow.
double least_step_s(const Execution& execution, const System& system, const BlockCost& block,
                    const Schedule& schedule) {
  Execution plain = plain_of(execution);
  const StepInputs in{plain, system, block, schedule};
  const double passes_s = least_passes_s(in);
  double update_s = least_update_s(in);
  if (plain.copies() > 1) {
    plain.optimizer_sharding = true;
    update_s = std::min(update_s, least_update_s(in));
  }
  return (passes_s + update_s) * (1 - rounding);
}

double least_sharded_step_s(const Execution& execution, const System& system, const BlockCost& block,
                            const Schedule& schedule) {
  Execution sharded = plain_of(execution);
  sharded.optimizer_sharding = sharded.parameter_sharding = true;
  const StepInputs in{sharded, system, block, schedule};
  return (least_passes_s(in) + least_sharded_exposed_s(in) +
          optimizer_s(in, optimizer_cost(block, sharded, system))) *
         (1 - rounding);
}

}  // namespace assay::model

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

// Offloading only adds to the blocks' times, and the bubble grows with these. Where the last stage has a
// block less, more of the head hides behind a longer one, m - 1 times; but that is less than what m chunks
// grow.
double least_step_s(const Execution& execution, const System& system, const BlockCost& block,
                    const Schedule& schedule) {
  Execution plain = execution;
  plain.optimizer_sharding = plain.data_par_overlap = false;
  plain.weight_offload = plain.activations_offload = plain.optimizer_offload = false;
  const StepInputs in{plain, system, block, schedule};
  const BlockTimes times = block_times_in_place(in);
  StepTime time;
  fill_fixed_parts(in, times, time);
  time.bubble_s = bubble_s(in, times);
  time.ends_s = ends_s(in, times);
  double update_s = least_update_s(in);
  if (plain.data_par > 1) {
    plain.optimizer_sharding = true;
    update_s = std::min(update_s, least_update_s(in));
  }
  constexpr double rounding = 1e-12;  // parts are added in another order
  return (sum_of_parts_s(time) + update_s) * (1 - rounding);
}

}  // namespace assay::model

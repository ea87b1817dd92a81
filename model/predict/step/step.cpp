// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/step/step.hpp"

#include "model/predict/step/step_parts.hpp"

namespace assay::model {

namespace {

/// FLOPs of the step on a processor. Calculon counts the blocks of the fullest one, and the optimizer's once
/// a microbatch; vector operations are useful to both.
double useful_step_flops(const StepInputs& in, const Step& step) {
  const Schedule& schedule = in.schedule;
  if (!in.system.fixes.useful_work) return schedule.blocks * schedule.microbatches * step.useful_flops;
  const double ends = in.block.embedding.flops + in.block.head.flops;
  return schedule.microbatches * (schedule.mean_blocks() * step.useful_flops + ends / schedule.stages) +
         schedule.mean_blocks() * step.optimizer.flops;
}

/// The denominator is the matrix engine's declared peak.
void fill_efficiency(const StepInputs& in, Step& step) {
  const BlockCost& block = in.block;
  step.useful_flops = block.forward.flops + block.agrad.flops + block.wgrad.flops;
  if (!in.system.fixes.useful_work) step.useful_flops += step.optimizer.flops;
  const double perfect_s =
      useful_step_flops(in, step) / in.system.matrix_engine(in.execution.product_type()).peak_flop_per_s;
  const double compute_s =
      step.time.forward_s + step.time.backward_s + step.time.optimizer_s + step.time.ends_s;
  step.compute_efficiency = perfect_s / compute_s;
  step.system_efficiency = compute_s / step.time.total_s;
  step.total_efficiency = perfect_s / step.time.total_s;
  step.sample_rate = static_cast<double>(in.execution.batch_size) / step.time.total_s;
}

}  // namespace

Verdict evaluate_laid_out(const Execution& execution, const System& system, const BlockCost& block,
                          const Schedule& schedule, Step& step) {
  const StepInputs in{execution, system, block, schedule};
  fill_memory(in, step.memory);
  const Verdict verdict = fits_memory(system, step.memory);
  if (!verdict.feasible()) return verdict;
  step.optimizer = optimizer_cost(block, execution, system);
  const BlockTimes times = block_times(in, step);
  fill_time(in, times, step);
  fill_efficiency(in, step);
  return verdict;
}

Verdict evaluate(const Application& application, const Execution& execution, const System& system,
                 const BlockCost& block, Step& step) {
  const Verdict verdict = fits_layout(application, execution, system);
  if (!verdict.feasible()) return verdict;
  return evaluate_laid_out(execution, system, block, Schedule(application, execution), step);
}

}  // namespace assay::model

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "harness/core/units.hpp"
#include "model/predict/answer/prediction.hpp"

namespace assay::model {
namespace {

constexpr double gibi = 1024.0 * 1024 * 1024;

std::string head(const Configuration& of) {
  const Execution& e = of.execution;
  return fmt::format(
      "{} processors: tensor {}{} x pipeline {} x data {}; batch {} in {} microbatches of {}, {}\n",
      e.num_procs, e.tensor_par, e.context_par == 1 ? "" : fmt::format(" x context {}", e.context_par),
      e.pipeline_par, e.data_par, e.batch_size, e.microbatches(), e.microbatch_size,
      core::counted(e.interleaving, "chunk"));
}

std::string time_row(const char* part, double seconds, double total_s) {
  if (seconds == 0) return "";
  return fmt::format("  {:<22} {:>12.6f} {:>7.2f} %\n", part, seconds, 100 * seconds / total_s);
}

std::string linked_row(const char* part, double exposed_s, double link_s, double total_s) {
  if (link_s == 0 && exposed_s == 0) return "";
  return fmt::format("  {:<22} {:>12.6f} {:>7.2f} % {:>12.6f}\n", part, exposed_s, 100 * exposed_s / total_s,
                     link_s);
}

std::string times(const StepTime& time) {
  const double total = time.total_s;
  std::string text =
      fmt::format("  {:<22} {:>12} {:>9} {:>12}\n", "time by part", "seconds", "share", "on the link");
  text += time_row("forward", time.forward_s, total);
  text += time_row("backward", time.backward_s, total);
  text += time_row("recompute", time.recompute_s, total);
  text += time_row("optimizer", time.optimizer_s, total);
  text += time_row("pipeline bubble", time.bubble_s, total);
  text += linked_row("tensor parallel", time.tensor_exposed_s, time.tensor_link_s, total);
  text += linked_row("tensor, recomputed", time.repeated_exposed_s, time.repeated_link_s, total);
  text += linked_row("pipeline parallel", time.pipeline_exposed_s, time.pipeline_link_s, total);
  text += linked_row("data parallel", time.data_exposed_s, time.data_link_s, total);
  text += time_row("expert parallel", time.expert_exposed_s, total);
  text += time_row("context parallel", time.context_exposed_s, total);
  text += time_row("embedding and head", time.ends_s, total);
  text += time_row("offload, forward", time.forward_offload_s, total);
  text += time_row("offload, backward", time.backward_offload_s, total);
  return text + time_row("total", total, total);
}

std::string memory_row(const char* what, double tier1, double tier2) {
  if (tier1 == 0 && tier2 == 0) return "";
  return fmt::format("  {:<22} {:>12.3f} {:>12.3f}\n", what, tier1 / gibi, tier2 / gibi);
}

std::string memories(const Execution& e, const StepMemory& memory, const System& system) {
  const auto where = [](bool offloaded, double all, double resident) { return offloaded ? resident : all; };
  const auto away = [](bool offloaded, double all) { return offloaded ? all : 0; };
  const bool full = e.recompute == Recompute::full;
  const bool acts = e.activations_offload;
  const double gradients_away = memory.tier2 - away(e.weight_offload, memory.weight) -
                                away(acts, full ? memory.checkpoint : memory.activation) -
                                away(e.optimizer_offload, memory.optimizer);
  std::string text = fmt::format("  {:<22} {:>12} {:>12}\n", "memory by class, GiB", "tier 1", "tier 2");
  text += memory_row("weights", where(e.weight_offload, memory.weight, memory.weight_resident),
                     away(e.weight_offload, memory.weight));
  text += memory_row("activations", where(acts, memory.activation, memory.activation_resident),
                     away(acts && !full, memory.activation));
  text += memory_row("checkpoints", where(acts, memory.checkpoint, memory.checkpoint_resident),
                     away(acts && full, memory.checkpoint));
  text += memory_row("activation gradients", memory.activation_gradient, 0);
  text += memory_row("weight gradients",
                     where(e.optimizer_offload, memory.weight_gradient, memory.weight_gradient_resident),
                     away(e.optimizer_offload, gradients_away));
  text += memory_row("optimizer", where(e.optimizer_offload, memory.optimizer, memory.optimizer_resident),
                     away(e.optimizer_offload, memory.optimizer));
  text += memory_row("embedding and head", memory.ends, 0);
  text += fmt::format("  {:<22} {:>12.3f} {:>12.3f}\n", "total", memory.tier1 / gibi, memory.tier2 / gibi);
  text += memory_row("last stage, with head", memory.last_stage_tier1, 0);
  return text + memory_row("capacity", system.mem1.capacity_bytes, system.mem2.capacity_bytes);
}

/// A note on transfers that would show whatever the second memory carried; empty where there are none.
std::string unbounded_offload(const RequiredBandwidth& required) {
  if (!std::isinf(required.offload)) return "";
  return "\nbandwidth of the second memory that would hide the transfers: unbounded, as a block of a pass "
         "leaves no "
         "time without its own memory\n";
}

}  // namespace

std::string to_text(const Configuration& configuration, const Prediction& prediction) {
  const Step& step = prediction.step;
  std::string text = head(configuration);
  for (const std::string& line : pricing(configuration)) text += line + "\n";
  if (!prediction.verdict.feasible())
    return text + fmt::format("does not fit: {}\n", to_string(prediction.verdict));
  text += fmt::format(
      "a step takes {}, {:.2f} sequences/s; MFU {:.2f} % of the declared peak, {:g} TFLOP/s\n\n",
      core::format_seconds(step.time.total_s), step.sample_rate, 100 * step.total_efficiency,
      configuration.system.matrix_engine(configuration.execution.product_type()).peak_flop_per_s / 1e12);
  text += times(step.time) + unbounded_offload(step.required);
  return text + "\n" + memories(configuration.execution, step.memory, configuration.system);
}

}  // namespace assay::model

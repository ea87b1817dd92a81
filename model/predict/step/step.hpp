// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// One training step of one configuration: whether it can run, and if so its time by part and its memory by
// class.
#pragma once

#include <string>

#include "model/predict/layers/block_cost.hpp"
#include "model/predict/step/schedule.hpp"

namespace assay::model {

enum class Obstacle {
  none,
  network_too_small,
  network_not_filled,
  not_measured,
  interleaving_too_big,
  interleaving_no_factor,
  offload_too_few_blocks,
  mem1_too_small,
  mem2_too_small
};

/// Why a step cannot run; `tier` is of networks, `needed_bytes` and `available_bytes` of memories, the
/// operation and its members of what was not measured.
struct Verdict {
  Obstacle obstacle = Obstacle::none;
  std::size_t tier = 0;
  double needed_bytes = 0, available_bytes = 0;
  Collective operation = Collective::p2p;
  std::int64_t members = 0;
  fit::Tier measured_tier = fit::Tier::unknown;  // of that network

  bool feasible() const { return obstacle == Obstacle::none; }
};
/// In Calculon's words.
std::string to_string(const Verdict& verdict);

/// Bytes on one processor, by class; `*_resident` is what stays on tier 1 of a class that is offloaded.
struct StepMemory {
  double weight = 0, activation = 0, checkpoint = 0, activation_gradient = 0, weight_gradient = 0,
         optimizer = 0;
  double weight_resident = 0, activation_resident = 0, checkpoint_resident = 0, weight_gradient_resident = 0,
         optimizer_resident = 0;
  double block_weight_gradient = 0, block_weight_gradient_whole = 0, block_optimizer = 0;
  double ends = 0;              // of embedding and head on the first stage, all classes
  double last_stage_tier1 = 0;  // all of the last stage, where it is another and has a head
  double tier1 = 0, tier2 = 0;

  /// The fuller of the first stage and the last.
  double fullest_tier1() const { return tier1 > last_stage_tier1 ? tier1 : last_stage_tier1; }
};

/// Seconds of a step; they sum to `total_s` (links work at the same time, only exposed parts count).
struct StepTime {
  double forward_s = 0, backward_s = 0, optimizer_s = 0, recompute_s = 0, bubble_s = 0;
  double forward_offload_s = 0, backward_offload_s = 0;
  double repeated_link_s = 0, repeated_exposed_s = 0;
  double tensor_link_s = 0, tensor_exposed_s = 0;
  double pipeline_link_s = 0, pipeline_exposed_s = 0;
  double data_link_s = 0, data_exposed_s = 0;
  double expert_exposed_s = 0;  // all-to-alls
  double context_exposed_s = 0;
  double ends_s = 0;  // embedding and head
  double total_s = 0;
};

/// Bandwidths at which an overlap would hide everything, bytes/s. Of offload infinite where something moves
/// and the processor uses its own memory all the time, so that no bandwidth hides it.
struct RequiredBandwidth {
  double data_chunk = 0, data_tail = 0;
  double activation_offload = 0, weight_offload = 0, optimizer_offload = 0, offload = 0;
};

struct Step {
  Pass optimizer;  // of one block
  double forward_pipeline_bytes = 0, backward_pipeline_bytes = 0, data_bytes = 0;
  StepMemory memory;
  StepTime time;
  RequiredBandwidth required;
  double useful_flops = 0;  // of one block and microbatch, without recompute
  double compute_efficiency = 0, system_efficiency = 0, total_efficiency = 0;
  double sample_rate = 0;  // sequences a second
};

/// Fills `step` where the verdict is feasible; no allocation. `block` is block_cost() of the same three.
Verdict evaluate(const Application& application, const Execution& execution, const System& system,
                 const BlockCost& block, Step& step);
/// Evaluates without the obstacles of the layout (networks, interleaving, blocks to offload), for callers
/// that have looked.
Verdict evaluate_laid_out(const Execution& execution, const System& system, const BlockCost& block,
                          const Schedule& schedule, Step& step);
/// Whether both tiers have space for the fullest stage.
Verdict fits_memory(const System& system, const StepMemory& memory);
/// Checks what the layout alone forbids, in Calculon's order.
Verdict fits_layout(const Application& application, const Execution& execution, const System& system);

}  // namespace assay::model

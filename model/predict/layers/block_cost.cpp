// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/layers/block_cost.hpp"

#include <algorithm>
#include <cmath>

#include "model/predict/layers/cost_parts.hpp"
#include "model/predict/layers/layer_sum.hpp"

namespace assay::model {
namespace {

/// Tokens of a microbatch on this processor, but for sequence parallelism.
double tokens_of(const Application& application, const Execution& execution) {
  return static_cast<double>(execution.microbatch_size) * static_cast<double>(application.seq_size) /
         static_cast<double>(execution.context_par);
}

}  // namespace

Kept kept(double stored_bytes, const Application& application, const Execution& execution, bool divided) {
  if (execution.recompute != Recompute::full) return {.stored_bytes = stored_bytes};
  const double tokens = tokens_of(application, execution);
  const double here = divided ? std::floor(tokens / static_cast<double>(execution.tensor_par)) : tokens;
  const double hidden = static_cast<double>(application.hidden);
  return {.checkpoint_bytes = here * hidden * bytes_of(execution.datatype)};
}

namespace {

/// Under `p2p_rs_ag` the tensors of an edge block are divided like those of `rs_ag`.
Kept kept_at_edge(const Application& application, Execution execution, const System& system) {
  execution.tensor_par_comm = TensorParComm::rs_ag;
  BlockCost cost;
  LayerSum sum(execution, system, cost);
  add_block_layers(application, execution, system.fixes, sum);
  return kept(cost.stored_bytes, application, execution, system.fixes.split_checkpoints);
}

void fill_kept(const Application& application, const Execution& execution, const System& system,
               BlockCost& cost) {
  const Fixes& fixes = system.fixes;
  const Kept base = kept(cost.stored_bytes, application, execution,
                         fixes.split_checkpoints && execution.sequence_parallel());
  const bool differ = fixes.edge_memory && execution.tensor_par_comm == TensorParComm::p2p_rs_ag;
  const Kept edge = differ ? kept_at_edge(application, execution, system) : base;
  cost.stored_bytes = base.stored_bytes;
  cost.checkpoint_bytes = base.checkpoint_bytes;
  cost.edge_stored_bytes = edge.stored_bytes;
  cost.edge_checkpoint_bytes = edge.checkpoint_bytes;
}

// 11 FLOP a weight; 4 bytes of master weight where the training type is narrower, and two moments of 4.
class OptimizerSum {
 public:
  OptimizerSum(const Execution& execution, const System& system)
      : execution_(execution),
        system_(system),
        engine_(system.vector_engine(execution.datatype).by_flop),
        width_(bytes_of(execution.datatype)),
        bytes_per_weight_(width_ < 4 ? 12 : 8),
        shards_(static_cast<double>(execution.optimizer_shards())) {}

  void add(const WeightGroup& group) {
    const auto& [elements, layers, of_experts] = group;
    const double shards = of_experts ? static_cast<double>(execution_.expert_optimizer_shards()) : shards_;
    const double flops = 11 * elements / shards;
    const double bytes = bytes_per_weight_ * elements / shards;
    Work one{flops, engine_.seconds(flops), bytes, system_.mem1.by_bytes.seconds(bytes)};
    const VectorCall call{.kernel = VectorKernel::adam, .bytes = elements / shards * width_, .width = width_};
    const VectorCurve* measured =
        system_.vectors.empty() ? nullptr : system_.vector_curve(call, VectorPass::forward);
    if (measured != nullptr) take_vector_time(system_, measured->seconds(call), one);
    add_work(sum_, {layers * flops, layers * one.flop_s, layers * bytes, layers * one.memory_s},
             layers * system_.together(one.flop_s, one.memory_s));
  }
  const Pass& sum() const { return sum_; }

 private:
  const Execution& execution_;
  const System& system_;
  const Staircase& engine_;
  double width_, bytes_per_weight_, shards_;
  Pass sum_;
};

}  // namespace

namespace {

BlockCost cost_of(const Application& application, const Execution& execution, const System& system) {
  BlockCost cost;
  LayerSum sum(execution, system, cost);
  add_block_layers(application, execution, system.fixes, sum);
  const double tokens = tokens_of(application, execution);
  const double width = bytes_of(execution.datatype);
  const double hidden = static_cast<double>(application.hidden);
  cost.expert_weight_bytes = cost.expert_weights * width;
  cost.weight_bytes = cost.weights * width + cost.expert_weight_bytes;
  fill_kept(application, execution, system, cost);
  if (!execution.training) cost.gradient_bytes = 0;
  const bool divided = execution.tensor_par_comm != TensorParComm::ar;
  cost.boundary_bytes = (divided ? std::floor(tokens / static_cast<double>(execution.tensor_par)) : tokens) *
                        hidden * bytes_of(execution.exchange_type());
  return cost;
}

void mix(double& value, double other, double share) { value = share * value + (1 - share) * other; }

void mix(Pass& pass, const Pass& other, double share) {
  for (double Pass::* const part : pass_members) mix(pass.*part, other.*part, share);
}

void mix(ExchangeCost& cost, const ExchangeCost& other, double share) {
  for (double ExchangeCost::* const part : exchange_members) mix(cost.*part, other.*part, share);
}

/// The mean block of a processor that recomputes `share` of its blocks.
BlockCost mean_of(BlockCost recomputed, const BlockCost& kept, double share) {
  for (Pass BlockCost::* const pass : {&BlockCost::recompute, &BlockCost::agrad, &BlockCost::wgrad})
    mix(recomputed.*pass, kept.*pass, share);
  for (ExchangePass BlockCost::* const pass :
       {&BlockCost::backward_exchange, &BlockCost::repeated_exchange}) {
    mix((recomputed.*pass).base, (kept.*pass).base, share);
    mix((recomputed.*pass).edge, (kept.*pass).edge, share);
  }
  mix(recomputed.dispatch.repeated_s, kept.dispatch.repeated_s, share);
  mix(recomputed.context.repeated_s, kept.context.repeated_s, share);
  for (double BlockCost::* const part : kept_members) mix(recomputed.*part, kept.*part, share);
  return recomputed;
}

/// The cost of a kind of block on a processor of `blocks` of all kinds.
BlockCost cost_of_kind(const Application& kind, const Execution& execution, const System& system,
                       double blocks) {
  if (execution.recompute_blocks == 0 || execution.recompute == Recompute::none)
    return cost_of(kind, execution, system);
  Execution kept = execution;
  kept.recompute = Recompute::none;
  const double share = std::min(1.0, static_cast<double>(execution.recompute_blocks) / blocks);
  return mean_of(cost_of(kind, execution, system), cost_of(kind, kept, system), share);
}

}  // namespace

std::vector<BlockCost> block_costs(const Application& application, const Execution& execution,
                                   const System& system) {
  const double blocks =
      std::ceil(static_cast<double>(application.num_blocks) / static_cast<double>(execution.pipeline_par));
  std::vector<BlockCost> costs;
  for (const Application& kind : kinds_of(application))
    costs.push_back(cost_of_kind(kind, execution, system, blocks));
  if (application.vocabulary > 0) fill_ends(kinds_of(application).back(), execution, system, costs.back());
  return costs;
}

BlockCost block_cost(const Application& application, const Execution& execution, const System& system) {
  return mean_block(application, execution, block_costs(application, execution, system));
}

Pass optimizer_cost(const BlockCost& block, const Execution& execution, const System& system) {
  if (!execution.training) return {};
  OptimizerSum optimizer(execution, system);
  for (std::size_t i = 0; i < block.weight_group_count; ++i) optimizer.add(block.weight_groups[i]);
  return optimizer.sum();
}

Pass optimizer_cost_of(double elements, const Execution& execution, const System& system) {
  if (!execution.training) return {};
  OptimizerSum optimizer(execution, system);
  optimizer.add({.elements = elements, .layers = 1});
  return optimizer.sum();
}

}  // namespace assay::model

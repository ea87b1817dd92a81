// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/block_cost.hpp"

#include <algorithm>
#include <cmath>

#include "model/predict/block_layers.hpp"
#include "model/predict/exchange.hpp"

namespace assay::model {
namespace {

struct Work {
  double flops, flop_s, bytes, memory_s;
};

void add_work(Pass& pass, const Work& work, double seconds) {
  pass.flops += work.flops;
  pass.flop_s += work.flop_s;
  pass.bytes += work.bytes;
  pass.memory_s += work.memory_s;
  pass.seconds += seconds;
}

void add(ExchangeCost& sum, const ExchangeCost& link, double exposed_s) {
  sum.link_s += link.link_s;
  sum.exposed_s += exposed_s;
  sum.bytes += link.bytes;
}

/// Walks the layers of one block and sums them.
class BlockSum {
 public:
  BlockSum(const Application& application, const Execution& execution, const System& system)
      : training_(execution.training),
        system_(system),
        matrix_(system.matrix_engine(execution.datatype).by_flop),
        vector_(system.vector_engine(execution.datatype).by_flop),
        exchange_(application, execution, system) {}

  void add_layer(const Layer& layer) {
    const double forward_s = add_pass(layer, cost_.forward, Direction::forward);
    if (training_) {
      if (layer.recomputed) add_recompute(forward_s);
      add_pass(layer, cost_.agrad, Direction::backward);
      add_weight_pass(layer);
    }
    add_memory(layer);
    add_weights(layer.weights);
  }

  BlockCost cost() const { return cost_; }

 private:
  Work work_of(const Layer& layer, double flops, double bytes) const {
    const Staircase& engine = layer.engine == LayerEngine::matrix ? matrix_ : vector_;
    return {flops, engine.seconds(flops), bytes, system_.mem1.by_bytes.seconds(bytes)};
  }

  /// The layer's own time in this pass; an exchange that stands alone counts as communication and has none.
  double add_pass(const Layer& layer, Pass& pass, Direction direction) {
    const bool forward = direction == Direction::forward;
    const Work work = forward ? work_of(layer, layer.fw_flops, layer.fw_bytes)
                              : work_of(layer, layer.agrad_flops, layer.agrad_bytes);
    const double alone_s = system_.together(work.flop_s, work.memory_s);
    if (layer.exchange == Exchange::none) {
      add_work(pass, work, alone_s);
      return alone_s;
    }
    ExchangePass& sum = forward ? cost_.forward_exchange : cost_.backward_exchange;
    ExchangeCost base = exchange_.link(layer, direction, false);
    ExchangeCost edge = exchange_.link(layer, direction, true);
    if (layer.tiled) {
      const ExchangeModel::Tiled tiled = exchange_.tiled(work.flop_s, work.memory_s, base.link_s);
      add_work(pass, work, tiled.seconds);
      add(sum.base, base, tiled.exposed_s);
      add(sum.edge, edge, tiled.exposed_s);  // Calculon reuses the base block's
      note_bandwidth(base.bytes, work.flop_s);
      if (forward) forward_exposed_s_ = tiled.exposed_s;
      return tiled.seconds;
    }
    add_work(pass, work, 0);
    base.link_s += alone_s;
    edge.link_s += alone_s;
    add(sum.base, base, base.link_s);
    add(sum.edge, edge, edge.link_s);
    return 0;
  }

  /// Calculon adds the sums so far, not the layer's own work, to all but the time.
  void add_recompute(double forward_s) {
    const Pass& so_far = cost_.forward;
    add_work(cost_.recompute, {so_far.flops, so_far.flop_s, so_far.bytes, so_far.memory_s}, forward_s);
  }

  void add_weight_pass(const Layer& layer) {
    const Work work = work_of(layer, layer.wgrad_flops, layer.wgrad_bytes);
    if (layer.exchange == Exchange::none || !layer.exchange_repeated) {
      add_work(cost_.wgrad, work, system_.together(work.flop_s, work.memory_s));
      return;
    }
    const ExchangeCost base = exchange_.link(layer, Direction::repeated, false);
    const ExchangeCost edge = exchange_.link(layer, Direction::repeated, true);
    ExchangePass& sum = cost_.repeated_exchange;
    if (layer.tiled) {  // what is exposed is the forward pass's, as in Calculon
      add_work(cost_.wgrad, work, exchange_.tiled(work.flop_s, work.memory_s, base.link_s).seconds);
      add(sum.base, base, forward_exposed_s_);
      add(sum.edge, edge, forward_exposed_s_);
      return;
    }
    add(sum.base, base, base.link_s);
    add(sum.edge, edge, edge.link_s);
  }

  void add_memory(const Layer& layer) {
    if (!layer.shared_input) cost_.working_bytes += layer.activation_bytes;
    cost_.stored_bytes += layer.activation_bytes;
    cost_.gradient_bytes += layer.gradient_bytes;
    if (!training_) return;
    if (layer.drops_output) cost_.stored_bytes -= layer.output_bytes;
    if (layer.drops_activation) cost_.stored_bytes -= layer.activation_bytes;
  }

  void add_weights(double elements) {
    if (elements == 0) return;
    cost_.weights += elements;
    const auto end = cost_.weight_groups.begin() + static_cast<std::ptrdiff_t>(cost_.weight_group_count);
    const auto same = std::find_if(cost_.weight_groups.begin(), end,
                                   [&](const WeightGroup& group) { return group.elements == elements; });
    if (same == end) *same = {.elements = elements, .layers = 0}, ++cost_.weight_group_count;
    ++same->layers;
  }

  void note_bandwidth(double bytes, double flop_s) {
    if (bytes > 0)
      cost_.overlap_b_per_s = std::max(cost_.overlap_b_per_s, exchange_.required_b_per_s(bytes, flop_s));
  }

  bool training_;
  const System& system_;
  const Staircase& matrix_;
  const Staircase& vector_;
  ExchangeModel exchange_;
  BlockCost cost_;
  double forward_exposed_s_ = 0;
};

}  // namespace

BlockCost block_cost(const Application& application, const Execution& execution, const System& system) {
  BlockSum sum(application, execution, system);
  const LayerList list = block_layers(application, execution);
  for (const Layer& layer : list.layers()) sum.add_layer(layer);
  BlockCost cost = sum.cost();
  const double tokens =
      static_cast<double>(execution.microbatch_size) * static_cast<double>(application.seq_size);
  const double width = bytes_of(execution.datatype);
  const double hidden = static_cast<double>(application.hidden);
  cost.weight_bytes = cost.weights * width;
  if (execution.recompute == Recompute::full) {
    cost.stored_bytes = 0;
    cost.checkpoint_bytes = tokens * hidden * width;
  }
  if (!execution.training) cost.gradient_bytes = 0;
  const bool divided = execution.tensor_par_comm != TensorParComm::ar;
  cost.boundary_bytes =
      (divided ? std::floor(tokens / static_cast<double>(execution.tensor_par)) : tokens) * hidden * width;
  return cost;
}

// 11 FLOP a weight; 4 bytes of master weight where the training type is narrower, and two moments of 4.
Pass optimizer_cost(const BlockCost& block, const Execution& execution, const System& system) {
  Pass pass;
  if (!execution.training) return pass;
  const Staircase& engine = system.vector_engine(execution.datatype).by_flop;
  const double shards = static_cast<double>(execution.optimizer_shards());
  const double bytes_per_weight = bytes_of(execution.datatype) < 4 ? 12 : 8;
  for (std::size_t i = 0; i < block.weight_group_count; ++i) {
    const auto [elements, layers] = block.weight_groups[i];
    const double flops = 11 * elements / shards;
    const double bytes = bytes_per_weight * elements / shards;
    const Work work{flops, engine.seconds(flops), bytes, system.mem1.by_bytes.seconds(bytes)};
    const double seconds = system.together(work.flop_s, work.memory_s);
    add_work(pass, {layers * flops, layers * work.flop_s, layers * bytes, layers * work.memory_s},
             layers * seconds);
  }
  return pass;
}

}  // namespace assay::model

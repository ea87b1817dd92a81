// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Times layers on a system and adds them up.
#pragma once

#include <optional>

#include "model/predict/layers/block_cost.hpp"
#include "model/predict/layers/block_layers.hpp"
#include "model/predict/layers/exchange.hpp"

namespace assay::model {

/// The work of a part of a step: FLOP and s, bytes and s.
struct Work {
  double flops = 0, flop_s = 0, bytes = 0, memory_s = 0;
};
/// `seconds`: of both together, as the system overlaps them.
inline void add_work(Pass& pass, const Work& work, double seconds) {
  pass.flops += work.flops;
  pass.flop_s += work.flop_s;
  pass.bytes += work.bytes;
  pass.memory_s += work.memory_s;
  pass.seconds += seconds;
}

/// Gives the work the time that was measured: compute keeps the table's share, the rest is memory's, so that
/// the system's rule for the two together gives the measurement back.
void take_vector_time(const System& system, double measured_s, Work& work);

/// Times of products with weights: those that the system has measured, where it has, or its tables'.
enum class Products { as_measured, by_table };

class LayerSum final : public LayerSink {
 public:
  /// Adds to `cost` the passes, exchanges, weights and memory; not what depends on a block's place.
  LayerSum(const Execution& execution, const System& system, BlockCost& cost,
           Products products = Products::as_measured);

  void add(const Layer& layer) override;

 private:
  enum class LayerPass { forward, agrad, wgrad };
  template <LayerPass pass>
  Work work_of(const Layer& layer) const;
  void take_measured(const Layer& layer, LayerPass pass, Work& work) const;
  bool measured(const Layer& layer, LayerPass pass) const {
    return layer.attention ? measures_attention_ && pass != LayerPass::wgrad
                           : measures_ && layer.products > 0;
  }
  double product_seconds(const Layer& layer, LayerPass pass) const;
  double attention_seconds(const Layer& layer, LayerPass pass) const;
  double cast_s(const Layer& layer, LayerPass pass) const;
  void take_product_time(double measured_s, Work& work) const;
  std::optional<double> vector_seconds(const Layer& layer, LayerPass pass, double bytes) const;
  template <Direction direction>
  double add_pass(const Layer& layer, Pass& pass);
  template <LayerPass which>
  double add_tiled(const Layer& layer, const Work& work, Pass& pass, Direction direction);
  void add_repeated_gather(const Layer& layer, const Work& work);
  void require_overlap(double bytes, double flop_s);
  void add_alone(const Layer& layer, double local_s, Direction direction);
  void add_recompute(const Layer& layer, double forward_s);
  void add_weight_pass(const Layer& layer);
  void add_layer(const Layer& layer);
  void add_context(const Layer& layer);
  double context_s(double bytes, double attention_s, bool backward) const;
  void add_memory(const Layer& layer);
  void add_weights(const Layer& layer);

  bool training_;
  double width_;
  const System& system_;
  const Staircase& matrix_;     // of products with weights
  const Staircase& attention_;  // of attention's products
  const Staircase& vector_;
  ProcessorGroup experts_, context_;
  ContextPar context_kind_;
  double product_width_, exchanged_;    // bytes of a product's operand; on a network for one in memory
  bool measures_, measures_attention_;  // the system has measured products
  bool measures_any_;                   // or vector kernels
  ExchangeModel exchange_;
  BlockCost& cost_;
  struct {
    double base_exposed_s = 0, edge_exposed_s = 0, edge_extra_s = 0;
  } forward_;                                                  // of the last tiled layer
  double attention_forward_s_ = 0, attention_backward_s_ = 0;  // sums where attention began
};

}  // namespace assay::model

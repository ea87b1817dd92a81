// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/layers/layer_sum.hpp"

#include <algorithm>
#include <array>

#include "model/predict/system/placement.hpp"

namespace assay::model {
namespace {

void add_exchange(ExchangeCost& sum, const ExchangeCost& link, double exposed_s) {
  sum.link_s += link.link_s;
  sum.exposed_s += exposed_s;
  sum.bytes += link.bytes;
}

ExchangePass& exchange_of(BlockCost& cost, Direction direction) {
  if (direction == Direction::forward) return cost.forward_exchange;
  return direction == Direction::backward ? cost.backward_exchange : cost.repeated_exchange;
}

double& dispatch_of(DispatchCost& dispatch, Direction direction) {
  if (direction == Direction::forward) return dispatch.forward_s;
  return direction == Direction::backward ? dispatch.backward_s : dispatch.repeated_s;
}

}  // namespace

void take_vector_time(const System& system, double measured_s, Work& work) {
  work.flop_s = std::min(work.flop_s, measured_s);
  work.memory_s = system.roofline ? measured_s : measured_s - work.flop_s;
}

LayerSum::LayerSum(const Execution& execution, const System& system, BlockCost& cost, Products products)
    : training_(execution.training),
      width_(bytes_of(execution.datatype)),
      system_(system),
      matrix_(system.matrix_engine(execution.product_type()).by_flop),
      attention_(system.matrix_engine(execution.attention_type()).by_flop),
      vector_(system.vector_engine(execution.datatype).by_flop),
      experts_(Placement(execution).experts()),
      context_(Placement(execution).context()),
      context_kind_(execution.context_par_type),
      product_width_(bytes_of(execution.product_type())),
      exchanged_(execution.exchange_share()),
      measures_(products == Products::as_measured && system.matmul_s != nullptr),
      measures_attention_(products == Products::as_measured && system.attention_s != nullptr &&
                          execution.attention_type() == execution.product_type()),
      measures_any_(measures_ || measures_attention_ || !system.vectors.empty()),
      exchange_(execution, system),
      cost_(cost) {}

template <LayerSum::LayerPass pass>
Work LayerSum::work_of(const Layer& layer) const {
  const Staircase& engine = layer.engine == LayerEngine::vector ? vector_
                            : layer.products > 0                ? matrix_
                                                                : attention_;
  constexpr bool forward = pass == LayerPass::forward, agrad = pass == LayerPass::agrad;
  const double flops = forward ? layer.fw_flops : agrad ? layer.agrad_flops : layer.wgrad_flops;
  const double bytes = forward ? layer.fw_bytes : agrad ? layer.agrad_bytes : layer.wgrad_bytes;
  Work work{flops, engine.seconds(flops), bytes, system_.mem1.by_bytes.seconds(bytes)};
  if (measures_any_) take_measured(layer, pass, work);
  return work;
}

void LayerSum::take_measured(const Layer& layer, LayerPass pass, Work& work) const {
  if (measured(layer, pass)) take_product_time(product_seconds(layer, pass) + cast_s(layer, pass), work);
  if (layer.vector && !system_.vectors.empty())
    if (const auto measured_s = vector_seconds(layer, pass, work.bytes))
      take_vector_time(system_, *measured_s, work);
}

/// A pass that was not measured takes the forward's time, scaled by bytes. That of weights never is.
std::optional<double> LayerSum::vector_seconds(const Layer& layer, LayerPass pass, double bytes) const {
  if (pass == LayerPass::agrad)
    if (const VectorCurve* own = system_.vector_curve(*layer.vector, VectorPass::backward))
      return own->seconds(*layer.vector);
  const VectorCurve* forward = system_.vector_curve(*layer.vector, VectorPass::forward);
  if (forward == nullptr) return std::nullopt;
  return forward->seconds(*layer.vector) * bytes / layer.fw_bytes;
}

double LayerSum::product_seconds(const Layer& layer, LayerPass pass) const {
  const auto& [m, n, k] = layer.product;
  if (layer.attention) return attention_seconds(layer, pass);
  const std::array shapes{MatmulShape{m, n, k}, MatmulShape{m, k, n}, MatmulShape{n, k, m}};
  return layer.products * system_.matmul_s(shapes[std::size_t(pass)]);
}

// Two products of attention each: S = Q K^T has dQ = dS K and dK = dS^T Q, both of the context's kind; O = P
// V has dP = dO V^T, which is one of scores, and dV = P^T dO.
double LayerSum::attention_seconds(const Layer& layer, LayerPass pass) const {
  const auto& [m, n, k] = layer.product;
  if (pass == LayerPass::forward) return system_.attention_s(*layer.attention, layer.batch, layer.product);
  using enum AttentionProduct;
  const bool of_scores = *layer.attention == scores;
  return system_.attention_s(of_scores ? context : scores, layer.batch, {m, k, n}) +
         system_.attention_s(context, layer.batch, of_scores ? MatmulShape{n, k, m} : MatmulShape{k, n, m});
}

/// A measured product finds its operands narrow; nothing is cast for the gradients of weights alone.
double LayerSum::cast_s(const Layer& layer, LayerPass pass) const {
  if (pass == LayerPass::wgrad) return 0;
  return system_.mem1.by_bytes.seconds(pass == LayerPass::forward ? layer.fw_cast_bytes
                                                                  : layer.agrad_cast_bytes);
}

// A measured product took what it took; its memory time stays inside, and the rest is its compute, so that
// the system's rule for the two together gives the measurement back.
void LayerSum::take_product_time(double measured_s, Work& work) const {
  work.memory_s = std::min(work.memory_s, measured_s);
  work.flop_s = system_.roofline ? measured_s : measured_s - work.memory_s;
}

/// The layer's own time in this pass; an exchange that stands alone counts as communication and has none.
template <Direction direction>
double LayerSum::add_pass(const Layer& layer, Pass& pass) {
  constexpr LayerPass which = direction == Direction::forward ? LayerPass::forward : LayerPass::agrad;
  Work work = work_of<which>(layer);
  if (layer.tiled) return add_tiled<which>(layer, work, pass, direction);
  const double alone_s = system_.together(work.flop_s, work.memory_s);
  if (layer.exchange == Exchange::none) {
    add_work(pass, work, alone_s);
    return alone_s;
  }
  if (system_.fixes.useful_work) work.flops = 0;
  add_work(pass, work, 0);
  add_alone(layer, alone_s, direction);
  return 0;
}

// A repeated exchange is the forward pass's, and exposes what that does.
template <LayerSum::LayerPass which>
double LayerSum::add_tiled(const Layer& layer, const Work& work, Pass& pass, Direction direction) {
  const ExchangeCost base = exchange_.link(layer, direction);
  const ExchangeCost edge = exchange_.edge_link(layer, direction, base);
  double piece_s = 0;
  if (system_.fixes.tile_pieces && base.link_s + edge.link_s > 0) {
    constexpr bool of_weights = which == LayerPass::wgrad;  // whose gradients are wide
    const Work piece = work_of<which>(layer.piece(exchange_.members(), of_weights ? width_ : product_width_));
    piece_s = system_.together(piece.flop_s, piece.memory_s);
  }
  const auto behind = [&](double link_s) {
    return system_.fixes.tile_pieces
               ? exchange_.in_pieces(system_.together(work.flop_s, work.memory_s), piece_s, link_s)
               : exchange_.tiled(work.flop_s, work.memory_s, link_s);
  };
  const ExchangeModel::Tiled tiled = behind(base.link_s);
  const ExchangeModel::Tiled at_edge = system_.fixes.edge_exposure ? behind(edge.link_s) : tiled;
  const double edge_extra_s = at_edge.seconds - tiled.seconds;
  add_work(pass, work, tiled.seconds);
  pass.edge_extra_s += edge_extra_s;
  const bool again = direction == Direction::repeated && !system_.fixes.tile_pieces;
  if (direction == Direction::forward) forward_ = {tiled.exposed_s, at_edge.exposed_s, edge_extra_s};
  ExchangePass& sum = exchange_of(cost_, direction);
  add_exchange(sum.base, base, again ? forward_.base_exposed_s : tiled.exposed_s);
  add_exchange(sum.edge, edge, again ? forward_.edge_exposed_s : at_edge.exposed_s);
  if (direction != Direction::repeated) require_overlap(std::max(base.bytes, edge.bytes), work.flop_s);
  return tiled.seconds;
}

void LayerSum::require_overlap(double bytes, double flop_s) {
  if (bytes == 0) return;
  cost_.overlap_b_per_s = std::max(cost_.overlap_b_per_s, exchange_.required_b_per_s(bytes, flop_s));
}

void LayerSum::add_alone(const Layer& layer, double local_s, Direction direction) {
  if (layer.exchange == Exchange::dispatch) {
    double& sum_s = dispatch_of(cost_.dispatch, direction);
    sum_s += local_s;
    if (experts_.members() > 1)
      sum_s += seconds(system_, Collective::all_to_all, layer.exchange_bytes * exchanged_, experts_);
    return;
  }
  ExchangeCost base = exchange_.link(layer, direction);
  ExchangeCost edge = exchange_.edge_link(layer, direction, base);
  base.link_s += local_s;
  edge.link_s += local_s;
  ExchangePass& sum = exchange_of(cost_, direction);
  add_exchange(sum.base, base, base.link_s);
  add_exchange(sum.edge, edge, edge.link_s);
}

/// Calculon adds the sums so far, not the layer's own work, to all but the time.
void LayerSum::add_recompute(const Layer& layer, double forward_s) {
  Pass& again = cost_.recompute;
  if (!system_.fixes.recomputed_work) {
    const Pass& so_far = cost_.forward;
    add_work(again, {so_far.flops, so_far.flop_s, so_far.bytes, so_far.memory_s}, forward_s);
    return;
  }
  add_work(again, work_of<LayerPass::forward>(layer), forward_s);
  if (layer.tiled) again.edge_extra_s += forward_.edge_extra_s;
}

void LayerSum::add_weight_pass(const Layer& layer) {
  if (layer.wgrad_bytes == 0 && !layer.exchange_repeated) return;
  const Work work = work_of<LayerPass::wgrad>(layer);
  if (layer.exchange == Exchange::none || !layer.exchange_repeated)
    add_work(cost_.wgrad, work, system_.together(work.flop_s, work.memory_s));
  else if (layer.tiled)
    add_repeated_gather(layer, work);
  else if (layer.exchange == Exchange::dispatch)
    add_alone(layer, system_.mem1.by_bytes.seconds(layer.fw_bytes), Direction::repeated);
  else
    add_alone(layer, 0, Direction::repeated);
}

/// Behind the product that runs again too; without one, behind that of the weights' gradients.
void LayerSum::add_repeated_gather(const Layer& layer, const Work& work) {
  if (!system_.fixes.tile_pieces || !layer.recomputed) {
    add_tiled<LayerPass::wgrad>(layer, work, cost_.wgrad, Direction::repeated);
    return;
  }
  add_work(cost_.wgrad, work, system_.together(work.flop_s, work.memory_s));
  const ExchangeCost base = exchange_.link(layer, Direction::repeated);
  add_exchange(cost_.repeated_exchange.base, base, forward_.base_exposed_s);
  add_exchange(cost_.repeated_exchange.edge, exchange_.edge_link(layer, Direction::repeated, base),
               forward_.edge_exposed_s);
}

// A ring passes keys and values on as often as there are others, while attention works on those it has; in
// the backward pass their gradients too. Gathered, they come before attention, and their gradients are
// reduced after it. Heads change places twice a pass.
double LayerSum::context_s(double bytes, double attention_s, bool backward) const {
  const auto members = static_cast<double>(context_.members());
  switch (context_kind_) {
    case ContextPar::all_gather:
      return seconds(system_, Collective::all_gather, bytes, context_) +
             (backward ? seconds(system_, Collective::reduce_scatter, bytes, context_) : 0);
    case ContextPar::ulysses:
      return 2 * seconds(system_, Collective::all_to_all, bytes / 2, context_);
    case ContextPar::ring:
      break;
  }
  const Network& network = system_.networks[context_.tier];
  const double passed_s = (backward ? 2 : 1) * network.seconds(Collective::p2p, bytes / members, 1);
  const double part_s = attention_s / members;
  const double hidden_s = std::min(passed_s, part_s / (1 - network.processor_usage));
  return (members - 1) * (passed_s - hidden_s * (1 - network.processor_usage));
}

/// The causal mask leaves every member the same work: each has a part from either end of the sequence.
void LayerSum::add_context(const Layer& layer) {
  if (layer.exchange_bytes == 0) {
    attention_forward_s_ = cost_.forward.seconds;
    attention_backward_s_ = cost_.agrad.seconds;
    return;
  }
  const double bytes = layer.exchange_bytes * exchanged_;
  const double forward_s = context_s(bytes, cost_.forward.seconds - attention_forward_s_, false);
  cost_.context.forward_s += forward_s;
  if (!training_) return;
  cost_.context.backward_s += context_s(bytes, cost_.agrad.seconds - attention_backward_s_, true);
  if (layer.exchange_repeated) cost_.context.repeated_s += forward_s;
}

void LayerSum::add_memory(const Layer& layer) {
  if (!layer.shared_input) cost_.working_bytes += layer.activation_bytes;
  cost_.stored_bytes += layer.activation_bytes;
  cost_.gradient_bytes += layer.gradient_bytes;
  if (!training_) return;
  if (layer.drops_output) cost_.stored_bytes -= layer.output_bytes;
  if (layer.drops_activation) cost_.stored_bytes -= layer.activation_bytes;
}

void LayerSum::add_weights(const Layer& layer) {
  const double elements = layer.weights;
  if (elements == 0) return;
  (layer.of_experts ? cost_.expert_weights : cost_.weights) += elements;
  const auto end = cost_.weight_groups.begin() + static_cast<std::ptrdiff_t>(cost_.weight_group_count);
  const auto same = std::find_if(cost_.weight_groups.begin(), end, [&](const WeightGroup& group) {
    return group.elements == elements && group.of_experts == layer.of_experts;
  });
  if (same == end) {
    *same = {.elements = elements, .layers = 0, .of_experts = layer.of_experts};
    ++cost_.weight_group_count;
  }
  ++same->layers;
}

void LayerSum::add(const Layer& layer) {
  if (layer.exchange == Exchange::context) return add_context(layer);
  if (layer.products > 0 && product_width_ != width_)
    return add_layer(layer.with_operands(width_, product_width_));
  add_layer(layer);
}

void LayerSum::add_layer(const Layer& layer) {
  const double forward_s = add_pass<Direction::forward>(layer, cost_.forward);
  if (training_) {
    if (layer.recomputed) add_recompute(layer, forward_s);
    add_pass<Direction::backward>(layer, cost_.agrad);
    add_weight_pass(layer);
  }
  add_memory(layer);
  add_weights(layer);
}

}  // namespace assay::model

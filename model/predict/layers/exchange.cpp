// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/layers/exchange.hpp"

#include <algorithm>

#include "model/predict/system/placement.hpp"

namespace assay::model {

ExchangeModel::ExchangeModel(const Execution& execution, const System& system)
    : system_(system),
      group_(Placement(execution).tensor()),
      expert_group_(Placement(execution).expert_tensor()),
      exchanged_(execution.exchange_share()),
      adder_(system.vector_engine(execution.datatype).by_flop),
      members_(static_cast<double>(execution.tensor_par)),
      width_(bytes_of(execution.datatype)),
      usage_(system.networks[group_.tier].processor_usage),
      kind_(execution.tensor_par_comm),
      piped_(execution.tensor_par_overlap == TensorParOverlap::pipe),
      piped_twice_(piped_ && !system.fixes.pipe_tile) {}

std::optional<Collective> ExchangeModel::operation(const Layer& layer, Direction direction, bool edge) const {
  if (layer.exchange != Exchange::gather && layer.exchange != Exchange::reduce) return std::nullopt;
  const bool reduces = (layer.exchange == Exchange::reduce) != (direction == Direction::backward);
  const bool split = kind_ == TensorParComm::rs_ag || (kind_ == TensorParComm::p2p_rs_ag && edge);
  if (!reduces) return split ? std::optional(Collective::all_gather) : std::nullopt;
  return split ? Collective::reduce_scatter : Collective::all_reduce;
}

ExchangeCost ExchangeModel::link(const Layer& layer, Direction direction, bool edge) const {
  const std::optional<Collective> which = operation(layer, direction, edge);
  if (!which) return {};
  const double bytes = layer.exchange_bytes * exchanged_;
  const ProcessorGroup& group = layer.among_experts ? expert_group_ : group_;
  ExchangeCost cost{.link_s = seconds(system_, *which, bytes, group), .bytes = bytes};
  if (*which != Collective::all_gather && layer.tiled && direction != Direction::repeated)
    cost.link_s += adder_.seconds(layer.exchange_bytes / width_ * (members_ - 1) / members_);
  return cost;
}

// The first tile computes alone; each later one runs during the exchange of the one before. Where the
// exchange is the longer, the GEMM is slowed throughout; else only for as long as the exchange lasts. `pipe`
// exposes its last exchange; unless that is fixed, it counts in the layer's time too, as in Calculon.
ExchangeModel::Tiled ExchangeModel::tiled(double flop_s, double memory_s, double link_s) const {
  const double alone_s = system_.together(flop_s, memory_s);
  if (link_s == 0) return {.seconds = alone_s};
  const double slowed_flop_s = flop_s / (1 - usage_);
  const double later = members_ - 1;
  Tiled result;
  if (link_s > slowed_flop_s) {
    result.seconds = (alone_s + later * system_.together(slowed_flop_s, memory_s)) / members_;
    result.exposed_s = later * (link_s - slowed_flop_s) / members_;
  } else {
    result.seconds = (alone_s + later * alone_s + later * link_s * usage_) / members_;
  }
  if (piped_) result.exposed_s += link_s / members_;
  if (piped_twice_) result.seconds += link_s / members_;
  return result;
}

// The first piece computes alone; of each later one the exchange of the piece before takes `usage` while it
// lasts. A ring passes on a piece less than there are; `pipe` also exposes the exchange of the last. Whoever
// would lose runs the GEMM whole and then the exchange.
ExchangeModel::Tiled ExchangeModel::in_pieces(double alone_s, double piece_s, double link_s) const {
  if (link_s == 0) return {.seconds = alone_s};
  const double piece = std::max(piece_s, alone_s / members_);
  const double later = members_ - 1;
  const double passed_s = link_s / (piped_ ? members_ : later);
  const double total_s =
      piece + later * std::max(passed_s, piece + passed_s * usage_) + (piped_ ? passed_s : 0);
  if (total_s >= alone_s + link_s) return {.seconds = alone_s, .exposed_s = link_s};
  const double seconds = members_ * piece + later * usage_ * std::min(passed_s, piece / (1 - usage_));
  return {.seconds = seconds, .exposed_s = std::max(0.0, total_s - seconds)};
}

}  // namespace assay::model

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The cost of an exchange between tensor-parallel peers to a layer, alone or tile by tile behind its GEMM.
#pragma once

#include <optional>

#include "model/predict/layers/block_cost.hpp"
#include "model/predict/layers/layer.hpp"
#include "model/predict/system/group.hpp"

namespace assay::model {

/// The passes in which a layer can exchange.
enum class Direction { forward, backward, repeated };

class ExchangeModel {
 public:
  ExchangeModel(const Execution& execution, const System& system);

  double members() const { return members_; }

  /// The collective between tensor-parallel peers in this direction; nothing where the layer does not
  /// exchange.
  std::optional<Collective> operation(const Layer& layer, Direction direction, bool edge = false) const;
  /// The network's time and bytes in this direction; nothing where the layer does not exchange.
  /// A reduction tile by tile also adds up, on the vector engine, except where it is repeated: Calculon
  /// counts only its bytes there.
  ExchangeCost link(const Layer& layer, Direction direction, bool edge = false) const;
  /// The link() of an edge block, where `base` is that of the others.
  ExchangeCost edge_link(const Layer& layer, Direction direction, const ExchangeCost& base) const {
    return kind_ == TensorParComm::p2p_rs_ag ? link(layer, direction, true) : base;
  }

  struct Tiled {
    double seconds = 0, exposed_s = 0;
  };
  /// A GEMM of `flop_s` and `memory_s` with `link_s` of exchange, in as many tiles as there are peers.
  Tiled tiled(double flop_s, double memory_s, double link_s) const;
  /// A GEMM of `alone_s`, one of whose pieces takes `piece_s`, with its exchange (Fixes::tile_pieces).
  Tiled in_pieces(double alone_s, double piece_s, double link_s) const;

  /// Bandwidth at which the exchange hides behind `flop_s` of GEMM, slowed by the network's use of the
  /// processor.
  double required_b_per_s(double bytes, double flop_s) const { return bytes / (flop_s / (1 - usage_)); }

 private:
  const System& system_;
  ProcessorGroup group_, expert_group_;
  double exchanged_;  // bytes on the network for one in memory
  const Staircase& adder_;
  double members_, width_, usage_;
  TensorParComm kind_;
  bool piped_, piped_twice_;
};

}  // namespace assay::model

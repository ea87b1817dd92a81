// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The known faults of Calculon that an evaluation fixes: none under --compat calculon, all under --model
// assay. What each is worth: docs/method/model.md, "Faults fixed by --model assay".
#pragma once

#include <array>
#include <string_view>
#include <utility>

namespace assay::model {

struct Fixes {
  /// Recomputed FLOPs and bytes are those of the layers, not sums of running sums.
  bool recomputed_work = false;
  /// The last tile of `pipe` is exposed time alone, not layer time as well.
  bool pipe_tile = false;
  /// Behind tiled GEMMs an edge block exposes its own exchanges, not a base block's.
  bool edge_exposure = false;
  /// Under `p2p_rs_ag` an edge block keeps what a block of `rs_ag` keeps.
  bool edge_memory = false;
  /// `attn_only` neither repeats the gather before attention nor forgets its result without seq_par_ag_redo.
  bool attention_gather = false;
  /// Under sequence parallelism a checkpoint is this processor's share of the tokens.
  bool split_checkpoints = false;
  /// MFU counts the optimizer once a step, the blocks that there are, and no additions of exchanges.
  bool useful_work = false;
  /// No pipeline message without a pipeline, and none backward in inference.
  bool absent_messages = false;
  /// Hidden gradients cost the processor time that they use while they hide, never more than they take, and
  /// hide behind the microbatches that there are.
  bool hidden_gradients = false;
  /// Members of a group within one domain of an inner tier share its bandwidth there, and own all their
  /// adapters outside (group.hpp).
  bool node_groups = false;
  /// A GEMM that hides its exchange runs in pieces that take what pieces of that size take, and pass on all
  /// of the exchange.
  bool tile_pieces = false;

  static constexpr Fixes all();
};

inline constexpr std::array<std::pair<std::string_view, bool Fixes::*>, 11> fix_names = {
    {{"recomputed_work", &Fixes::recomputed_work},
     {"pipe_tile", &Fixes::pipe_tile},
     {"edge_exposure", &Fixes::edge_exposure},
     {"edge_memory", &Fixes::edge_memory},
     {"attention_gather", &Fixes::attention_gather},
     {"split_checkpoints", &Fixes::split_checkpoints},
     {"useful_work", &Fixes::useful_work},
     {"absent_messages", &Fixes::absent_messages},
     {"hidden_gradients", &Fixes::hidden_gradients},
     {"node_groups", &Fixes::node_groups},
     {"tile_pieces", &Fixes::tile_pieces}}};

constexpr Fixes Fixes::all() {
  Fixes fixes;
  for (const auto& [name, fix] : fix_names) fixes.*fix = true;
  return fixes;
}

}  // namespace assay::model

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The parts of block_costs(), each in a file of its own.
#pragma once

#include <array>

#include "model/predict/layers/block_cost.hpp"

namespace assay::model {

/// The numbers of a pass and of an exchange, for whoever adds or mixes them all.
inline constexpr std::array pass_members = {&Pass::flops,    &Pass::flop_s,  &Pass::bytes,
                                            &Pass::memory_s, &Pass::seconds, &Pass::edge_extra_s};
inline constexpr std::array exchange_members = {&ExchangeCost::link_s, &ExchangeCost::exposed_s,
                                                &ExchangeCost::bytes};
inline constexpr std::array kept_members = {&BlockCost::stored_bytes, &BlockCost::checkpoint_bytes,
                                            &BlockCost::edge_stored_bytes, &BlockCost::edge_checkpoint_bytes};

/// Bytes that are kept for the backward pass.
struct Kept {
  double stored_bytes = 0, checkpoint_bytes = 0;
};
/// Bytes of a block whose activations are `stored_bytes`; `divided`: its checkpoint is over tensor-parallel
/// peers.
Kept kept(double stored_bytes, const Application& application, const Execution& execution, bool divided);

/// Seconds of all passes of a block that is not an edge block, with what their exchanges expose.
double seconds_of(const BlockCost& block);
/// FLOPs of forward and backward passes.
double flops_of(const BlockCost& block);

/// Fills embedding and head, behind blocks of which `last` is the last kind.
void fill_ends(const Application& last, const Execution& execution, const System& system, BlockCost& cost);

}  // namespace assay::model

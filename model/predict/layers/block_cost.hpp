// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The cost of one transformer block to one processor for one microbatch, whatever the pipeline and the data
// parallelism around it, and the cost of embedding and head: computed once and shared by every configuration
// that differs only in those.
#pragma once

#include <array>
#include <cstddef>

#include "model/predict/system/execution.hpp"

namespace assay::model {

/// One pass through the layers. `seconds` leaves the exchanges out, the other sums hold their local work too
/// (FLOPs only where Fixes::useful_work is not set).
struct Pass {
  double flops = 0, flop_s = 0, bytes = 0, memory_s = 0, seconds = 0;
  double edge_extra_s = 0;  // what `seconds` of an edge block is longer (Fixes::edge_exposure)
};

/// One kind of block: `base`, or `edge`, the last of its chunk.
struct ExchangeCost {
  double link_s = 0, exposed_s = 0, bytes = 0;
};
struct ExchangePass {
  ExchangeCost base, edge;
};

/// Layers of equal weights take the same optimizer step.
struct WeightGroup {
  double elements = 0, layers = 0;
  bool of_experts = false;
};

/// Seconds of the all-to-alls of experts, of one pass; nothing hides them.
struct DispatchCost {
  double forward_s = 0, backward_s = 0, repeated_s = 0;
};

/// Exposed seconds of the exchanges between context-parallel peers.
using ContextCost = DispatchCost;

/// Embedding or head, of one microbatch; all 0 where the application has no vocabulary.
struct EndCost {
  double seconds = 0;     // both passes, with their exchanges
  double flops = 0;       // both passes
  double weights = 0;     // elements
  double kept_bytes = 0;  // for the backward pass
};

struct BlockCost {
  Pass forward, recompute, agrad, wgrad;
  ExchangePass forward_exchange, backward_exchange, repeated_exchange;
  double overlap_b_per_s = 0;  // what the network must carry to hide every tiled exchange, of any block
  DispatchCost dispatch;
  ContextCost context;
  double weights = 0;         // elements, without those of experts
  double expert_weights = 0;  // elements of the experts that are here
  double weight_bytes = 0;    // of both
  double expert_weight_bytes = 0;
  double working_bytes = 0;     // activations of the block in flight
  double stored_bytes = 0;      // activations of a block that waits for its backward pass
  double checkpoint_bytes = 0;  // its input alone, where all is recomputed
  double edge_stored_bytes = 0, edge_checkpoint_bytes = 0;  // the same two of an edge block
  double gradient_bytes = 0;                                // of activations
  double boundary_bytes = 0;  // handed to the next pipeline stage, where there is one
  std::array<WeightGroup, 8> weight_groups;
  std::size_t weight_group_count = 0;
  EndCost embedding, head;
  bool tied_embedding = false;  // head and embedding have one matrix
};

/// Depends on tensor_par, tensor_par_net, microbatch_size, datatype, fused_activation, attention, recompute,
/// tensor_par_comm, tensor_par_overlap, seq_par_ag_redo, fused_attention, training, context_par with its
/// keys, expert_par with its keys, and the other datatypes of `execution`; on where its Placement has tensor,
/// context and experts; with recompute_blocks on the blocks of a processor; and on nothing else of it.
/// `misfit()` must have found nothing.
BlockCost block_cost(const Application& application, const Execution& execution, const System& system);

/// One optimizer step of a block, or of `elements` alone, its state divided as the execution says.
Pass optimizer_cost(const BlockCost& block, const Execution& execution, const System& system);
Pass optimizer_cost_of(double elements, const Execution& execution, const System& system);

}  // namespace assay::model

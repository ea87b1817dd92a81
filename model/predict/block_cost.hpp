// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What one transformer block costs one processor for one microbatch, whatever the pipeline and the data
// parallelism around it: computed once and shared by every configuration that differs only in those.
#pragma once

#include <array>
#include <cstddef>

#include "model/predict/execution.hpp"

namespace assay::model {

/// One pass over the layers. `seconds` leaves the exchanges out, the other sums hold their local work too.
struct Pass {
  double flops = 0, flop_s = 0, bytes = 0, memory_s = 0, seconds = 0;
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
};

struct BlockCost {
  Pass forward, recompute, agrad, wgrad;
  ExchangePass forward_exchange, backward_exchange, repeated_exchange;
  double overlap_b_per_s = 0;  // what the network must carry to hide every tiled exchange
  double weights = 0;          // elements
  double weight_bytes = 0;
  double working_bytes = 0;     // activations of the block in flight
  double stored_bytes = 0;      // activations of a block that waits for its backward pass
  double checkpoint_bytes = 0;  // its input alone, where all is recomputed
  double gradient_bytes = 0;    // of activations
  double boundary_bytes = 0;    // handed to the next pipeline stage, where there is one
  std::array<WeightGroup, 8> weight_groups;
  std::size_t weight_group_count = 0;
};

/// Depends on tensor_par, tensor_par_net, microbatch_size, datatype, fused_activation, attention, recompute,
/// tensor_par_comm, tensor_par_overlap, seq_par_ag_redo and training of `execution`, and on nothing else of
/// it. `misfit()` must have found nothing.
BlockCost block_cost(const Application& application, const Execution& execution, const System& system);

/// One optimizer step of a block, its state divided over `shards` processors.
Pass optimizer_cost(const BlockCost& block, const Execution& execution, const System& system);

}  // namespace assay::model

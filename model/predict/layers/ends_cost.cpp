// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Embedding and head, with the blocks that predict tokens further ahead.
#include "model/predict/layers/cost_parts.hpp"
#include "model/predict/layers/layer_sum.hpp"

namespace assay::model {
namespace {

EndCost end_cost(const BlockCost& sum) {
  return {.seconds = seconds_of(sum),
          .flops = flops_of(sum),
          .weights = sum.weights,
          .kept_bytes = sum.stored_bytes};
}

/// One more block, behind a projection of two tensors to one.
EndCost further_block(const Application& application, const Execution& execution, const System& system,
                      const BlockShape& shape) {
  BlockCost block;
  LayerSum sum(execution, system, block);
  sum.add(linear(shape.region / shape.hidden, 2 * shape.hidden, shape.hidden, shape.tensors.width));
  const double projection_bytes = block.stored_bytes;
  add_block_layers(application, execution, system.fixes, sum);
  const bool divided = system.fixes.split_checkpoints && execution.sequence_parallel();
  const Kept own = kept(block.stored_bytes - projection_bytes, application, execution, divided);
  return {.seconds = seconds_of(block),
          .flops = flops_of(block),
          .weights = block.weights + block.expert_weights,
          .kept_bytes = projection_bytes + own.stored_bytes + own.checkpoint_bytes};
}

}  // namespace

// Products of the head keep the activations' datatype, as recipes for narrow ones have it: what was measured
// of narrow ones says nothing about them.
void fill_ends(const Application& last, const Execution& execution, const System& system, BlockCost& cost) {
  Execution wide = execution;
  wide.product_datatype.reset();
  const Products products =
      execution.product_type() == execution.datatype ? Products::as_measured : Products::by_table;
  const BlockShape shape(last, wide, system.fixes);
  const double vocabulary = static_cast<double>(last.vocabulary);
  BlockCost first, head;
  LayerSum first_sum(wide, system, first, products), head_sum(wide, system, head, products);
  add_embedding_layers(shape, vocabulary, first_sum);
  add_head_layers(shape, vocabulary, head_sum);
  cost.embedding = end_cost(first);
  cost.head = end_cost(head);
  cost.tied_embedding = last.tied_embedding;
  if (last.mtp_blocks == 0) return;
  const EndCost block = further_block(last, execution, system, shape), pass = cost.head;
  const auto count = static_cast<double>(last.mtp_blocks);
  cost.head.seconds += count * (block.seconds + pass.seconds);
  cost.head.flops += count * (block.flops + pass.flops);
  cost.head.weights += count * block.weights;
  cost.head.kept_bytes += count * (block.kept_bytes + pass.kept_bytes);
}

}  // namespace assay::model

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The sizes of one transformer block on one processor, and what of it is done again in the backward pass.
#pragma once

#include "model/predict/layers/layer.hpp"
#include "model/predict/system/execution.hpp"

namespace assay::model {

/// Elements, unless they say otherwise.
struct BlockShape {
  Tensors tensors;
  double sequences, seq, hidden, feedforward, heads, head_size, attention_width;
  double region;            // between the exchanges, where sequence parallelism divides by tokens
  double whole;             // of an undivided tensor
  double kv_heads;          // on this processor; 0 where the application does not group its queries
  double routed;            // slots of experts a token takes; 1 without experts
  double expert_tensor;     // processors that an expert's matrices are divided over
  double local_experts;     // on this processor
  double tokens_an_expert;  // from all expert-parallel peers
  double keys;              // that a query meets in a fused kernel
  bool dropout;
  bool full, attention_again, gather_again_in_attention, gather_again;

  BlockShape(const Application& application, const Execution& execution, const Fixes& fixes);
};

}  // namespace assay::model

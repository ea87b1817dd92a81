// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/layers/block_shape.hpp"

#include <algorithm>
#include <cmath>

#include "model/predict/layers/seen_keys.hpp"

namespace assay::model {
namespace {

/// With more processors than key-value heads, each head is on several.
double local_kv_heads(const Application& app, const Execution& exec) {
  if (app.kv_heads == 0) return 0;
  return static_cast<double>(std::max<std::int64_t>(1, app.kv_heads / exec.tensor_par));
}

}  // namespace

BlockShape::BlockShape(const Application& app, const Execution& exec, const Fixes& fixes)
    : tensors{.tokens = static_cast<double>(exec.microbatch_size) * static_cast<double>(app.seq_size) /
                        static_cast<double>(exec.context_par),
              .hidden = static_cast<double>(app.hidden),
              .width = bytes_of(exec.datatype),
              .tensor_par = static_cast<double>(exec.tensor_par),
              .sequence_parallel = exec.sequence_parallel(),
              .whole_gradients = fixes.tile_pieces},
      sequences(static_cast<double>(exec.microbatch_size) / static_cast<double>(exec.context_par)),
      seq(static_cast<double>(app.seq_size)),
      hidden(tensors.hidden),
      feedforward(static_cast<double>(app.feedforward)),
      heads(static_cast<double>(app.attn_heads)),
      head_size(static_cast<double>(app.attn_size)),
      attention_width(heads * head_size),
      region(exec.sequence_parallel() ? std::floor(tensors.tokens / tensors.tensor_par) * hidden
                                      : tensors.tokens * hidden),
      whole(tensors.tokens * hidden),
      kv_heads(local_kv_heads(app, exec)),
      routed(static_cast<double>(app.experts_per_token) * app.capacity_factor),
      expert_tensor(static_cast<double>(exec.expert_tensor())),
      local_experts(static_cast<double>(app.experts) / static_cast<double>(exec.expert_par)),
      tokens_an_expert(app.experts == 0
                           ? 0
                           : tensors.tokens * routed * expert_tensor / tensors.tensor_par / local_experts),
      keys(tiled_keys(app)),
      dropout(app.dropout),
      full(exec.recompute == Recompute::full),
      attention_again(exec.recompute != Recompute::none),
      gather_again_in_attention((fixes.attention_gather ? full : attention_again) || exec.seq_par_ag_redo),
      gather_again(full || exec.seq_par_ag_redo) {}

}  // namespace assay::model

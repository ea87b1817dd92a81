// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/layers/block_layers.hpp"

namespace assay::model {
namespace {

/// Columns of queries, keys and values together on this processor, where queries are grouped.
double grouped_columns(const BlockShape& s) {
  return s.attention_width / s.tensors.tensor_par + 2 * s.kv_heads * s.head_size;
}

void add_projection(const BlockShape& s, double outputs, LayerSink& sink) {
  sink.add(linear(s.tensors.tokens, s.hidden, outputs, s.tensors.width)
               .recompute_if(s.full)
               .shares_input()
               .drop_activation_if(true));
}

void add_fork(const BlockShape& s, double users, LayerSink& sink) {
  sink.add(fork(s.whole, users, s.tensors.width)
               .recompute_if(s.gather_again_in_attention)
               .drop_activation_if(s.gather_again_in_attention));
}

void add_projections(const BlockShape& s, bool multiquery, LayerSink& sink) {
  const double split = s.attention_width / s.tensors.tensor_par;
  sink.add(exchange_layer(s.tensors, Exchange::gather).repeat_exchange_if(s.gather_again_in_attention));
  add_fork(s, 3, sink);
  add_projection(s, split, sink);
  const double key = s.kv_heads > 0 ? s.kv_heads * s.head_size : multiquery ? s.head_size : split;
  for (int key_and_value = 0; key_and_value < 2; ++key_and_value) add_projection(s, key, sink);
}

void add_tiled_projections(const BlockShape& s, bool multiquery, LayerSink& sink) {
  const double columns =
      s.kv_heads > 0 ? grouped_columns(s) * s.tensors.tensor_par : (multiquery ? 1 : 3) * s.attention_width;
  sink.add(tiled_column_gemm(s.tensors, columns)
               .recompute_if(s.full)
               .repeat_exchange_if(s.gather_again_in_attention));
  if (!multiquery || s.kv_heads > 0) return;
  add_fork(s, 2, sink);
  for (int key_and_value = 0; key_and_value < 2; ++key_and_value) add_projection(s, s.head_size, sink);
}

/// Queries that share a key, on this processor.
double sharing(const BlockShape& s) {
  return s.kv_heads > 0 ? s.heads / s.tensors.tensor_par / s.kv_heads : 1;
}

void add_scores(const BlockShape& s, LayerSink& sink) {
  const double w = s.tensors.width;
  const double products = s.sequences * s.heads / s.tensors.tensor_par;
  const double scores = products * s.seq * s.seq;
  const bool again = s.attention_again;
  sink.add(batched_matmul(products, s.seq, s.head_size, s.seq, w, sharing(s))
               .of_attention(AttentionProduct::scores)
               .recompute_if(again)
               .drop_output_if(again));
  sink.add(softmax(scores, s.seq, w).recompute_if(again).drop_output_if(again));
  if (s.dropout) sink.add(dropout(scores, w).recompute_if(again).drop_activation_if(again));
  sink.add(batched_matmul(products, s.seq, s.seq, s.head_size, w, sharing(s))
               .of_attention(AttentionProduct::context)
               .recompute_if(s.full));
}

/// The kernel makes its scores again in the backward pass, whatever else is recomputed.
void add_fused_scores(const BlockShape& s, LayerSink& sink) {
  const double w = s.tensors.width;
  const double products = s.sequences * s.heads / s.tensors.tensor_par;
  const FusedHeads heads{products, s.seq, s.keys, s.head_size};
  const double scores = products * s.seq * s.keys;
  sink.add(fused_scores(heads, w, sharing(s)).recompute_if(true));
  sink.add(in_registers(softmax(scores, s.seq, w)).recompute_if(true));
  if (s.dropout) sink.add(in_registers(dropout(scores, w)).recompute_if(true));
  sink.add(fused_values(heads, w, sharing(s)).recompute_if(s.full));
}

/// Bytes that context parallelism exchanges of this processor's heads: keys and values of all tokens, or
/// queries, keys, values and results of its own.
double context_bytes(const BlockShape& s, const Execution& execution) {
  const double split = s.attention_width / s.tensors.tensor_par;
  const double keys = s.kv_heads > 0                                 ? s.kv_heads * s.head_size
                      : execution.attention == Attention::multiquery ? s.head_size
                                                                     : split;
  const double own = s.tensors.tokens * s.tensors.width;
  if (execution.context_par_type == ContextPar::ulysses) return own * 2 * (split + keys);
  return own * static_cast<double>(execution.context_par) * 2 * keys;
}

}  // namespace

void add_attention_layers(const BlockShape& s, const Execution& execution, LayerSink& sink) {
  const bool tiled = execution.tensor_par_overlap != TensorParOverlap::none;
  const bool multiquery = execution.attention == Attention::multiquery;
  if (tiled)
    add_tiled_projections(s, multiquery, sink);
  else
    add_projections(s, multiquery, sink);
  const bool divided = execution.context_par > 1;
  if (divided) sink.add(context_begins());
  if (execution.fused_attention)
    add_fused_scores(s, sink);
  else
    add_scores(s, sink);
  if (divided) sink.add(context_exchange(context_bytes(s, execution)).repeat_exchange_if(s.full));
  add_closing_gemm(s, s.attention_width, tiled, sink);
}

}  // namespace assay::model

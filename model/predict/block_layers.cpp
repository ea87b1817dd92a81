// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/block_layers.hpp"

#include <cmath>

namespace assay::model {
namespace {

/// Sizes on one processor, in elements, and what is done again in the backward pass.
struct Shape {
  Tensors tensors;
  double sequences, seq, hidden, feedforward, heads, head_size, attention_width;
  double region;  // elements between the exchanges, where sequence parallelism divides by tokens
  double whole;   // elements of an undivided tensor
  bool full, attention_again, gather_again_in_attention, gather_again;

  Shape(const Application& app, const Execution& exec)
      : tensors{.tokens = static_cast<double>(exec.microbatch_size) * static_cast<double>(app.seq_size),
                .hidden = static_cast<double>(app.hidden),
                .width = bytes_of(exec.datatype),
                .tensor_par = static_cast<double>(exec.tensor_par),
                .sequence_parallel = exec.sequence_parallel()},
        sequences(static_cast<double>(exec.microbatch_size)),
        seq(static_cast<double>(app.seq_size)),
        hidden(tensors.hidden),
        feedforward(static_cast<double>(app.feedforward)),
        heads(static_cast<double>(app.attn_heads)),
        head_size(static_cast<double>(app.attn_size)),
        attention_width(heads * head_size),
        region(exec.sequence_parallel() ? std::floor(tensors.tokens / tensors.tensor_par) * hidden
                                        : tensors.tokens * hidden),
        whole(tensors.tokens * hidden),
        full(exec.recompute == Recompute::full),
        attention_again(exec.recompute != Recompute::none),
        gather_again_in_attention(attention_again || exec.seq_par_ag_redo),
        gather_again(full || exec.seq_par_ag_redo) {}
};

void add_norm(LayerList& list, const Shape& s) {
  list.add(fork(s.region, 2, s.tensors.width).recompute_if(s.full));
  list.add(layer_norm(s.region, s.hidden, s.tensors.width)
               .recompute_if(s.full)
               .shares_input()
               .drop_activation_if(true));
}

void add_end(LayerList& list, const Shape& s) {
  list.add(dropout(s.region, s.tensors.width).recompute_if(s.full));
  list.add(residual(s.region, s.tensors.width).recompute_if(s.full).shares_input().drop_activation_if(true));
}

void add_projection(LayerList& list, const Shape& s, double outputs) {
  list.add(linear(s.tensors.tokens, s.hidden, outputs, s.tensors.width)
               .recompute_if(s.full)
               .shares_input()
               .drop_activation_if(true));
}

void add_projections(LayerList& list, const Shape& s, bool multiquery) {
  const double split = s.attention_width / s.tensors.tensor_par;
  list.add(exchange_layer(s.tensors, Exchange::gather).repeat_exchange_if(s.gather_again_in_attention));
  list.add(fork(s.whole, 3, s.tensors.width)
               .recompute_if(s.gather_again_in_attention)
               .drop_activation_if(s.gather_again_in_attention));
  add_projection(list, s, split);
  for (int key_and_value = 0; key_and_value < 2; ++key_and_value)
    add_projection(list, s, multiquery ? s.head_size : split);
}

void add_tiled_projections(LayerList& list, const Shape& s, bool multiquery) {
  list.add(tiled_column_gemm(s.tensors, (multiquery ? 1 : 3) * s.attention_width)
               .recompute_if(s.full)
               .repeat_exchange_if(s.gather_again_in_attention));
  if (!multiquery) return;
  list.add(fork(s.whole, 2, s.tensors.width)
               .recompute_if(s.gather_again_in_attention)
               .drop_activation_if(s.gather_again_in_attention));
  for (int key_and_value = 0; key_and_value < 2; ++key_and_value) add_projection(list, s, s.head_size);
}

void add_attention(LayerList& list, const Shape& s) {
  const double w = s.tensors.width;
  const double products = s.sequences * s.heads / s.tensors.tensor_par;
  const double scores = products * s.seq * s.seq;
  const bool again = s.attention_again;
  list.add(batched_matmul(products, s.seq, s.head_size, s.seq, w).recompute_if(again).drop_output_if(again));
  list.add(softmax(scores, w).recompute_if(again).drop_output_if(again));
  list.add(dropout(scores, w).recompute_if(again).drop_activation_if(again));
  list.add(batched_matmul(products, s.seq, s.seq, s.head_size, w).recompute_if(s.full));
}

/// The row-parallel GEMM that closes attention or MLP, with its reduction.
void add_closing_gemm(LayerList& list, const Shape& s, double inputs, bool tiled) {
  if (tiled) {
    list.add(tiled_row_gemm(s.tensors, inputs).recompute_if(s.full).repeat_exchange_if(s.full));
    return;
  }
  list.add(linear(s.tensors.tokens, inputs / s.tensors.tensor_par, s.hidden, s.tensors.width)
               .recompute_if(s.full));
  list.add(exchange_layer(s.tensors, Exchange::reduce).repeat_exchange_if(s.full).drop_activation_if(true));
}

void add_mlp(LayerList& list, const Shape& s, bool tiled, bool fused) {
  const double split = s.feedforward / s.tensors.tensor_par;
  if (tiled) {
    list.add(
        tiled_column_gemm(s.tensors, s.feedforward).recompute_if(s.full).repeat_exchange_if(s.gather_again));
  } else {
    list.add(exchange_layer(s.tensors, Exchange::gather).repeat_exchange_if(s.gather_again));
    list.add(linear(s.tensors.tokens, s.hidden, split, s.tensors.width)
                 .recompute_if(s.full)
                 .drop_activation_if(s.gather_again));
  }
  list.add(gelu(s.tensors.tokens * split, s.tensors.width, fused).recompute_if(s.full));
  add_closing_gemm(list, s, s.feedforward, tiled);
}

}  // namespace

LayerList block_layers(const Application& application, const Execution& execution) {
  const Shape shape(application, execution);
  const bool tiled = execution.tensor_par_overlap != TensorParOverlap::none;
  const bool multiquery = execution.attention == Attention::multiquery;
  LayerList list;
  add_norm(list, shape);
  if (tiled)
    add_tiled_projections(list, shape, multiquery);
  else
    add_projections(list, shape, multiquery);
  add_attention(list, shape);
  add_closing_gemm(list, shape, shape.attention_width, tiled);
  add_end(list, shape);
  add_norm(list, shape);
  add_mlp(list, shape, tiled, execution.fused_activation);
  add_end(list, shape);
  return list;
}

}  // namespace assay::model

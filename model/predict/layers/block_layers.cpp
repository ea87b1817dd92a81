// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/layers/block_layers.hpp"

namespace assay::model {
namespace {

void add_norm(const BlockShape& s, LayerSink& sink) {
  sink.add(fork(s.region, 2, s.tensors.width).recompute_if(s.full));
  sink.add(layer_norm(s.region, s.hidden, s.tensors.width)
               .recompute_if(s.full)
               .shares_input()
               .drop_activation_if(true));
}

void add_end(const BlockShape& s, LayerSink& sink) {
  if (s.dropout) sink.add(dropout(s.region, s.tensors.width).recompute_if(s.full));
  sink.add(residual(s.region, s.tensors.width).recompute_if(s.full).shares_input().drop_activation_if(true));
}

}  // namespace

void add_closing_gemm(const BlockShape& s, double inputs, bool tiled, LayerSink& sink) {
  if (tiled) {
    sink.add(tiled_row_gemm(s.tensors, inputs).recompute_if(s.full).repeat_exchange_if(s.full));
    return;
  }
  sink.add(linear(s.tensors.tokens, inputs / s.tensors.tensor_par, s.hidden, s.tensors.width)
               .recompute_if(s.full));
  sink.add(exchange_layer(s.tensors, Exchange::reduce).repeat_exchange_if(s.full).drop_activation_if(true));
}

void add_block_layers(const Application& application, const Execution& execution, const Fixes& fixes,
                      LayerSink& sink) {
  const BlockShape shape(application, execution, fixes);
  add_norm(shape, sink);
  add_attention_layers(shape, execution, sink);
  add_end(shape, sink);
  add_norm(shape, sink);
  add_mlp_layers(shape, application, execution, sink);
  add_end(shape, sink);
}

void add_embedding_layers(const BlockShape& s, double vocabulary, LayerSink& sink) {
  sink.add(embedding(s.tensors.tokens, s.hidden, vocabulary / s.tensors.tensor_par, s.tensors.width));
  sink.add(exchange_layer(s.tensors, Exchange::reduce).drop_activation_if(true));
}

// Logits are normalised and compared in fp32.
void add_head_layers(const BlockShape& s, double vocabulary, LayerSink& sink) {
  const double rows = vocabulary / s.tensors.tensor_par;
  sink.add(layer_norm(s.region, s.hidden, s.tensors.width));
  sink.add(exchange_layer(s.tensors, Exchange::gather).drop_activation_if(true));
  sink.add(linear(s.tensors.tokens, s.hidden, rows, s.tensors.width));
  sink.add(softmax(s.tensors.tokens * rows, rows, 4));
}

}  // namespace assay::model

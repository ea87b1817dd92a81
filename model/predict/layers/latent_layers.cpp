// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Multi-head latent attention as it is trained: narrow tensors of queries and of keys and values, whole on
// every processor, from which each makes its heads. Sparse attention has an indexer before it.
#include <algorithm>

#include "model/predict/layers/block_layers.hpp"
#include "model/predict/layers/seen_keys.hpp"

namespace assay::model {
namespace {

struct Widths {
  double query, key_value;  // of the narrow tensors; query 0: there is none
  double rope;

  explicit Widths(const Latent& latent)
      : query(static_cast<double>(latent.query)),
        key_value(static_cast<double>(latent.key_value)),
        rope(static_cast<double>(latent.rope)) {}
};

void add_linear(const BlockShape& s, double tokens, double inputs, double outputs, LayerSink& sink) {
  sink.add(linear(tokens, inputs, outputs, s.tensors.width).recompute_if(s.full));
}

/// Narrow tensors of this processor's tokens, with their norms.
void add_down(const BlockShape& s, const Widths& widths, LayerSink& sink) {
  const double tokens = s.region / s.hidden, w = s.tensors.width;
  sink.add(fork(s.region, 2, w).recompute_if(s.full));
  if (widths.query > 0) {
    sink.add(linear(tokens, s.hidden, widths.query, w).recompute_if(s.full).shares_input());
    sink.add(layer_norm(tokens * widths.query, widths.query, w).recompute_if(s.full));
  }
  sink.add(linear(tokens, s.hidden, widths.key_value + widths.rope, w)
               .recompute_if(s.full)
               .shares_input()
               .drop_activation_if(true));
  sink.add(layer_norm(tokens * widths.key_value, widths.key_value, w).recompute_if(s.full));
}

/// Each processor's heads, of all tokens.
void add_up(const BlockShape& s, const Widths& widths, LayerSink& sink) {
  const double heads = s.heads / s.tensors.tensor_par;
  Tensors narrow = s.tensors;
  narrow.hidden = (widths.query > 0 ? widths.query : s.hidden) + widths.key_value + widths.rope;
  sink.add(exchange_layer(narrow, Exchange::gather).repeat_exchange_if(s.gather_again_in_attention));
  add_linear(s, s.tensors.tokens, widths.query > 0 ? widths.query : s.hidden, heads * s.head_size, sink);
  const double key = s.head_size - widths.rope;
  add_linear(s, s.tensors.tokens, widths.key_value, heads * (key + s.value_size), sink);
}

/// The indexer is whole on every processor, as its choice is.
void add_indexer(const BlockShape& s, const Sparse& sparse, const Widths& widths, LayerSink& sink) {
  const auto heads = static_cast<double>(sparse.heads), size = static_cast<double>(sparse.size);
  const double tokens = s.tensors.tokens, w = s.tensors.width;
  add_linear(s, tokens, widths.query > 0 ? widths.query : s.hidden, heads * size, sink);
  sink.add(
      linear(tokens, s.hidden, size + heads, w).recompute_if(s.full).shares_input().drop_activation_if(true));
  sink.add(index_scores({s.sequences * heads, s.seq, s.keys, size}, w).recompute_if(s.full));
}

/// Bytes of keys and values of all tokens, or of queries, keys, values and results of its own.
double context_bytes_of_latent(const BlockShape& s, const Execution& execution) {
  const double own = s.tensors.tokens * s.tensors.width * s.heads / s.tensors.tensor_par;
  const double times =
      execution.context_par_type == ContextPar::ulysses ? 2 : static_cast<double>(execution.context_par);
  return own * times * (s.head_size + s.value_size);
}

}  // namespace

void add_latent_attention_layers(const BlockShape& s, const Application& application,
                                 const Execution& execution, LayerSink& sink) {
  const Widths widths(application.latent);
  add_down(s, widths, sink);
  add_up(s, widths, sink);
  BlockShape chosen = s;
  if (application.sparse.top > 0) {
    add_indexer(s, application.sparse, widths, sink);
    Application top = application;
    top.window = application.window > 0 ? std::min(application.window, application.sparse.top)
                                        : application.sparse.top;
    chosen.keys = std::min(s.keys, seen_keys(top));
  }
  const bool divided = execution.context_par > 1;
  if (divided) sink.add(context_begins());
  add_score_layers(chosen, 1, execution, sink);
  if (divided) sink.add(context_exchange(context_bytes_of_latent(s, execution)).repeat_exchange_if(s.full));
  add_closing_gemm(s, s.attention_width, execution.tensor_par_overlap != TensorParOverlap::none, sink);
}

}  // namespace assay::model

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Linear attention and state-space models (Mamba-2): values, gate, keys, queries and steps by one projection,
// a short convolution, the scan, a gated norm.
#include <algorithm>

#include "model/predict/layers/block_layers.hpp"

namespace assay::model {

void add_state_layers(const BlockShape& s, const State& state, const Execution& execution, LayerSink& sink) {
  const double t = s.tensors.tensor_par, tokens = s.tensors.tokens, w = s.tensors.width;
  const Scan here{.tokens = tokens,
                  .heads = static_cast<double>(state.heads) / t,
                  .head_size = static_cast<double>(state.head_size),
                  .state_size = static_cast<double>(state.state_size),
                  .groups = std::max(1.0, static_cast<double>(state.groups) / t),
                  .chunk = std::min(static_cast<double>(state.chunk), s.seq)};
  const double inner = here.heads * here.head_size;
  const double mixed = inner + 2 * here.groups * here.state_size;
  sink.add(exchange_layer(s.tensors, Exchange::gather).repeat_exchange_if(s.gather_again_in_attention));
  sink.add(linear(tokens, s.hidden, inner + mixed + here.heads, w)
               .recompute_if(s.full)
               .drop_activation_if(s.gather_again_in_attention));
  sink.add(short_convolution(tokens, mixed, static_cast<double>(state.taps), w).recompute_if(s.full));
  sink.add(scan(here, w).recompute_if(s.full));
  sink.add(gated_activation(tokens * inner, w, execution.fused_activation).recompute_if(s.full));
  sink.add(layer_norm(tokens * inner, inner, w).recompute_if(s.full));
  const bool tiled = execution.tensor_par_overlap != TensorParOverlap::none;
  add_closing_gemm(s, inner * t, tiled, sink);
}

}  // namespace assay::model

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/layers/block_layers.hpp"

namespace assay::model {
namespace {

Layer activation(double elements, double width, bool gated, bool fused) {
  return gated ? gated_activation(elements, width, fused) : gelu(elements, width, fused);
}

void add_dense(const BlockShape& s, bool gated, const Execution& execution, LayerSink& sink) {
  const bool tiled = execution.tensor_par_overlap != TensorParOverlap::none;
  const double split = s.feedforward / s.tensors.tensor_par;
  const double up = gated ? 2 : 1;
  if (tiled) {
    sink.add(tiled_column_gemm(s.tensors, up * s.feedforward)
                 .recompute_if(s.full)
                 .repeat_exchange_if(s.gather_again));
  } else {
    sink.add(exchange_layer(s.tensors, Exchange::gather).repeat_exchange_if(s.gather_again));
    sink.add(linear(s.tensors.tokens, s.hidden, up * split, s.tensors.width)
                 .recompute_if(s.full)
                 .drop_activation_if(s.gather_again));
  }
  sink.add(activation(s.tensors.tokens * split, s.tensors.width, gated, execution.fused_activation)
               .recompute_if(s.full));
  add_closing_gemm(s, s.feedforward, tiled, sink);
}

void add_router(const BlockShape& s, double experts, LayerSink& sink) {
  const double tokens = s.region / s.hidden;
  sink.add(linear(tokens, s.hidden, experts, s.tensors.width)
               .recompute_if(s.full)
               .shares_input()
               .drop_activation_if(true));
  sink.add(softmax(tokens * experts, experts, s.tensors.width).recompute_if(s.full));
}

/// Every token goes to its experts, is gathered where tensor parallelism divides them, and comes back.
void add_experts(const BlockShape& s, bool gated, const Execution& execution, LayerSink& sink) {
  const double w = s.tensors.width;
  const double split = s.feedforward / s.expert_tensor;
  Tensors routed = s.tensors;
  routed.tokens *= s.routed * s.expert_tensor / s.tensors.tensor_par;
  routed.tensor_par = s.expert_tensor;
  sink.add(dispatch(s.region * s.routed, w).repeat_exchange_if(s.full));
  sink.add(exchange_layer(routed, Exchange::gather).between_experts().repeat_exchange_if(s.gather_again));
  sink.add(expert_linear(s.local_experts, s.tokens_an_expert, s.hidden, (gated ? 2 : 1) * split, w)
               .recompute_if(s.full)
               .drop_activation_if(s.gather_again));
  sink.add(activation(routed.tokens * split, w, gated, execution.fused_activation).recompute_if(s.full));
  sink.add(expert_linear(s.local_experts, s.tokens_an_expert, split, s.hidden, w).recompute_if(s.full));
  sink.add(exchange_layer(routed, Exchange::reduce)
               .between_experts()
               .repeat_exchange_if(s.full)
               .drop_activation_if(true));
  sink.add(dispatch(s.region * s.routed, w).repeat_exchange_if(s.full));
}

}  // namespace

void add_mlp_layers(const BlockShape& s, const Application& application, const Execution& execution,
                    LayerSink& sink) {
  if (application.experts == 0) {
    add_dense(s, application.gated_mlp, execution, sink);
    return;
  }
  add_router(s, static_cast<double>(application.experts), sink);
  add_experts(s, application.gated_mlp, execution, sink);
}

}  // namespace assay::model

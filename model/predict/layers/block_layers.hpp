// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The layers of a transformer block on one processor, and those before the first block and after the last.
#pragma once

#include "model/predict/layers/block_shape.hpp"

namespace assay::model {

/// Receives layers in their order.
class LayerSink {
 public:
  virtual void add(const Layer& layer) = 0;

 protected:
  ~LayerSink() = default;
};

void add_block_layers(const Application& application, const Execution& execution, const Fixes& fixes,
                      LayerSink& sink);

/// Add attention, from the exchange before the projections to the one after the closing GEMM.
void add_attention_layers(const BlockShape& shape, const Application& application, const Execution& execution,
                          LayerSink& sink);
void add_latent_attention_layers(const BlockShape& shape, const Application& application,
                                 const Execution& execution, LayerSink& sink);
/// Adds queries by keys, softmax and the result by values; `sharing` queries have one key.
void add_score_layers(const BlockShape& shape, double sharing, const Execution& execution, LayerSink& sink);
/// Adds linear attention or a state-space model: the same work under two names.
void add_state_layers(const BlockShape& shape, const State& state, const Execution& execution,
                      LayerSink& sink);
/// Adds the MLP, or the experts in its place, with the exchanges before and after.
void add_mlp_layers(const BlockShape& shape, const Application& application, const Execution& execution,
                    LayerSink& sink);

/// Adds the row-parallel GEMM that closes attention or MLP, with its reduction.
void add_closing_gemm(const BlockShape& shape, double inputs, bool tiled, LayerSink& sink);

/// Add the ends of an application with a vocabulary: on the first stage of the pipeline, and on the last.
void add_embedding_layers(const BlockShape& shape, double vocabulary, LayerSink& sink);
void add_head_layers(const BlockShape& shape, double vocabulary, LayerSink& sink);

}  // namespace assay::model

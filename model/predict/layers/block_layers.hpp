// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Which layers a transformer block consists of on one processor, and those before the first block and after
// the last.
#pragma once

#include "model/predict/layers/block_shape.hpp"

namespace assay::model {

/// Is handed layers in their order.
class LayerSink {
 public:
  virtual void add(const Layer& layer) = 0;

 protected:
  ~LayerSink() = default;
};

void add_block_layers(const Application& application, const Execution& execution, const Fixes& fixes,
                      LayerSink& sink);

/// From the exchange before the projections to the one after the closing GEMM.
void add_attention_layers(const BlockShape& shape, const Execution& execution, LayerSink& sink);
/// The same of the MLP, or of the experts in its place.
void add_mlp_layers(const BlockShape& shape, const Application& application, const Execution& execution,
                    LayerSink& sink);

/// The row-parallel GEMM that closes attention or MLP, with its reduction.
void add_closing_gemm(const BlockShape& shape, double inputs, bool tiled, LayerSink& sink);

/// For an application with a vocabulary: on the first stage of the pipeline, and on the last.
void add_embedding_layers(const BlockShape& shape, double vocabulary, LayerSink& sink);
void add_head_layers(const BlockShape& shape, double vocabulary, LayerSink& sink);

}  // namespace assay::model

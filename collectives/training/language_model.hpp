// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A decoder of pre-norm blocks, forward and backward. It keeps what the backward pass needs of the last
// forward pass, and allocates nothing in either.
#pragma once

#include <span>
#include <vector>

#include "collectives/training/aligned_floats.hpp"
#include "collectives/training/layer_functions.hpp"
#include "collectives/training/matrix_products.hpp"
#include "collectives/training/model_shape.hpp"
#include "collectives/training/token_chain.hpp"

namespace assay::collectives {

class LanguageModel {
 public:
  /// `products` must outlive it.
  LanguageModel(const ModelShape& shape, MatrixProducts& products);

  /// The mean cross entropy of the tokens that follow.
  double forward(const ModelTensors& weights, const TokenBatch& batch);
  /// After forward() of the same arguments: writes every gradient.
  void backward(const ModelTensors& weights, const TokenBatch& batch, const ModelTensors& gradients);

 private:
  struct Block {  // of the last forward pass
    explicit Block(const ModelShape& shape);
    AlignedFloats input, attention_rms, attention_normed, query, key, value, probabilities, mixed;
    AlignedFloats middle, mlp_rms, mlp_normed, up, active;
  };
  struct Products {
    LinearProducts qkv, attention_output, up, down, head;
    AttentionProducts attention;
  };

  HeadsInRows heads_in(std::int64_t width, std::int64_t first) const;
  void attend(Block& block, const BlockTensors& weights);
  void attend_backward(Block& block, const BlockTensors& weights, const BlockTensors& gradients);
  void feed(Block& block, const BlockTensors& weights, std::span<float> output);
  void feed_backward(Block& block, const BlockTensors& weights, const BlockTensors& gradients);
  void linear(const LinearProducts& one, std::span<const float> x, std::span<const float> weights,
              std::span<float> y);
  /// Both gradients of y = x w^T.
  void linear_backward(const LinearProducts& one, std::span<const float> x, std::span<const float> weights,
                       std::span<const float> y_gradient, std::span<float> x_gradient,
                       std::span<float> weight_gradient);

  ModelShape shape_;
  MatrixProducts& products_;
  Products known_;
  float score_scale_;
  std::vector<Block> blocks_;
  AlignedFloats last_, last_rms_, last_normed_, logits_;
  // Scratch of one block at a time:
  AlignedFloats qkv_, heads_, scores_, mixed_gradient_, wide_;
  AlignedFloats gradient_, normed_gradient_, query_gradient_, key_gradient_, value_gradient_;
};

}  // namespace assay::collectives

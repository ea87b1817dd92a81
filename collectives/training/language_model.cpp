// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/training/language_model.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace assay::collectives {
namespace {

void add(std::span<const float> from, std::span<float> to) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += from[i];
}

std::span<float> row_of(std::span<float> rows, std::size_t row, std::int64_t width) {
  return rows.subspan(row * static_cast<std::size_t>(width), static_cast<std::size_t>(width));
}

std::int64_t rows(const ModelShape& shape, std::int64_t width) { return shape.tokens() * width; }
std::int64_t squares(const ModelShape& shape) { return rows(shape, shape.heads() * shape.sequence); }

}  // namespace

LanguageModel::Block::Block(const ModelShape& shape)
    : input(rows(shape, shape.hidden)),
      attention_rms(rows(shape, 1)),
      attention_normed(rows(shape, shape.hidden)),
      query(rows(shape, shape.hidden)),
      key(rows(shape, shape.hidden)),
      value(rows(shape, shape.hidden)),
      probabilities(squares(shape)),
      mixed(rows(shape, shape.hidden)),
      middle(rows(shape, shape.hidden)),
      mlp_rms(rows(shape, 1)),
      mlp_normed(rows(shape, shape.hidden)),
      up(rows(shape, shape.feed_forward())),
      active(rows(shape, shape.feed_forward())) {}

LanguageModel::LanguageModel(const ModelShape& shape, MatrixProducts& products)
    : shape_(shape),
      products_(products),
      known_{.qkv = linear_products(shape, shape.hidden, 3 * shape.hidden),
             .attention_output = linear_products(shape, shape.hidden, shape.hidden),
             .up = linear_products(shape, shape.hidden, shape.feed_forward()),
             .down = linear_products(shape, shape.feed_forward(), shape.hidden),
             .head = linear_products(shape, shape.hidden, shape.vocabulary),
             .attention = attention_products(shape)},
      score_scale_(1 / std::sqrt(static_cast<float>(shape.head))),
      last_(rows(shape, shape.hidden)),
      last_rms_(rows(shape, 1)),
      last_normed_(rows(shape, shape.hidden)),
      logits_(rows(shape, shape.vocabulary)),
      qkv_(rows(shape, 3 * shape.hidden)),
      heads_(rows(shape, shape.hidden)),
      scores_(squares(shape)),
      mixed_gradient_(rows(shape, shape.hidden)),
      wide_(rows(shape, shape.feed_forward())),
      gradient_(rows(shape, shape.hidden)),
      normed_gradient_(rows(shape, shape.hidden)),
      query_gradient_(rows(shape, shape.hidden)),
      key_gradient_(rows(shape, shape.hidden)),
      value_gradient_(rows(shape, shape.hidden)) {
  for (std::int64_t layer = 0; layer < shape.layers; ++layer) blocks_.emplace_back(shape);
}

HeadsInRows LanguageModel::heads_in(std::int64_t width, std::int64_t first) const {
  return {.sequences = shape_.sequences,
          .sequence = shape_.sequence,
          .heads = shape_.heads(),
          .head = shape_.head,
          .width = width,
          .first = first};
}

void LanguageModel::linear(const LinearProducts& one, std::span<const float> x,
                           std::span<const float> weights, std::span<float> y) {
  products_.multiply(one.forward, x, weights, y);
}

void LanguageModel::linear_backward(const LinearProducts& one, std::span<const float> x,
                                    std::span<const float> weights, std::span<const float> y_gradient,
                                    std::span<float> x_gradient, std::span<float> weight_gradient) {
  products_.multiply(one.input_gradient, y_gradient, weights, x_gradient);
  products_.multiply(one.weight_gradient, y_gradient, x, weight_gradient);
}

double LanguageModel::forward(const ModelTensors& weights, const TokenBatch& batch) {
  const std::span<float> first = blocks_.empty() ? last_.all() : blocks_.front().input.all();
  for (std::size_t token = 0; token < batch.inputs.size(); ++token) {
    const std::span<float> row = row_of(first, token, shape_.hidden);
    std::ranges::copy(row_of(weights.embedding, static_cast<std::size_t>(batch.inputs[token]), shape_.hidden),
                      row.begin());
    add(row_of(weights.positions, token % static_cast<std::size_t>(shape_.sequence), shape_.hidden), row);
  }
  for (std::size_t layer = 0; layer < blocks_.size(); ++layer) {
    attend(blocks_[layer], weights.blocks[layer]);
    feed(blocks_[layer], weights.blocks[layer],
         layer + 1 < blocks_.size() ? blocks_[layer + 1].input.all() : last_.all());
  }
  normalise(last_.all(), weights.final_norm, last_rms_.all(), last_normed_.all());
  linear(known_.head, last_normed_.all(), weights.head, logits_.all());
  return cross_entropy(logits_.all(), batch.targets);
}

void LanguageModel::attend(Block& block, const BlockTensors& weights) {
  const AttentionProducts& attention = known_.attention;
  const std::int64_t hidden = shape_.hidden;
  normalise(block.input.all(), weights.attention_norm, block.attention_rms.all(),
            block.attention_normed.all());
  linear(known_.qkv, block.attention_normed.all(), weights.qkv, qkv_.all());
  split_heads(qkv_.all(), heads_in(3 * hidden, 0), block.query.all());
  split_heads(qkv_.all(), heads_in(3 * hidden, hidden), block.key.all());
  split_heads(qkv_.all(), heads_in(3 * hidden, 2 * hidden), block.value.all());
  products_.multiply(attention.scores, block.query.all(), block.key.all(), block.probabilities.all());
  causal_softmax(block.probabilities.all(), shape_.sequence, score_scale_);
  products_.multiply(attention.mix, block.probabilities.all(), block.value.all(), heads_.all());
  merge_heads(heads_.all(), heads_in(hidden, 0), block.mixed.all());
  linear(known_.attention_output, block.mixed.all(), weights.attention_output, block.middle.all());
  add(block.input.all(), block.middle.all());
}

void LanguageModel::feed(Block& block, const BlockTensors& weights, std::span<float> output) {
  normalise(block.middle.all(), weights.mlp_norm, block.mlp_rms.all(), block.mlp_normed.all());
  linear(known_.up, block.mlp_normed.all(), weights.up, block.up.all());
  gelu(block.up.all(), block.active.all());
  linear(known_.down, block.active.all(), weights.down, output);
  add(block.middle.all(), output);
}

void LanguageModel::backward(const ModelTensors& weights, const TokenBatch& batch,
                             const ModelTensors& gradients) {
  std::ranges::fill(gradients.embedding, 0.0F);
  std::ranges::fill(gradients.positions, 0.0F);
  std::ranges::fill(gradients.final_norm, 0.0F);
  std::ranges::fill(gradient_.all(), 0.0F);
  linear_backward(known_.head, last_normed_.all(), weights.head, logits_.all(), normed_gradient_.all(),
                  gradients.head);
  normalise_backward(last_.all(), weights.final_norm, last_rms_.all(), normed_gradient_.all(),
                     gradient_.all(), gradients.final_norm);
  for (std::size_t layer = blocks_.size(); layer-- > 0;) {
    feed_backward(blocks_[layer], weights.blocks[layer], gradients.blocks[layer]);
    attend_backward(blocks_[layer], weights.blocks[layer], gradients.blocks[layer]);
  }
  for (std::size_t token = 0; token < batch.inputs.size(); ++token) {
    const std::span<const float> row = row_of(gradient_.all(), token, shape_.hidden);
    add(row, row_of(gradients.embedding, static_cast<std::size_t>(batch.inputs[token]), shape_.hidden));
    add(row, row_of(gradients.positions, token % static_cast<std::size_t>(shape_.sequence), shape_.hidden));
  }
}

void LanguageModel::feed_backward(Block& block, const BlockTensors& weights, const BlockTensors& gradients) {
  std::ranges::fill(gradients.mlp_norm, 0.0F);
  linear_backward(known_.down, block.active.all(), weights.down, gradient_.all(), wide_.all(),
                  gradients.down);
  gelu_backward(block.up.all(), wide_.all());
  linear_backward(known_.up, block.mlp_normed.all(), weights.up, wide_.all(), normed_gradient_.all(),
                  gradients.up);
  normalise_backward(block.middle.all(), weights.mlp_norm, block.mlp_rms.all(), normed_gradient_.all(),
                     gradient_.all(), gradients.mlp_norm);
}

void LanguageModel::attend_backward(Block& block, const BlockTensors& weights,
                                    const BlockTensors& gradients) {
  const AttentionProducts& attention = known_.attention;
  const std::int64_t hidden = shape_.hidden;
  std::ranges::fill(gradients.attention_norm, 0.0F);
  linear_backward(known_.attention_output, block.mixed.all(), weights.attention_output, gradient_.all(),
                  mixed_gradient_.all(), gradients.attention_output);
  split_heads(mixed_gradient_.all(), heads_in(hidden, 0), heads_.all());
  products_.multiply(attention.value_gradient, block.probabilities.all(), heads_.all(),
                     value_gradient_.all());
  products_.multiply(attention.probability_gradient, heads_.all(), block.value.all(), scores_.all());
  causal_softmax_backward(block.probabilities.all(), scores_.all(), shape_.sequence, score_scale_);
  products_.multiply(attention.query_gradient, scores_.all(), block.key.all(), query_gradient_.all());
  products_.multiply(attention.key_gradient, scores_.all(), block.query.all(), key_gradient_.all());
  merge_heads(query_gradient_.all(), heads_in(3 * hidden, 0), qkv_.all());
  merge_heads(key_gradient_.all(), heads_in(3 * hidden, hidden), qkv_.all());
  merge_heads(value_gradient_.all(), heads_in(3 * hidden, 2 * hidden), qkv_.all());
  linear_backward(known_.qkv, block.attention_normed.all(), weights.qkv, qkv_.all(), normed_gradient_.all(),
                  gradients.qkv);
  normalise_backward(block.input.all(), weights.attention_norm, block.attention_rms.all(),
                     normed_gradient_.all(), gradient_.all(), gradients.attention_norm);
}

}  // namespace assay::collectives

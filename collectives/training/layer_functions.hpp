// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The parts of a model that are no products, forward and backward, in fp32. A row is a token's.
#pragma once

#include <cstdint>
#include <span>

namespace assay::collectives {

/// y = x r gain with r = 1 / sqrt(mean(x^2) + 1e-5) of each row (Zhang and Sennrich 2019), which is kept.
void normalise(std::span<const float> x, std::span<const float> gain, std::span<float> inverse_rms,
               std::span<float> y);
/// Adds to both gradients.
void normalise_backward(std::span<const float> x, std::span<const float> gain,
                        std::span<const float> inverse_rms, std::span<const float> y_gradient,
                        std::span<float> x_gradient, std::span<float> gain_gradient);

/// GELU by tanh (Hendrycks and Gimpel 2016).
void gelu(std::span<const float> x, std::span<float> y);
/// In place: the gradient of y becomes that of x.
void gelu_backward(std::span<const float> x, std::span<float> gradient);

/// In place: squares of `tokens` rows and columns of scores become probabilities over each row's own token
/// and those before.
void causal_softmax(std::span<float> scores, std::int64_t tokens, float scale);
/// In place: the gradient of the probabilities becomes that of the scores before they were scaled.
void causal_softmax_backward(std::span<const float> probabilities, std::span<float> gradient,
                             std::int64_t tokens, float scale);

/// The mean cross entropy over rows; in place, logits become their gradient.
double cross_entropy(std::span<float> logits, std::span<const std::int32_t> targets);

/// Places of the heads' numbers in rows: a head's first is at `first` + head x their number.
struct HeadsInRows {
  std::int64_t sequences, sequence, heads, head;
  std::int64_t width, first;
};
/// Rows by token to matrices by sequence and head, and back.
void split_heads(std::span<const float> rows, const HeadsInRows& where, std::span<float> heads);
void merge_heads(std::span<const float> heads, const HeadsInRows& where, std::span<float> rows);

}  // namespace assay::collectives

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/training/layer_functions.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace assay::collectives {
namespace {

constexpr float norm_epsilon = 1e-5F;
constexpr float gelu_scale = 0.7978845608F, gelu_cube = 0.044715F;  // sqrt(2 / pi)

/// Calls `move(in rows, in heads)` with the place of each head's numbers of a token.
template <class Move>
void for_each_head(const HeadsInRows& where, const Move& move) {
  for (std::int64_t s = 0; s < where.sequences; ++s)
    for (std::int64_t h = 0; h < where.heads; ++h)
      for (std::int64_t t = 0; t < where.sequence; ++t)
        move((s * where.sequence + t) * where.width + where.first + h * where.head,
             ((s * where.heads + h) * where.sequence + t) * where.head);
}

/// Softmax of the first numbers of a row; the others become 0.
void softmax(float* row, std::int64_t first, std::int64_t all, float scale) {
  const float highest = *std::max_element(row, row + first);
  float sum = 0;
  for (std::int64_t i = 0; i < first; ++i) sum += row[i] = std::exp(scale * (row[i] - highest));
  for (std::int64_t i = 0; i < first; ++i) row[i] /= sum;
  std::fill(row + first, row + all, 0.0F);
}

}  // namespace

void normalise(std::span<const float> x, std::span<const float> gain, std::span<float> inverse_rms,
               std::span<float> y) {
  const std::size_t width = gain.size();
  for (std::size_t row = 0; row < inverse_rms.size(); ++row) {
    const float* const in = x.data() + row * width;
    float squares = 0;
    for (std::size_t i = 0; i < width; ++i) squares += in[i] * in[i];
    const float inverse = 1 / std::sqrt(squares / static_cast<float>(width) + norm_epsilon);
    for (std::size_t i = 0; i < width; ++i) y[row * width + i] = in[i] * inverse * gain[i];
    inverse_rms[row] = inverse;
  }
}

void normalise_backward(std::span<const float> x, std::span<const float> gain,
                        std::span<const float> inverse_rms, std::span<const float> y_gradient,
                        std::span<float> x_gradient, std::span<float> gain_gradient) {
  const std::size_t width = gain.size();
  for (std::size_t row = 0; row < inverse_rms.size(); ++row) {
    const float* const in = x.data() + row * width;
    const float* const from = y_gradient.data() + row * width;
    const float inverse = inverse_rms[row];
    float along = 0;  // of the gradient and x
    for (std::size_t i = 0; i < width; ++i) along += from[i] * gain[i] * in[i];
    const float back = along * inverse * inverse / static_cast<float>(width);
    for (std::size_t i = 0; i < width; ++i) {
      gain_gradient[i] += from[i] * in[i] * inverse;
      x_gradient[row * width + i] += inverse * (from[i] * gain[i] - in[i] * back);
    }
  }
}

void gelu(std::span<const float> x, std::span<float> y) {
  for (std::size_t i = 0; i < x.size(); ++i)
    y[i] = 0.5F * x[i] * (1 + std::tanh(gelu_scale * (x[i] + gelu_cube * x[i] * x[i] * x[i])));
}

void gelu_backward(std::span<const float> x, std::span<float> gradient) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    const float square = x[i] * x[i], curve = std::tanh(gelu_scale * x[i] * (1 + gelu_cube * square));
    gradient[i] *=
        0.5F * (1 + curve) + 0.5F * x[i] * (1 - curve * curve) * gelu_scale * (1 + 3 * gelu_cube * square);
  }
}

void causal_softmax(std::span<float> scores, std::int64_t tokens, float scale) {
  const auto rows = std::ssize(scores) / tokens;
  for (std::int64_t row = 0; row < rows; ++row)
    softmax(scores.data() + row * tokens, row % tokens + 1, tokens, scale);
}

void causal_softmax_backward(std::span<const float> probabilities, std::span<float> gradient,
                             std::int64_t tokens, float scale) {
  const auto rows = std::ssize(gradient) / tokens;
  for (std::int64_t row = 0; row < rows; ++row) {
    const float* const p = probabilities.data() + row * tokens;
    float* const g = gradient.data() + row * tokens;
    float mean = 0;
    for (std::int64_t i = 0; i <= row % tokens; ++i) mean += p[i] * g[i];
    for (std::int64_t i = 0; i < tokens; ++i) g[i] = i <= row % tokens ? scale * p[i] * (g[i] - mean) : 0;
  }
}

double cross_entropy(std::span<float> logits, std::span<const std::int32_t> targets) {
  const auto rows = std::ssize(targets), words = std::ssize(logits) / rows;
  double loss = 0;
  for (std::int64_t row = 0; row < rows; ++row) {
    float* const own = logits.data() + row * words;
    const std::int32_t target = targets[static_cast<std::size_t>(row)];
    const float highest = *std::max_element(own, own + words), wanted = own[target];
    double sum = 0;
    for (std::int64_t i = 0; i < words; ++i) sum += std::exp(static_cast<double>(own[i] - highest));
    loss += std::log(sum) - static_cast<double>(wanted - highest);
    softmax(own, words, words, 1);
    own[target] -= 1;
    for (std::int64_t i = 0; i < words; ++i) own[i] /= static_cast<float>(rows);
  }
  return loss / static_cast<double>(rows);
}

void split_heads(std::span<const float> rows, const HeadsInRows& where, std::span<float> heads) {
  for_each_head(where, [&](std::int64_t in_rows, std::int64_t in_heads) {
    std::copy_n(rows.data() + in_rows, where.head, heads.data() + in_heads);
  });
}

void merge_heads(std::span<const float> heads, const HeadsInRows& where, std::span<float> rows) {
  for_each_head(where, [&](std::int64_t in_rows, std::int64_t in_heads) {
    std::copy_n(heads.data() + in_heads, where.head, rows.data() + in_rows);
  });
}

}  // namespace assay::collectives

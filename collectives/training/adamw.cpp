// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/training/adamw.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace assay::collectives {
namespace {

constexpr double highest_rate = 3e-3, widest = 512, warm_up_steps = 10;
constexpr float mean_decay = 0.9F, square_decay = 0.95F, epsilon = 1e-8F, weight_decay = 0.01F;

}  // namespace

AdamW::AdamW(std::int64_t parameters, std::int64_t width)
    : mean_(parameters),
      square_(parameters),
      rate_(highest_rate * std::min(1.0, widest / static_cast<double>(width))) {}

void AdamW::restart() {
  std::ranges::fill(mean_.all(), 0.0F);
  std::ranges::fill(square_.all(), 0.0F);
  steps_ = 0;
}

void AdamW::update(std::span<float> weights, std::span<const float> gradients, float scale) {
  const auto step = static_cast<double>(++steps_);
  const auto mean_share = static_cast<float>(1 - std::pow(static_cast<double>(mean_decay), step)),
             square_share = static_cast<float>(1 - std::pow(static_cast<double>(square_decay), step)),
             stride = static_cast<float>(rate_ * std::min(1.0, step / warm_up_steps));
  const std::span<float> mean = mean_.all(), square = square_.all();
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const float gradient = scale * gradients[i];
    mean[i] = mean_decay * mean[i] + (1 - mean_decay) * gradient;
    square[i] = square_decay * square[i] + (1 - square_decay) * gradient * gradient;
    const float towards = mean[i] / mean_share / (std::sqrt(square[i] / square_share) + epsilon);
    weights[i] -= stride * (towards + weight_decay * weights[i]);
  }
}

}  // namespace assay::collectives

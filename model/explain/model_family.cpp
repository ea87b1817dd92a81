// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/explain/model_family.hpp"

#include <fmt/format.h>

#include "model/explain/multiples.hpp"

namespace assay::model {
namespace {

Application of_blocks(std::int64_t blocks) {
  const auto count = static_cast<double>(blocks);
  const std::int64_t hidden = nearest_multiple(count * (192 + (count - 128) / 3), 1024);
  return {.hidden = hidden,
          .feedforward = 4 * hidden,
          .seq_size = 8192,
          .attn_heads = blocks,
          .attn_size = nearest_multiple(static_cast<double>(hidden) / count, 32),
          .num_blocks = blocks};
}

}  // namespace

double parameter_count(const Application& application) {
  const auto h = static_cast<double>(application.hidden), f = static_cast<double>(application.feedforward);
  const auto attention =
      static_cast<double>(application.attn_heads) * static_cast<double>(application.attn_size);
  const double block = 2 * h * f + 4 * h * attention + h + f + 3 * attention + h + 4 * h;
  constexpr double vocabulary = 51200;
  return static_cast<double>(application.num_blocks) * block +
         (vocabulary + static_cast<double>(application.seq_size)) * h;
}

std::vector<NamedApplication> trillion_models() {
  std::vector<NamedApplication> models;
  for (std::int64_t blocks = 128; blocks <= 480; blocks += 32) {
    const Application application = of_blocks(blocks);
    models.push_back({fmt::format("{:.0f}T", parameter_count(application) * 1e-12), application});
  }
  return models;
}

}  // namespace assay::model

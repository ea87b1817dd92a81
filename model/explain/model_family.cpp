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

/// A matrix and its bias.
double linear_count(double inputs, double outputs) { return inputs * outputs + outputs; }

double attention_count(const Application& a) {
  const auto h = static_cast<double>(a.hidden), size = static_cast<double>(a.attn_size);
  const double queries = static_cast<double>(a.attn_heads) * size;
  const double keys = a.kv_heads > 0 ? static_cast<double>(a.kv_heads) * size : queries;
  return linear_count(h, queries) + 2 * linear_count(h, keys) + linear_count(queries, h);
}

double mlp_count(const Application& a) {
  const auto h = static_cast<double>(a.hidden), f = static_cast<double>(a.feedforward);
  const double one = (a.gated_mlp ? 2 : 1) * linear_count(h, f) + linear_count(f, h);
  return a.experts == 0 ? one : static_cast<double>(a.experts) * (one + h);
}

double ends_count(const Application& a) {
  const auto h = static_cast<double>(a.hidden);
  constexpr double usual_vocabulary = 51200;
  if (a.vocabulary == 0) return (usual_vocabulary + static_cast<double>(a.seq_size)) * h;
  return static_cast<double>(a.vocabulary) * h * (a.tied_embedding ? 1 : 2);
}

}  // namespace

double parameter_count(const Application& application) {
  const double norms = 4 * static_cast<double>(application.hidden);
  const double block = attention_count(application) + mlp_count(application) + norms;
  return static_cast<double>(application.num_blocks) * block + ends_count(application);
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

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/training/model_shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "collectives/training/aligned_floats.hpp"
#include "harness/core/units.hpp"
#include "harness/integrity/digest.hpp"

namespace assay::collectives {
namespace {

using workload::Pass;

constexpr double embedding_deviation = 0.5;

/// Uniform in (-1, 1), with 24 bits as a float has.
float uniform(std::uint64_t seed, std::uint64_t index) {
  const auto bits = static_cast<std::int64_t>(integrity::random_number(seed, index) >> 40U);
  return static_cast<float>(2 * bits + 1 - (std::int64_t{1} << 24)) / static_cast<float>(1 << 24);
}

void add_block(std::vector<TensorPlan>& plans, const ModelShape& shape, std::int64_t layer) {
  const auto add = [&](const char* name, std::int64_t rows, std::int64_t columns, double deviation) {
    plans.push_back({.name = fmt::format("layer{}.{}", layer, name),
                     .rows = rows,
                     .columns = columns,
                     .deviation = deviation});
  };
  const std::int64_t hidden = shape.hidden, wide = shape.feed_forward();
  const double narrow = 1 / std::sqrt(static_cast<double>(hidden));
  // Scale of GPT-2: 2 L additions leave the residual stream of order one.
  const double residual = 1 / std::sqrt(2.0 * static_cast<double>(shape.layers));
  add("attention_norm", 1, hidden, 0);
  add("qkv", 3 * hidden, hidden, narrow);
  add("attention_output", hidden, hidden, residual * narrow);
  add("mlp_norm", 1, hidden, 0);
  add("up", wide, hidden, narrow);
  add("down", hidden, wide, residual / std::sqrt(static_cast<double>(wide)));
}

workload::Problem product(const ModelShape& shape, Pass pass, std::int64_t m, std::int64_t n, std::int64_t k,
                          std::int64_t batch = 1) {
  return {.m = m, .n = n, .k = k, .dtype = shape.dtype, .pass = pass, .batch = batch};
}

}  // namespace

std::vector<TensorPlan> planned_tensors(const ModelShape& shape) {
  std::vector<TensorPlan> plans{{.name = "embedding",
                                 .rows = shape.vocabulary,
                                 .columns = shape.hidden,
                                 .deviation = embedding_deviation},
                                {.name = "positions",
                                 .rows = shape.sequence,
                                 .columns = shape.hidden,
                                 .deviation = embedding_deviation / 10}};
  for (std::int64_t layer = 0; layer < shape.layers; ++layer) add_block(plans, shape, layer);
  plans.push_back({.name = "final_norm", .columns = shape.hidden});
  plans.push_back({.name = "head",
                   .rows = shape.vocabulary,
                   .columns = shape.hidden,
                   .deviation = 0.1 / std::sqrt(static_cast<double>(shape.hidden))});
  std::int64_t next = 0;
  for (TensorPlan& plan : plans) {
    plan.first = next;
    next = core::rounded_up(next + plan.count(), AlignedFloats::floats_a_line);
  }
  return plans;
}

std::int64_t parameter_elements(const ModelShape& shape) {
  const TensorPlan last = planned_tensors(shape).back();
  return core::rounded_up(last.first + last.count(), AlignedFloats::floats_a_line);
}

ModelTensors tensors_in(const ModelShape& shape, std::span<float> all) {
  const std::vector<TensorPlan> plans = planned_tensors(shape);
  auto plan = plans.begin();
  const auto next = [&] {
    const auto tensor =
        all.subspan(static_cast<std::size_t>(plan->first), static_cast<std::size_t>(plan->count()));
    ++plan;
    return tensor;
  };
  ModelTensors tensors{.embedding = next(), .positions = next(), .blocks = {}, .final_norm = {}, .head = {}};
  for (std::int64_t layer = 0; layer < shape.layers; ++layer)
    tensors.blocks.push_back({.attention_norm = next(),
                              .qkv = next(),
                              .attention_output = next(),
                              .mlp_norm = next(),
                              .up = next(),
                              .down = next()});
  tensors.final_norm = next();
  tensors.head = next();
  return tensors;
}

void initialise(const ModelShape& shape, std::uint64_t seed, std::span<float> all) {
  std::ranges::fill(all, 0.0F);
  for (const TensorPlan& plan : planned_tensors(shape)) {
    const auto scale = static_cast<float>(std::sqrt(3.0) * plan.deviation);
    for (std::int64_t i = plan.first; i < plan.first + plan.count(); ++i)
      all[static_cast<std::size_t>(i)] =
          plan.deviation == 0 ? 1.0F : scale * uniform(seed, static_cast<std::uint64_t>(i));
  }
}

LinearProducts linear_products(const ModelShape& shape, std::int64_t in, std::int64_t out) {
  return {.forward = product(shape, Pass::forward, shape.tokens(), out, in),
          .input_gradient = product(shape, Pass::dgrad, shape.tokens(), in, out),
          .weight_gradient = product(shape, Pass::wgrad, out, in, shape.tokens())};
}

AttentionProducts attention_products(const ModelShape& shape) {
  const std::int64_t n = shape.sequence, head = shape.head, batch = shape.sequences * shape.heads();
  const workload::Problem scores = product(shape, Pass::forward, n, n, head, batch),
                          mix = product(shape, Pass::dgrad, n, head, n, batch),
                          transposed = product(shape, Pass::wgrad, n, head, n, batch);
  return {.scores = scores,
          .mix = mix,
          .probability_gradient = scores,
          .value_gradient = transposed,
          .query_gradient = mix,
          .key_gradient = transposed};
}

std::vector<workload::Problem> products_of(const ModelShape& shape) {
  std::vector<workload::Problem> all;
  const auto add_linear = [&](std::int64_t in, std::int64_t out) {
    const LinearProducts one = linear_products(shape, in, out);
    all.insert(all.end(), {one.forward, one.input_gradient, one.weight_gradient});
  };
  const AttentionProducts attention = attention_products(shape);
  for (std::int64_t layer = 0; layer < shape.layers; ++layer) {
    add_linear(shape.hidden, 3 * shape.hidden);
    all.insert(all.end(), {attention.scores, attention.mix, attention.probability_gradient,
                           attention.value_gradient, attention.query_gradient, attention.key_gradient});
    add_linear(shape.hidden, shape.hidden);
    add_linear(shape.hidden, shape.feed_forward());
    add_linear(shape.feed_forward(), shape.hidden);
  }
  add_linear(shape.hidden, shape.vocabulary);
  return all;
}

double flops_of(const ModelShape& shape) {
  double flops = 0;
  for (const workload::Problem& one : products_of(shape)) flops += one.flops();
  return flops;
}

double memory_bytes(const ModelShape& shape) {
  constexpr std::int64_t parameter_arrays = 5, hidden_rows = 16, squares = 2;
  const std::int64_t of_token = hidden_rows * shape.hidden + squares * shape.heads() * shape.sequence;
  return sizeof(float) *
         (static_cast<double>(parameter_arrays * parameter_elements(shape)) +
          static_cast<double>(shape.layers + 1) * static_cast<double>(shape.tokens() * of_token));
}

}  // namespace assay::collectives

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The model of a training step: a decoder of pre-norm blocks with causal attention and an MLP; its tensors,
// and the products that a step computes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "harness/workload/problem.hpp"

namespace assay::collectives {

struct ModelShape {
  std::int64_t layers = 2, hidden = 128;
  std::int64_t sequence = 64, sequences = 2;  // tokens of a sequence; sequences of a rank in a step
  std::int64_t head = 32, vocabulary = 64;
  workload::Dtype dtype = workload::Dtype::fp32;  // of products: all else is fp32

  std::int64_t tokens() const { return sequences * sequence; }
  std::int64_t heads() const { return hidden / head; }
  std::int64_t feed_forward() const { return 4 * hidden; }
};

/// A tensor's place among the parameters, at the beginning of a cache line.
struct TensorPlan {
  std::string name;
  std::int64_t first = 0, rows = 1, columns = 1;
  double deviation = 0;  // of the numbers it begins with; 0: all are one
  std::int64_t count() const { return rows * columns; }
};
std::vector<TensorPlan> planned_tensors(const ModelShape& shape);
/// Parameters with what lies between tensors.
std::int64_t parameter_elements(const ModelShape& shape);

struct BlockTensors {
  std::span<float> attention_norm, qkv, attention_output, mlp_norm, up, down;
};
/// Weights or gradients; matrices are out x in, row-major.
struct ModelTensors {
  std::span<float> embedding, positions;
  std::vector<BlockTensors> blocks;
  std::span<float> final_norm, head;
};
/// `all` has parameter_elements(shape).
ModelTensors tensors_in(const ModelShape& shape, std::span<float> all);
/// Writes the weights that training begins with, the same for the same seed.
void initialise(const ModelShape& shape, std::uint64_t seed, std::span<float> all);

/// Y = X W^T with its backward products.
struct LinearProducts {
  workload::Problem forward, input_gradient, weight_gradient;
};
LinearProducts linear_products(const ModelShape& shape, std::int64_t in, std::int64_t out);

/// Products of all heads, each a batch.
struct AttentionProducts {
  workload::Problem scores, mix;  // Q K^T, P V
  workload::Problem probability_gradient, value_gradient, query_gradient, key_gradient;
};
AttentionProducts attention_products(const ModelShape& shape);

/// All products of one step.
std::vector<workload::Problem> products_of(const ModelShape& shape);
double flops_of(const ModelShape& shape);
/// Bytes of a rank: weights, gradients and moments, and what the backward pass needs.
double memory_bytes(const ModelShape& shape);

}  // namespace assay::collectives

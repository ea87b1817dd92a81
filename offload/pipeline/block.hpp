// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// One transformer block as the pipeline moves and computes it, forward. With t tokens, element size e and the
// products Y(t x n) = X(t x k) W(n x k)^T of harness/workload/transformer.hpp:
//   weights      e sum(n k)   fetched
//   activations  e t sum(n)   written back: the outputs of the four products, which a backward pass reads
//   again FLOP         2 t sum(n k)
// The inputs X stay near and are the same in every block.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/workload/transformer.hpp"

namespace assay::offload {

struct BlockProduct {
  workload::Problem problem;
  std::int64_t weights_at = 0, activations_at = 0, input_at = 0;  // bytes from where each of them begins
};

struct Block {
  std::vector<BlockProduct> products;
  std::int64_t weight_bytes = 0, activation_bytes = 0, input_bytes = 0;  // each product's begins on 256 bytes
  double flops = 0;

  std::int64_t slot_bytes() const { return weight_bytes + activation_bytes; }
};

/// Throws a usage Error where the model cannot be divided over `tp` ranks or tokens < 1.
Block block_of(const workload::Transformer& model, std::int64_t tp, std::int64_t tokens,
               workload::Dtype dtype);

}  // namespace assay::offload

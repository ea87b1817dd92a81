// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// One transformer block as the pipeline moves and computes it. With t tokens, element size e and the products
// Y(t x n) = X(t x k) W(n x k)^T of harness/workload/transformer.hpp:
//               fetched                          written back                                   FLOP
//   forward     weights, e sum(n k)              outputs, e t sum(n), for the backward pass     2 t sum(n k)
//   backward    weights and outputs again,       gradients of the weights, 4 sum(n k):          4 t sum(n k)
//               e sum(n k) + e t sum(n)          fp32, as libraries sum them
// All else that is read lies near and is the same in every block: forward the inputs X, backward the
// gradients dY.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/workload/transformer.hpp"

namespace assay::offload {

/// Who has an operand: all blocks together, or each block for itself.
enum class Place { shared, fetched, written };

struct Operand {
  Place place = Place::shared;
  std::int64_t at = 0;  // bytes from where what has this place begins
};

struct BlockProduct {
  workload::Problem problem;
  Operand a, b, result;
};

/// Addresses at which one block's operands begin, by place.
struct BlockPlaces {
  std::byte *shared = nullptr, *fetched = nullptr, *written = nullptr;

  std::byte* address(const Operand& operand) const {
    std::byte* const begin = operand.place == Place::shared    ? shared
                             : operand.place == Place::fetched ? fetched
                                                               : written;
    return begin + operand.at;
  }
};

struct Block {
  std::vector<BlockProduct> products;
  std::int64_t shared_bytes = 0, fetched_bytes = 0, written_bytes = 0;  // each operand begins on 256 bytes
  double flops = 0;

  std::int64_t slot_bytes() const { return fetched_bytes + written_bytes; }
};

enum class BlockPass { forward, backward };

/// Throws a usage Error where the model cannot be divided over `tp` ranks or tokens < 1.
Block block_of(const workload::Transformer& model, std::int64_t tp, std::int64_t tokens,
               workload::Dtype dtype, BlockPass pass);
/// A block of one product, forward.
Block block_of(const workload::Problem& problem);

}  // namespace assay::offload

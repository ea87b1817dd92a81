// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/workload/checked_product.hpp"

#include <algorithm>
#include <cstring>

#include "harness/core/units.hpp"

namespace assay::workload {
namespace {

std::int64_t aligned(std::int64_t bytes) { return core::rounded_up<std::int64_t>(bytes, 64); }

}  // namespace

std::size_t CheckedProduct::bytes(const Problem& problem) {
  return static_cast<std::size_t>(aligned(problem.a_bytes()) + aligned(problem.b_bytes()) +
                                  problem.output_bytes());
}

CheckedProduct::CheckedProduct(const Problem& problem, std::span<std::byte> memory)
    : operands_{memory.data(), memory.data() + aligned(problem.a_bytes()),
                memory.data() + aligned(problem.a_bytes()) + aligned(problem.b_bytes())},
      product_(host_library(problem.dtype).prepare(problem, 1)) {
  // Bytes of 0x3c are 0.0115 as fp32 and as bf16: products and sums of them stay finite.
  std::memset(memory.data(), 0x3c, bytes(problem));
  multiply();
  expected_.assign(operands_.c, operands_.c + problem.output_bytes());
  std::memset(operands_.c, 0xff, expected_.size());
}

std::optional<std::string> CheckedProduct::wrong() const {
  if (std::equal(expected_.begin(), expected_.end(), operands_.c)) return std::nullopt;
  return "the product is not what it was when nothing else ran";
}

}  // namespace assay::workload

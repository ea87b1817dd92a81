// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/interference/product_check.hpp"

#include <fmt/core.h>

#include "offload/interference/load_formula.hpp"

namespace assay::offload {
namespace {

constexpr std::int64_t samples = 257;

std::uint16_t expected(const workload::Problem& problem, std::int64_t row, std::int64_t column) {
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < problem.k; ++i)
    sum += std::int64_t{operand_value(seed_of_a, static_cast<std::uint64_t>(row * problem.k + i))} *
           operand_value(seed_of_b, static_cast<std::uint64_t>(column * problem.k + i));
  return bf16_bits(static_cast<std::int32_t>(sum));
}

}  // namespace

std::optional<std::string> inexact(const workload::Problem& problem, std::span<const std::uint16_t> d) {
  const std::int64_t last = problem.m * problem.n - 1;
  for (std::int64_t sample = 0; sample < samples; ++sample) {
    const std::int64_t at = last * sample / (samples - 1);
    const std::uint16_t right = expected(problem, at / problem.n, at % problem.n);
    const std::uint16_t seen = d[static_cast<std::size_t>(at)];
    if (seen != right)
      return fmt::format("the product's element ({}, {}) is {:#06x} in bf16, expected {:#06x}",
                         at / problem.n, at % problem.n, seen, right);
  }
  return std::nullopt;
}

}  // namespace assay::offload

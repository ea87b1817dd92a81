// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/pipeline/element_check.hpp"

#include <fmt/core.h>

#include <cmath>

#include "offload/pipeline/block_numbers.hpp"

namespace assay::offload {
namespace {

constexpr std::int64_t per_side = 4;

struct Sum {
  double value = 0, magnitude = 0;
};

Sum sum_of(const workload::Problem& problem, const std::byte* a, const std::byte* b, std::int64_t row,
           std::int64_t column) {
  Sum sum;
  for (std::int64_t i = 0; i < problem.k; ++i) {
    const std::int64_t of_a = problem.a_is_transposed() ? i * problem.m + row : row * problem.k + i;
    const std::int64_t of_b = problem.b_is_transposed() ? column * problem.k + i : i * problem.n + column;
    const double term = static_cast<double>(number_at(a, of_a, problem.dtype)) *
                        static_cast<double>(number_at(b, of_b, problem.dtype));
    sum.value += term;
    sum.magnitude += std::abs(term);
  }
  return sum;
}

/// As fp32 or bf16, whichever the output is.
workload::Dtype output_dtype(const workload::Problem& problem) {
  return workload::element_bytes(problem.output()) == 4 ? workload::Dtype::fp32 : workload::Dtype::bf16;
}

/// k additions in fp32, each off by at most 2^-23 of what was summed so far, and the result's own rounding.
double tolerance(const workload::Problem& problem, const Sum& sum) {
  const double result_epsilon = output_dtype(problem) == workload::Dtype::bf16 ? 0x1p-8 : 0x1p-23;
  return static_cast<double>(problem.k) * 0x1p-23 * sum.magnitude + result_epsilon * std::abs(sum.value);
}

}  // namespace

std::optional<std::string> wrong_element(const workload::Problem& problem, const std::byte* a,
                                         const std::byte* b, const std::byte* d) {
  for (std::int64_t i = 0; i < per_side * per_side; ++i) {
    // A grid, the four corners among it.
    const std::int64_t row = (problem.m - 1) * (i / per_side) / (per_side - 1);
    const std::int64_t column = (problem.n - 1) * (i % per_side) / (per_side - 1);
    const Sum sum = sum_of(problem, a, b, row, column);
    const double seen = static_cast<double>(number_at(d, row * problem.n + column, output_dtype(problem)));
    if (!(std::abs(seen - sum.value) <= tolerance(problem, sum)))
      return fmt::format("element ({}, {}) is {:g} and should be {:g}", row, column, seen, sum.value);
  }
  return std::nullopt;
}

}  // namespace assay::offload

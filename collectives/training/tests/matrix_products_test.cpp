// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The library's products against three loops.
#include "collectives/training/matrix_products.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "collectives/training/tests/plain_products.hpp"
#include "harness/core/number_formats.hpp"
#include "harness/integrity/digest.hpp"

namespace assay::collectives {
namespace {

std::vector<float> numbers(std::int64_t count, std::uint64_t seed) {
  std::vector<float> all;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto drawn =
        static_cast<std::int64_t>(integrity::random_number(seed, static_cast<std::uint64_t>(i)) >> 40U);
    all.push_back(static_cast<float>(drawn) / static_cast<float>(1 << 23) - 1);
  }
  return all;
}

std::vector<float> rounded(std::vector<float> all) {
  for (float& one : all) one = core::from_bf16(core::to_bf16(one));
  return all;
}

/// Compares every product of a step.
void expect_products(const ModelShape& shape, double tolerance) {
  if (products_not_built(shape)) GTEST_SKIP() << "this build has no oneDNN";
  if (const auto why = why_no_products(shape)) GTEST_SKIP() << *why;
  const auto library = make_library_products(shape, 1);
  PlainProducts plain(shape);
  for (const workload::Problem& problem : products_of(shape)) {
    std::vector<float> a = numbers(problem.a_elements(), 1), b = numbers(problem.b_elements(), 2);
    std::vector<float> got(static_cast<std::size_t>(problem.output_elements())), expected = got;
    library->multiply(problem, a, b, got);
    const bool narrow = shape.dtype == workload::Dtype::bf16;
    plain.multiply(problem, narrow ? rounded(a) : a, narrow ? rounded(b) : b, expected);
    for (std::size_t i = 0; i < got.size(); ++i)
      ASSERT_NEAR(got[i], expected[i], tolerance * (1 + std::abs(expected[i]))) << to_string(problem.pass);
  }
}

constexpr ModelShape usual{.layers = 1, .hidden = 64, .sequence = 24, .sequences = 3};

TEST(MatrixProducts, OfTheLibraryInFp32AreThoseOfLoops) { expect_products(usual, 1e-5); }

TEST(MatrixProducts, OfTheLibraryInBf16AreThoseOfRoundedOperands) {
  ModelShape narrow = usual;
  narrow.dtype = workload::Dtype::bf16;
  expect_products(narrow, 1.0 / 256);
}

TEST(ModelShape, CountsTheProductsOfAStep) {
  // Six FLOP a weight of a matrix and token, and six products of tokens x tokens a head.
  const double matrices = 12.0 * 64 * 64 + 64.0 * 64, tokens = 72, attention = 6 * 2.0 * 24 * 24 * 32 * 2 * 3;
  EXPECT_DOUBLE_EQ(flops_of(usual), 6 * matrices * tokens + attention);
}

}  // namespace
}  // namespace assay::collectives

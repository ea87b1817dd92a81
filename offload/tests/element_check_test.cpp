// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/pipeline/element_check.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "offload/pipeline/block_numbers.hpp"

namespace assay::offload {
namespace {

/// Y = X W^T in fp32, by a loop.
struct Product {
  workload::Problem problem{.m = 5, .n = 7, .k = 64, .dtype = workload::Dtype::fp32};
  std::vector<float> x = std::vector<float>(5 * 64), w = std::vector<float>(7 * 64),
                     y = std::vector<float>(5 * 7);

  Product() {
    fill_with_numbers(bytes(x), 5 * 64 * 4, problem.dtype, 0);
    fill_with_numbers(bytes(w), 7 * 64 * 4, problem.dtype, 1);
    for (std::size_t row = 0; row < 5; ++row)
      for (std::size_t column = 0; column < 7; ++column)
        for (std::size_t i = 0; i < 64; ++i) y[row * 7 + column] += x[row * 64 + i] * w[column * 64 + i];
  }
  static std::byte* bytes(std::vector<float>& values) { return reinterpret_cast<std::byte*>(values.data()); }
  std::optional<std::string> wrong() { return wrong_element(problem, bytes(x), bytes(w), bytes(y)); }
};

TEST(ElementCheck, FindsNothingInAProduct) { EXPECT_EQ(Product().wrong(), std::nullopt); }

TEST(ElementCheck, FindsTheProductOfOtherWeights) {
  Product product;
  fill_with_numbers(Product::bytes(product.w), 7 * 64 * 4, product.problem.dtype, 2);
  EXPECT_TRUE(product.wrong().has_value());
}

TEST(ElementCheck, FindsAnElementInTheCorner) {
  Product product;
  product.y.back() += 0.01F;
  EXPECT_TRUE(product.wrong().has_value());
}

TEST(ElementCheck, NeverPassesWhatWasNotWritten) {
  Product product;
  std::memset(product.y.data(), 0xff, product.y.size() * 4);
  EXPECT_TRUE(product.wrong().has_value());
}

TEST(BlockNumbers, AreReadBackAsTheyWereWritten) {
  std::vector<std::byte> whole(4 * 100), half(2 * 100);
  fill_with_numbers(whole.data(), 400, workload::Dtype::fp32, 3);
  fill_with_numbers(half.data(), 200, workload::Dtype::bf16, 3);
  for (std::int64_t i = 0; i < 100; ++i) {
    const float exact = number_at(whole.data(), i, workload::Dtype::fp32);
    EXPECT_LE(std::abs(exact), 0.5F);
    EXPECT_NEAR(number_at(half.data(), i, workload::Dtype::bf16), exact, 0.5F / 128);
  }
}

}  // namespace
}  // namespace assay::offload

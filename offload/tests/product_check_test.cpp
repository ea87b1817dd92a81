// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/interference/product_check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "offload/interference/load_formula.hpp"

namespace assay::offload {
namespace {

TEST(OperandValue, IsBellShapedAroundZero) {
  constexpr int count = 100'000;
  double sum = 0, squares = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    const int value = operand_value(seed_of_a, i);
    ASSERT_GE(value, -127);
    ASSERT_LE(value, 127);
    sum += value;
    squares += value * value;
  }
  EXPECT_NEAR(sum / count, 0, 0.5);
  // Four bytes have a deviation of sqrt(4 (256^2 - 1) / 12) = 147.8, a quarter of it is 36.9.
  EXPECT_NEAR(std::sqrt(squares / count), 36.9, 0.5);
  EXPECT_NE(operand_value(seed_of_a, 0), operand_value(seed_of_a, 1));
}

TEST(Bf16Bits, RoundToNearestAndTiesToEven) {
  EXPECT_EQ(bf16_bits(1), 0x3f80);
  EXPECT_EQ(bf16_bits(-2), 0xc000);
  EXPECT_EQ(bf16_bits(256), 0x4380);
  EXPECT_EQ(bf16_bits(257), 0x4380) << "half way between 256 and 258: the even one";
  EXPECT_EQ(bf16_bits(259), 0x4382) << "half way between 258 and 260: the even one";
  EXPECT_EQ(bf16_bits(0), 0);
}

/// Added up in fp32 and in another order than the check's.
std::vector<std::uint16_t> product(const workload::Problem& problem) {
  std::vector<std::uint16_t> d;
  for (std::int64_t row = 0; row < problem.m; ++row)
    for (std::int64_t column = 0; column < problem.n; ++column) {
      float sum = 0;
      for (std::int64_t i = problem.k; i-- > 0;)
        sum +=
            static_cast<float>(operand_value(seed_of_a, static_cast<std::uint64_t>(row * problem.k + i)) *
                               operand_value(seed_of_b, static_cast<std::uint64_t>(column * problem.k + i)));
      d.push_back(bf16_bits(static_cast<std::int32_t>(sum)));
    }
  return d;
}

TEST(ProductCheck, IsExactForSumsInAnyOrder) {
  const workload::Problem problem{.m = 5, .n = 70, .k = 3000};
  EXPECT_EQ(inexact(problem, product(problem)), std::nullopt);
}

TEST(ProductCheck, FindsWhatIsNotRight) {
  const workload::Problem problem{.m = 3, .n = 40, .k = 64};
  const auto right = product(problem);
  for (const std::size_t at : {std::size_t{0}, right.size() / 2, right.size() - 1}) {
    auto d = right;
    d[at] ^= 1;
    EXPECT_THAT(inexact(problem, d), testing::Optional(testing::HasSubstr("in bf16, expected"))) << at;
  }
  EXPECT_NE(inexact(problem, std::vector<std::uint16_t>(right.size(), 0xffff)), std::nullopt);
}

}  // namespace
}  // namespace assay::offload

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "gemm/recipe.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "harness/core/error.hpp"

namespace assay::gemm {
namespace {

constexpr std::int64_t element_count = 200'000;

std::vector<double> values(Dtype dtype, Data data, std::int64_t* saturated = nullptr) {
  const Problem problem{.m = 64, .n = 64, .k = 1024, .dtype = dtype};
  const OperandRecipe recipe = recipes(problem, data, 0).a;
  const auto width = static_cast<std::size_t>(element_bytes(dtype));
  std::vector<std::byte> bytes(element_count * width);
  const std::int64_t lost = fill(recipe, bytes.data(), element_count, 2);
  if (saturated != nullptr) *saturated = lost;
  std::vector<double> read;
  for (std::size_t i = 0; i < element_count; ++i) {
    std::uint64_t bits = 0;
    for (std::size_t byte = 0; byte < width; ++byte)
      bits |= static_cast<std::uint64_t>(bytes[i * width + byte]) << (8 * byte);
    read.push_back(decode(dtype, bits) / recipe.scale);
  }
  return read;
}

double mean(const std::vector<double>& numbers) {
  double sum = 0;
  for (const double number : numbers) sum += number;
  return sum / static_cast<double>(numbers.size());
}

double deviation(const std::vector<double>& numbers) {
  double sum = 0;
  for (const double number : numbers) sum += number * number;
  return std::sqrt(sum / static_cast<double>(numbers.size()));
}

TEST(NormalTable, IsTheStandardNormalDistribution) {
  const auto table = normal_table();
  EXPECT_EQ(table.size(), 65536u);
  EXPECT_TRUE(std::is_sorted(table.begin(), table.end()));
  EXPECT_NEAR(static_cast<double>(table[32768]), 0.0, 1e-4);
  EXPECT_NEAR(static_cast<double>(table[55138]), 1.0, 1e-4);  // 0.841345 of 65536
  EXPECT_EQ(table.front(), -table.back());
}

TEST(OperandData, NormalHasMeanZeroAndDeviationOneInEveryType) {
  for (const std::string& word : all_dtypes()) {
    const auto numbers = values(dtype_from(word), Data::normal);
    EXPECT_NEAR(mean(numbers), 0.0, 0.01) << word;
    EXPECT_NEAR(deviation(numbers), 1.0, 0.02) << word;
  }
}

TEST(OperandData, UniformFillsMinusOneToOne) {
  const auto numbers = values(Dtype::fp32, Data::uniform);
  EXPECT_NEAR(deviation(numbers), std::sqrt(1.0 / 3.0), 0.005);
  EXPECT_GE(*std::min_element(numbers.begin(), numbers.end()), -1.0);
  EXPECT_LE(*std::max_element(numbers.begin(), numbers.end()), 1.0);
}

TEST(OperandData, ScaledTypesSaturateOnlyBeyondFourDeviations) {
  // 2 x 3.167e-5 of a normal distribution lie beyond 4.
  for (const Dtype dtype : {Dtype::fp8_e4m3, Dtype::int8}) {
    std::int64_t saturated = 0;
    const auto numbers = values(dtype, Data::normal, &saturated);
    EXPECT_GT(saturated, 0);
    EXPECT_LT(saturated, 60);
    EXPECT_NEAR(*std::max_element(numbers.begin(), numbers.end()), 4.0, 0.01);
  }
}

TEST(OperandData, IntegersAreFewEnoughForExactBf16Sums) {
  const auto numbers = values(Dtype::bf16, Data::integer);
  for (const double number : numbers) ASSERT_TRUE(number == 0 || number == 1 || number == -1);
  const Problem long_sum{.m = 1, .n = 1, .k = 57344, .dtype = Dtype::bf16};
  const double p = recipes(long_sum, Data::integer, 0).a.density / 65536.0;
  EXPECT_LE(p * std::sqrt(57344.0), 25.0);
}

TEST(OperandData, SetsAndOperandsDiffer) {
  const Problem problem{.m = 64, .n = 64, .k = 64};
  EXPECT_NE(recipes(problem, Data::normal, 0).a.seed, recipes(problem, Data::normal, 0).b.seed);
  EXPECT_NE(recipes(problem, Data::normal, 0).b.seed, recipes(problem, Data::normal, 1).a.seed);
}

TEST(OperandData, IsTheSameForEver) {
  // Digests of different machines and years are compared: these bits must not change.
  const Problem problem{.m = 64, .n = 64, .k = 64, .dtype = Dtype::fp32};
  const OperandRecipe recipe = recipes(problem, Data::normal, 0).a;
  EXPECT_EQ(position_hash(1, 0), 0xbfef8030ddc2d772ULL);
  EXPECT_EQ(operand_element(recipe, normal_table().data(), 0).bits, 0x3f2c7795ULL);
}

TEST(OperandData, UnknownWordNamesTheKnownOnes) {
  try {
    data_from("random");
    FAIL() << "'random' was accepted";
  } catch (const core::Error& error) {
    EXPECT_STREQ(error.what(), "data 'random': expected one of normal, uniform, zeros, constant, integer");
  }
}

}  // namespace
}  // namespace assay::gemm

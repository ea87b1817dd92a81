// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/workload/problem.hpp"

#include <gtest/gtest.h>

#include <string>

#include "harness/core/error.hpp"

namespace assay::workload {
namespace {

std::string complaint(const Problem& problem) {
  try {
    require_possible(problem);
  } catch (const core::Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Problem, CountsTwoFlopsAMultiplication) {
  EXPECT_DOUBLE_EQ((Problem{.m = 4096, .n = 4096, .k = 4096}).flops(), 137438953472.0);
}

TEST(Problem, OutputTypeFollowsOperandsAndPass) {
  EXPECT_EQ((Problem{.dtype = Dtype::fp8_e4m3}).output(), OutputType::bf16);
  EXPECT_EQ((Problem{.dtype = Dtype::fp8_e4m3, .pass = Pass::wgrad}).output(), OutputType::fp32);
  EXPECT_EQ((Problem{.dtype = Dtype::int8}).output(), OutputType::int32);
  EXPECT_EQ((Problem{.dtype = Dtype::tf32}).output(), OutputType::fp32);
  EXPECT_EQ((Problem{.dtype = Dtype::fp64, .pass = Pass::wgrad}).output(), OutputType::fp64);
}

TEST(Problem, EightBitStorageIsTheSameInEveryPass) {
  EXPECT_EQ((Problem{.dtype = Dtype::fp8_e4m3, .pass = Pass::wgrad, .k_contiguous = true}).layout(), "TN");
  EXPECT_EQ((Problem{.dtype = Dtype::fp8_e4m3, .pass = Pass::dgrad, .k_contiguous = true}).layout(), "TN");
}

TEST(Problem, BytesFollowTheTypes) {
  const Problem problem{.m = 2, .n = 3, .k = 5, .dtype = Dtype::bf16, .pass = Pass::wgrad};
  EXPECT_EQ(problem.a_bytes(), 20);
  EXPECT_EQ(problem.b_bytes(), 30);
  EXPECT_EQ(problem.output_bytes(), 24);
}

TEST(Problem, BatchMultipliesWorkAndBytes) {
  const Problem problem{.m = 2, .n = 3, .k = 5, .pass = Pass::wgrad, .batch = 7};
  EXPECT_EQ(problem.rows(), 14);
  EXPECT_EQ(problem.a_bytes(), 7 * 20);
  EXPECT_EQ(problem.b_bytes(), 7 * 30);
  EXPECT_EQ(problem.output_bytes(), 7 * 24);
  EXPECT_DOUBLE_EQ(problem.flops(), 7 * 2.0 * 2 * 3 * 5);
}

TEST(Problem, SizesThatCannotBeAreUsageErrors) {
  EXPECT_EQ(complaint({.m = 0, .n = 1, .k = 1}), "m = 0: a matrix size must be at least 1");
  EXPECT_EQ(complaint({.m = 1, .n = 1, .k = -5}), "k = -5: a matrix size must be at least 1");
  EXPECT_EQ(complaint({.m = std::int64_t{1} << 40, .n = 1, .k = std::int64_t{1} << 40}),
            "m = 1099511627776, n = 1, k = 1099511627776: an operand would exceed 2^62 bytes");
  EXPECT_EQ(complaint({.m = 1 << 20, .n = 1 << 20, .k = 1 << 20}), "accepted");
  EXPECT_EQ(complaint({.m = 1, .n = 1, .k = 1, .batch = 0}), "batch = 0: expected 1 product or more");
  EXPECT_EQ(complaint({.m = 1 << 20, .n = 1 << 20, .k = 1, .batch = 1 << 20}),
            "m = 1048576, n = 1048576, k = 1, batch = 1048576: an operand would exceed 2^62 bytes");
}

TEST(Problem, UnknownWordsNameTheKnownOnes) {
  try {
    dtype_from("fp7");
    FAIL() << "fp7 was accepted";
  } catch (const core::Error& error) {
    EXPECT_STREQ(error.what(), "dtype 'fp7': expected one of fp64, fp32, tf32, bf16, fp16, fp8_e4m3, int8");
  }
  EXPECT_EQ(pass_from("wgrad"), Pass::wgrad);
}

}  // namespace
}  // namespace assay::workload

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The exact product is what a slow sum gives, and the probe's findings become the right words.
#include "gemm/check/corruption.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gemm/check/check.hpp"
#include "gemm/check/exact_product.hpp"
#include "gemm/recipe.hpp"
#include "harness/core/error.hpp"

namespace assay::gemm {
namespace {

using enum core::Verification::Result;
using testing::HasSubstr;

constexpr Problem small_product(Dtype dtype, Pass pass = Pass::forward) {
  return {.m = 24, .n = 40, .k = 56, .dtype = dtype, .pass = pass};
}

core::Point point() { return {{"m", 64}, {"n", 0}, {"k", 0}, {"dtype", "bf16"}, {"layout", "forward"}}; }

TEST(ExactProduct, PassesTheOtherCheckInEveryTypeAndLayout) {
  for (const std::string& dtype : all_dtypes())
    for (const std::string& pass : all_passes()) {
      const Problem problem = small_product(dtype_from(dtype), pass_from(pass));
      const std::vector<std::byte> output = exact_output(problem, 2);
      std::vector<OutputRow> rows;
      for (std::int64_t row = 0; row < problem.m; ++row)
        rows.push_back(read_row(problem, output.data(), row));
      const core::Verification verdict =
          check(problem, Data::integer, 0, summarize(problem, output.data(), 1), rows, 1);
      EXPECT_EQ(verdict.result, right) << dtype << ' ' << pass << ": " << verdict.why;
    }
}

TEST(ExactProduct, HasTheChecksumsThatItsFactorsForetell) {
  for (const std::string& pass : all_passes()) {
    Problem problem = small_product(Dtype::bf16, pass_from(pass));
    for (const bool accumulate : {false, true}) {
      problem.accumulate = accumulate && problem.pass == Pass::wgrad;
      std::vector<std::byte> output = exact_output(problem, 1);
      const integrity::Checksums expected = exact_checksums(problem, 2);
      EXPECT_TRUE(
          integrity::locate(expected, checksums_of(problem, elements_of(problem, output.data()))).clean())
          << pass << accumulate;
      const integrity::Elements elements = elements_of(problem, output.data());
      const std::uint64_t at = 7 * 40 + 11;
      elements.set(at, encode(problem.output(), decode(problem.output(), elements.bits(at)) + 3));
      const integrity::Location found =
          integrity::locate(expected, checksums_of(problem, elements_of(problem, output.data())));
      EXPECT_EQ(describe(found), "element (7, 11) is too large by 3");
    }
  }
}

TEST(CorruptionPoint, IsAProductOfWholeNumbers) {
  const Request request = corruption_request(point());
  EXPECT_EQ(request.data, Data::integer);
  EXPECT_EQ(request.cache, CacheState::hot);
  EXPECT_EQ(request.problem.k, 64);
  EXPECT_TRUE(is_exact(request.problem, request.data));
  for (const core::Axis& axis : corruption_axes({.sizes = {std::int64_t{64}}, .dtypes = {"bf16"}}))
    EXPECT_TRUE(axis.name != "data" && axis.name != "cache" && axis.name != "algorithm") << axis.name;
}

TEST(CorruptionPoint, WithBadWordsIsAUsageError) {
  EXPECT_THROW(corruption_request(point().set("dtype", "fp12")), core::Error);
  EXPECT_THROW(corruption_request(point().set("m", std::int64_t{0})), core::Error);
  EXPECT_THROW(self_test_request({{"m", 0}, {"dtype", "bf16"}, {"faults", 4}, {"seed", 7}}), core::Error);
}

TEST(SelfTestPoint, IsASquareProduct) {
  EXPECT_EQ(self_test_request({{"m", 64}, {"dtype", "bf16"}, {"faults", 4}, {"seed", 7}}).problem.n, 64);
}

TEST(JudgeCorruption, OfNothingIsNotChecked) {
  EXPECT_EQ(judge_corruption(small_product(Dtype::bf16), {}).result, not_checked);
}

TEST(JudgeCorruption, OfRightProductsTellsWhatWasCompared) {
  const CorruptionFound found{.products = 12, .wrong = {}, .located = {}, .digest = {1, 2}};
  const core::Verification verdict = judge_corruption(small_product(Dtype::bf16), found);
  EXPECT_EQ(verdict.result, right);
  EXPECT_EQ(verdict.digest, "00000000000000020000000000000001");
  EXPECT_THAT(verdict.why, HasSubstr("12 products"));
  EXPECT_EQ(corruption_metrics(small_product(Dtype::bf16), found).at(0).value, 12 * 24 * 40 * 2);
}

TEST(JudgeCorruption, NamesTheFirstWrongElementWithBothValuesAndTheBits) {
  CorruptionFound found{.products = 2, .wrong = {}, .located = {}, .digest = {}};
  integrity::note(found.wrong, 2 * 40 + 7, 0x4040, 0x4041);
  integrity::note(found.wrong, 1 * 40 + 3, 0x4040, 0xc040);
  const core::Verification verdict = judge_corruption(small_product(Dtype::bf16), found);
  EXPECT_EQ(verdict.result, wrong);
  EXPECT_EQ(
      verdict.why,
      "2 of 1920 elements of 2 products are wrong: first (1, 3): expected 0x4040, got 0xc040, xor 0x8000; "
      "checksums of the last product: right");
  const std::vector<core::Fact> facts = corruption_facts(small_product(Dtype::bf16), found);
  EXPECT_EQ(facts.at(2),
            (core::Fact{"wrong_element_2", std::string("(2, 7): expected 0x4040, got 0x4041, xor 0x1")}));
}

TEST(JudgeCorruption, TrustsTheChecksumsOfTheHostOverAComparisonThatSawNothing) {
  const CorruptionFound found{
      .products = 3, .wrong = {}, .located = {.rows = {4}, .columns = {5}, .single = {}}, .digest = {}};
  const core::Verification verdict = judge_corruption(small_product(Dtype::bf16), found);
  EXPECT_EQ(verdict.result, wrong);
  EXPECT_THAT(verdict.why, HasSubstr("saw nothing, the host's checksums do: wrong within 1 row (4)"));
}

}  // namespace
}  // namespace assay::gemm

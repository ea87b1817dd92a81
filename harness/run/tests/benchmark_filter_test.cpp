// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/run/benchmark/benchmark_filter.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/error.hpp"
#include "harness/run/tests/fake_cases.hpp"

namespace assay::run {
namespace {

bool takes(const std::string& expression, std::int64_t n, int repetition = 0) {
  static const std::vector<core::Case> cases = tests::fake_cases({});
  const plan::PlannedPoint planned{&cases.at(0), core::Point{{"n", n}}, {}, repetition};
  return BenchmarkFilter(expression).takes(planned);
}

TEST(BenchmarkFilter, FindsTheExpressionAnywhereInThePointsName) {
  EXPECT_TRUE(takes("steady", 1));
  EXPECT_TRUE(takes("^memory[.](fake|host)[.]steady/n=(1|3)$", 1));
  EXPECT_FALSE(takes("^steady", 1));
  EXPECT_FALSE(takes("n=(1|3)", 2));
  EXPECT_TRUE(takes("#2$", 1, 2));
}

TEST(BenchmarkFilter, KnowsTheNameThatGoogleBenchmarkPrints) {
  EXPECT_TRUE(takes("^memory.fake.steady/n=1/iterations:1/manual_time$", 1));
}

TEST(BenchmarkFilter, ALeadingMinusExcludes) {
  EXPECT_FALSE(takes("-n=1$", 1));
  EXPECT_TRUE(takes("-n=1$", 2));
}

TEST(BenchmarkFilter, NothingAndAllAreEveryPoint) {
  EXPECT_TRUE(takes("", 1));
  EXPECT_TRUE(takes("all", 1));
}

TEST(BenchmarkFilter, WhatIsNoExpressionIsRefused) {
  try {
    takes("n=(1", 1);
    FAIL();
  } catch (const core::Error& error) {
    EXPECT_EQ(error.kind(), core::ErrorKind::usage);
    EXPECT_THAT(error.what(),
                testing::StartsWith("--benchmark_filter 'n=(1': expected a POSIX extended regular "
                                    "expression ("));
  }
}

}  // namespace
}  // namespace assay::run

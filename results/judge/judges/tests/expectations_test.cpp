// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "results/judge/judges.hpp"

namespace assay::results {
namespace {

using testing::HasSubstr;

ExpectedTime of(const std::string& unit, const Number& measured_us, std::optional<double> expected_us) {
  return {.unit = unit,
          .kind = "gpu",
          .metric = "gemm",
          .run = "r",
          .what = "bf16",
          .measured_us = measured_us,
          .expected_us = expected_us};
}

Verdicts judged(const std::vector<ExpectedTime>& times) {
  return judge_expectations(times, 0.1, "predicted by c.json");
}

TEST(ExpectedTimes, AreJudgedByTheWholeInterval) {
  const Verdicts verdicts = judged(
      {of("good", {105, 104, 106}, 100), of("slow", {120, 119, 121}, 100), of("open", {110, 108, 112}, 100)});
  EXPECT_EQ(verdicts.verdict, Verdict::fail);
  ASSERT_EQ(verdicts.rows.size(), 3U);
  EXPECT_EQ(verdicts.rows[0].unit, "slow");
  EXPECT_EQ(verdicts.rows[0].because, "120.0 ± 1.0 us, 100 expected: +20.0 %");
  EXPECT_DOUBLE_EQ(*verdicts.rows[0].limit->highest, 110);
  EXPECT_EQ(verdicts.rows[0].limit_source, "predicted by c.json, margin 10 %");
  EXPECT_EQ(verdicts.rows[1].unit, "open");
  EXPECT_EQ(verdicts.rows[1].verdict, Verdict::inconclusive);
  EXPECT_EQ(verdicts.rows[2].verdict, Verdict::pass);
  EXPECT_NEAR(*verdicts.rows[2].smallest_defect, 110.0 / 104 - 1, 1e-12);
}

TEST(ExpectedTimes, ThatWereNotMeasuredAreSaidSo) {
  ExpectedTime time = of("good", {105, 104, 106}, 100);
  time.origin = "simulated";
  const Verdicts verdicts = judged({time});
  EXPECT_EQ(verdicts.rows[0].because, "105.0 ± 1.0 us, 100 expected: +5.0 %, simulated");
  EXPECT_THAT(verdicts.notes.front(), testing::EndsWith(", simulated"));
}

TEST(ExpectedTimes, WithoutAPredictionAreToldAndExcused) {
  const Verdicts verdicts = judged({of("a", {100, 99, 101}, 100), of("b", {100, 99, 101}, std::nullopt)});
  EXPECT_EQ(verdicts.verdict, Verdict::pass);
  EXPECT_TRUE(verdicts.rows[1].excused);
  EXPECT_EQ(verdicts.rows[1].because, "no prediction: the coefficients have none for bf16");
  EXPECT_THAT(verdicts.notes.front(), HasSubstr("2 times, 1 without a prediction"));
}

TEST(ExpectedTimes, OfWhichNoneHasAPredictionAreNoPass) {
  EXPECT_EQ(judged({of("b", {100, 99, 101}, std::nullopt)}).verdict, Verdict::not_run);
  EXPECT_EQ(judged({}).verdict, Verdict::not_run);
  ExpectedTime seen = of("a", {100, 99, 101}, 100);
  seen.why_not = "the fit has seen it";
  EXPECT_EQ(judged({seen}).verdict, Verdict::not_run);
}

TEST(ExpectedTimes, FarBelowTheExpectationSayThatTheModelMayBeAnothers) {
  const Verdicts verdicts = judged({of("fast", {50, 49, 51}, 100)});
  EXPECT_EQ(verdicts.verdict, Verdict::pass);
  EXPECT_THAT(verdicts.rows[0].meaning, HasSubstr("may be of another machine"));
}

}  // namespace
}  // namespace assay::results

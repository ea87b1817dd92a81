// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Drift within a run: what the judge says of synthetic series, and how often it is wrong under heavy tails
// and autocorrelation.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "results/judge/tests/ask_judge.hpp"
#include "results/judge/tests/drifting_times.hpp"
#include "results/tests/run_builder.hpp"

namespace assay::results {
namespace {

using test::drift_margin;
using test::drifting_times;
using test::DriftNoise;
using test::DriftShares;
using test::DriftTimes;
using test::judged_drifts;
using test::normal_tails;

VerdictRow judged_drift(std::size_t samples, double drift, const DriftNoise& noise = {}) {
  std::mt19937 random(1);
  return judged_drifts({drifting_times(samples, drift, noise, random)}).at(0);
}

TEST(Drift, IsJudgedWhereItWasAskedForOnly) {
  const Store store = test::store_of_drifts({});
  EXPECT_TRUE(test::ask_judge("drift", {store}).empty());
}

TEST(Drift, OfNoneIsAPassAndOfMoreThanTheMarginAFailure) {
  const VerdictRow steady = judged_drift(400, 0), slower = judged_drift(400, 0.05);
  EXPECT_EQ(steady.verdict, Verdict::pass) << steady.because;
  EXPECT_EQ(steady.metric, "memory.host.copy/n=0 drift");
  EXPECT_EQ(slower.verdict, Verdict::fail) << slower.because;
  EXPECT_EQ(slower.action, Action::drain);
  EXPECT_NEAR(slower.value->value, 5, 1);
  EXPECT_LT(*slower.value->lower, slower.value->value);
  EXPECT_GT(*slower.value->upper, slower.value->value);
  EXPECT_GT(*slower.smallest_defect, drift_margin);
}

TEST(Drift, TowardsFasterTimesLeavesOpenWhatTheUnitDoes) {
  const VerdictRow faster = judged_drift(400, -0.05);
  EXPECT_EQ(faster.verdict, Verdict::inconclusive) << faster.because;
  EXPECT_THAT(faster.meaning, testing::HasSubstr("it had not warmed up"));
}

TEST(Drift, OfFewSamplesOrOfSamplesThatHangTogetherIsOpen) {
  for (const std::size_t samples : {0, 1, 2, 23})
    EXPECT_EQ(judged_drift(samples, 0.5).verdict, Verdict::inconclusive) << samples;
  EXPECT_EQ(judged_drift(200, 0, {.correlation = 0.99}).verdict, Verdict::inconclusive);
  EXPECT_EQ(judged_drift(24, 0).verdict, Verdict::pass);
}

TEST(Drift, OfTimesThatAreAllTheSameIsNone) {
  const VerdictRow row = judged_drifts({DriftTimes(100, 1e-3)}).at(0);
  EXPECT_EQ(row.verdict, Verdict::pass) << row.because;
}

TEST(Drift, JoinsTheRepetitionsOfAPointInTheOrderTaken) {
  test::RunBuilder builder("run-1");
  builder.begin(0, "memory");
  for (std::int64_t repetition = 0; repetition < 4; ++repetition) {
    PointRecord point = builder.point("memory.host.copy", {{"n", std::int64_t{0}}});
    point.repetition = repetition;
    builder.measured(std::move(point), 1e-3 * (1 + 0.03 * static_cast<double>(repetition)),
                     {"time_us", "us", [](double s) { return s * 1e6; }}, 100);
  }
  builder.end();
  Store store("");
  store.add(builder.take());
  Evidence evidence{store};
  evidence.order.shares["drift"] = drift_margin;
  const std::vector<VerdictRow> rows = test::ask_judge("drift", evidence).at(0).verdicts.rows.unpacked();
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].n, 400);
  EXPECT_NE(rows[0].verdict, Verdict::pass) << rows[0].because;
}

/// One host in one run.
struct DriftPlan {
  std::string run, host;
};

/// Series on two hosts and their GPUs: one drifts, one has too few samples, one was measured thrice, and one
/// has a point that failed.
Store store_of_several() {
  std::mt19937 random(3);
  Store store("");
  for (const DriftPlan& plan : {DriftPlan{"run-2", "h10"}, {"run-10", "h9"}}) {
    test::RunBuilder builder(plan.run);
    builder.begin(0, "memory");
    const auto add = [&](const std::string& name, const Fields& axes, std::int64_t repetition,
                         std::size_t n) {
      PointRecord point = builder.point(name, axes);
      point.repetition = repetition;
      builder.measured(std::move(point), 1e-3, {"time_us", "us", [](double s) { return s * 1e6; }}, n);
    };
    for (const std::int64_t gpu : {10, 9}) add("memory.cuda.copy", {{"gpu", gpu}, {"n", gpu}}, 0, 400);
    for (std::int64_t repetition = 0; repetition < 3; ++repetition)
      add("memory.host.copy", {}, repetition, 100);
    add("memory.host.fill", {{"n", std::int64_t{8}}}, 0, 12);
    add("memory.host.fill", {{"n", std::int64_t{16}}}, 0, 400);
    builder.not_measured(builder.point("memory.host.fill", {{"n", std::int64_t{16}}}), Status::failed,
                         "broken");
    builder.end();
    std::vector<Record> records = builder.take();
    for (Record& record : records) {
      if (auto* context = std::get_if<ContextRecord>(&record)) context->host = plan.host;
      if (auto* point = std::get_if<PointRecord>(&record); point && point->status == Status::ok)
        point->samples_s = drifting_times(point->samples_s.size(),
                                          point->key == "n=16" && plan.host == "h9" ? 0.05 : 0, {}, random);
    }
    store.add(records);
  }
  return store;
}

std::vector<std::string> lines_of(const VerdictRows& rows) {
  std::vector<std::string> lines;
  for (const VerdictRow& row : rows)
    lines.push_back(
        fmt::format("{} {} {} {} {}", to_string(row.verdict), row.kind, row.unit, row.metric, row.n));
  return lines;
}

TEST(Drift, OfSeveralSeriesComesByRunUnitKindAndMetric) {
  const Store store = store_of_several();
  Evidence evidence{store};
  evidence.order.shares["drift"] = drift_margin;
  const Judged judged = test::ask_judge("drift", evidence).at(0);
  EXPECT_THAT(lines_of(judged.verdicts.rows),
              testing::ElementsAre("FAIL host h9 memory.host.fill/n=16 drift 400",
                                   "INCONCLUSIVE host h9 memory.host.fill/n=8 drift 12",
                                   "INCONCLUSIVE host h10 memory.host.fill/n=8 drift 12",
                                   "PASS host h9 memory.host.copy drift 300",
                                   "PASS gpu h9/gpu10 memory.cuda.copy/n=10 drift 400",
                                   "PASS gpu h9/gpu9 memory.cuda.copy/n=9 drift 400",
                                   "PASS host h10 memory.host.copy drift 300",
                                   "PASS host h10 memory.host.fill/n=16 drift 400",
                                   "PASS gpu h10/gpu10 memory.cuda.copy/n=10 drift 400",
                                   "PASS gpu h10/gpu9 memory.cuda.copy/n=9 drift 400"));
  const Table table = whole_table(table_of(judged));
  ASSERT_EQ(table.rows.size(), 3U) << "what does not pass";
  EXPECT_EQ(std::get<std::string>(table.rows[0][1]), "h9");
  EXPECT_EQ(table.notes.front(), "FAIL: 1 FAIL, 2 INCONCLUSIVE, 7 PASS");
}

/// Each filter leaves one series of each run.
TEST(Drift, OfSeveralSeriesIsThatOfEachAlone) {
  const Store store = store_of_several();
  const auto judged = [&](const std::string& filter, double error) {
    Evidence evidence{store};
    evidence.order.filter = filter;
    evidence.order.shares["drift"] = drift_margin;
    evidence.order.rules.family_error = error;
    return test::ask_judge("drift", evidence).at(0).verdicts.rows;
  };
  std::vector<std::string> together, alone;
  for (const VerdictRow& row : judged("", 0.05)) together.push_back(to_json({.rows = {row}}));
  for (const char* filter : {"memory.host.copy", "memory.host.fill/n=8", "memory.host.fill/n=16",
                             "memory.cuda.copy/gpu=9,*", "memory.cuda.copy/gpu=10,*"})
    for (const VerdictRow& row : judged(filter, 0.01)) alone.push_back(to_json({.rows = {row}}));
  EXPECT_THAT(alone, testing::UnorderedElementsAreArray(together));
}

DriftShares shares_at(double drift, const DriftNoise& noise, std::size_t series, double error_of_one) {
  std::mt19937 random(7);
  std::vector<DriftTimes> all;
  for (std::size_t i = 0; i < series; ++i) all.push_back(drifting_times(400, drift, noise, random));
  const auto count = static_cast<double>(series);
  return test::shares_in(judged_drifts(all, error_of_one * count));
}

/// A series at the margin may fail or pass in one of twenty cases each: the worst case of either error.
TEST(Drift, AtTheMarginFailsAndPassesNoMoreOftenThanItSays) {
  for (const int tails : {normal_tails, 3, 2})
    for (const double correlation : {0.0, 0.6, 0.9}) {
      const DriftShares shares = shares_at(drift_margin, {tails, correlation}, 400, 0.05);
      const std::string what = fmt::format("t{} r={}: {:.3f} failed, {:.3f} passed, {:.3f} open", tails,
                                           correlation, shares.failed, shares.passed, shares.open);
      EXPECT_LE(shares.failed, 0.08) << what;
      EXPECT_LE(shares.passed, 0.08) << what;
    }
}

TEST(Drift, FailsInASoundFleetNoMoreOftenThanTheFamilyMay) {
  std::mt19937 random(11);
  int families = 0;
  for (int family = 0; family < 40; ++family) {
    std::vector<DriftTimes> all;
    for (int i = 0; i < 50; ++i) all.push_back(drifting_times(400, drift_margin, {3, 0.6}, random));
    const auto rows = judged_drifts(all);
    families += rows.front().verdict == Verdict::fail ? 1 : 0;  // the worst comes first
  }
  EXPECT_LE(families, 4) << "expected 1 of 40";
}

TEST(Drift, ThatIsLargeIsFound) {
  EXPECT_GE(shares_at(0.06, {3, 0.6}, 100, 0.001).failed, 0.9);
  EXPECT_GE(shares_at(0, {3, 0.6}, 100, 0.001).passed, 0.9);
}

}  // namespace
}  // namespace assay::results

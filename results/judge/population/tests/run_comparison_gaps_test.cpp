// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A comparison whose evidence has gaps or doubts: each is reported, and none lets the whole pass.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <iterator>
#include <string>
#include <vector>

#include "results/judge/population/run_comparison.hpp"
#include "results/judge/tests/compared_store.hpp"

namespace assay::results {
namespace {

using test::ComparedStore;
using testing::HasSubstr;

const std::vector<double> equal_runs{100, 100.3, 99.8, 100.1};

/// Four equal runs on each side, but for the points of run b4 that this changes.
Verdicts verdicts_where_b4(ComparedStore::Change change) {
  ComparedStore store;
  store.add_side("a", equal_runs);
  store.add_side("b", {100, 100.1, 99.9});
  store.add_run("b4", {{1, {100.2, 100.3}}}, change);
  return verdicts_of(store.compared());
}

/// One point that ended so in every run of a side; a second one is good in all.
Verdicts verdicts_where(Status in_a, Status in_b) {
  ComparedStore store;
  for (const auto& [side, status] : {std::pair("a", in_a), {"b", in_b}})
    for (int run = 1; run <= 3; ++run) {
      test::RunBuilder builder(side + std::to_string(run));
      builder.begin(0, "memory");
      for (const std::int64_t n : {std::int64_t{1}, std::int64_t{2}}) {
        PointRecord record = builder.point("memory.host.copy", {{"n", n}});
        const double seconds = 1e-4 * (1 + 1e-6 * run + (side == std::string("a") ? 0 : 1e-5));
        if (n == 1 && status != Status::ok)
          builder.not_measured(std::move(record), status, "no memory");
        else
          builder.measured(std::move(record), seconds, {"time_us", "us", [](double s) { return s * 1e6; }});
      }
      builder.end();
      store.add(builder.take());
    }
  return verdicts_of(store.compared(0.5));
}

TEST(ComparisonGaps, AreNoneWhereAllRunsHaveAllRepetitions) {
  EXPECT_EQ(verdicts_where_b4([](PointRecord&) {}).verdict, Verdict::pass);
}

// Deleting the slow repetitions of a run made it "equivalent".
TEST(ComparisonGaps, ARepetitionWithoutItsPartnerLeavesThePointOpen) {
  ComparedStore store;
  for (int run = 1; run <= 3; ++run) {
    const double us = 100 + 0.1 * run;
    store.add_run("a" + std::to_string(run), {{1, {us, us, us, us}}});
    store.add_run("b" + std::to_string(run),
                  {{1, run == 2 ? std::vector{us, us} : std::vector{us, us, us, us}}});
  }
  const Verdicts verdicts = verdicts_of(store.compared());
  EXPECT_EQ(verdicts.verdict, Verdict::inconclusive);
  EXPECT_EQ(verdicts.rows.front().because, "run b2 lacks 2 of 4 repetitions, the first is 2");
}

TEST(ComparisonGaps, APointThatOneRunLacksIsNamed) {
  ComparedStore store;
  store.add_side("a", equal_runs);
  store.add_side("b", {100, 100.1});
  store.add_run("b3", {{2, {100, 100}}});
  store.add_run("b4", {{2, {100, 100}}});
  const Verdicts verdicts = verdicts_of(store.compared());
  EXPECT_EQ(verdicts.verdict, Verdict::inconclusive);
  EXPECT_TRUE(std::ranges::any_of(verdicts.rows, [](const VerdictRow& row) {
    return row.because.find("run b3 has no such point") != std::string::npos;
  }));
}

TEST(ComparisonGaps, APointOnOneSideOnlyIsOpenOnWhicheverSide) {
  for (const bool of_a : {true, false}) {
    ComparedStore store;
    for (int run = 1; run <= 3; ++run) {
      const double us = 100 + 0.1 * run;
      const ComparedStore::Points one{{1, {us, us}}}, two{{1, {us, us}}, {2, {us, us}}};
      store.add_run("a" + std::to_string(run), of_a ? two : one);
      store.add_run("b" + std::to_string(run), of_a ? one : two);
    }
    const RunComparison comparison = store.compared();
    EXPECT_EQ(comparison.only_in_a, of_a ? 1 : 0);
    EXPECT_EQ(comparison.only_in_b, of_a ? 0 : 1);
    EXPECT_THAT(to_table(comparison).notes.back(), HasSubstr("Not compared: "));
    const Verdicts verdicts = verdicts_of(comparison);
    EXPECT_EQ(verdicts.verdict, Verdict::inconclusive);
    EXPECT_EQ(verdicts.rows.front().because, of_a ? "only the baseline has it" : "only the candidate has it");
    EXPECT_EQ(verdicts.rows.back().verdict, Verdict::pass);
  }
}

TEST(ComparisonGaps, WhatARecordSaysAgainstItselfLeavesThePointOpen) {
  for (const ComparedStore::Change change : std::initializer_list<ComparedStore::Change>{
           [](PointRecord& point) { point.conditions = {{"not_a_performance_measurement", "shared"}}; },
           [](PointRecord& point) { point.conditions = {{"link_class", "lossy"}}; },
           [](PointRecord& point) {
             point.conditions = {{"link_class", "clean"}, {"rank1_link_class", "faulty"}};
           },
           [](PointRecord& point) { point.conditions = {{"link_class", "unknown"}}; },
           [](PointRecord& point) { point.time->n = 0; }, [](PointRecord& point) { point.time->value_s = 0; },
           [](PointRecord& point) { point.time->value_s = -1e-4; },
           [](PointRecord& point) { std::swap(point.time->lower_s, point.time->upper_s); },
           [](PointRecord& point) { point.metrics[0].value = -5; },
           [](PointRecord& point) { point.stop = "interrupted"; },
           [](PointRecord& point) {
             for (double& sample : point.samples_s) sample *= 2;
           }}) {
    const Verdicts verdicts = verdicts_where_b4(change);
    EXPECT_EQ(verdicts.verdict, Verdict::inconclusive);
    EXPECT_THAT(verdicts.rows.front().because, HasSubstr("run b4, repetition 0: "));
  }
}

TEST(ComparisonGaps, ATimeThatIsNullLeavesThePointOpen) {
  EXPECT_EQ(verdicts_where_b4([](PointRecord& point) { point.time->value_s = std::nan(""); }).verdict,
            Verdict::inconclusive);
  EXPECT_EQ(verdicts_where_b4([](PointRecord& point) { point.time.reset(); }).verdict, Verdict::inconclusive);
}

TEST(ComparisonGaps, AWrongResultOfTheCandidateFailsWhateverItsStatusSays) {
  for (const ComparedStore::Change change : std::initializer_list<ComparedStore::Change>{
           [](PointRecord& point) { point.verification.result = Verification::Result::wrong; },
           [](PointRecord& point) { point.status = Status::wrong, point.reason = "element 7"; }}) {
    const Verdicts verdicts = verdicts_where_b4(change);
    EXPECT_EQ(verdicts.verdict, Verdict::fail);
    EXPECT_THAT(verdicts.rows.front().because, HasSubstr("run b4, repetition 0"));
  }
}

TEST(ComparisonGaps, WhereNoPointCountsNothingPasses) {
  ComparedStore store;
  const auto stamped = [](PointRecord& point) {
    point.conditions = {{"not_a_performance_measurement", "ranks share a GPU"}};
  };
  store.add_side("a", equal_runs, stamped);
  store.add_side("b", equal_runs, stamped);
  const Verdicts verdicts = verdicts_of(store.compared());
  EXPECT_EQ(verdicts.verdict, Verdict::inconclusive);
  EXPECT_THAT(verdicts.rows.front().because, HasSubstr("ranks share a GPU on both sides"));
}

TEST(ComparisonGaps, FailWhereOnlyTheCandidateCouldNotMeasure) {
  const Verdicts verdicts = verdicts_where(Status::ok, Status::wrong);
  EXPECT_EQ(verdicts.verdict, Verdict::fail);
  EXPECT_THAT(verdicts.rows.front().because, HasSubstr("candidate: wrong: no memory"));
}

TEST(ComparisonGaps, StayOpenWhereTheBaselineCouldNotMeasure) {
  EXPECT_EQ(verdicts_where(Status::failed, Status::ok).verdict, Verdict::inconclusive);
  EXPECT_EQ(verdicts_where(Status::ok, Status::unsupported).verdict, Verdict::inconclusive);
}

TEST(ComparisonGaps, AreExcusedWhereNoMachineCanRunThePoint) {
  const Verdicts verdicts = verdicts_where(Status::unsupported, Status::unsupported);
  EXPECT_EQ(verdicts.verdict, Verdict::pass);
  EXPECT_TRUE(verdicts.rows.back().excused);
}

/// A run whose first process was cut off in repetition 1, if `resumed` measured again by a second.
void add_cut_run(ComparedStore& store, const std::string& id, bool resumed) {
  test::RunBuilder builder(id);
  const auto measure = [&](std::int64_t repetition, double us) {
    PointRecord record = builder.point("memory.host.copy", {{"n", std::int64_t{1}}});
    record.repetition = repetition;
    record.work_bytes = 64;
    builder.measured(std::move(record), us * 1e-6, {"time_us", "us", [](double s) { return s * 1e6; }});
  };
  builder.begin(0, "memory");
  measure(0, 100.07);
  measure(1, 300.07);
  auto records = builder.take();
  std::get<PointRecord>(records.back()).stop = "interrupted";
  if (resumed) {
    builder.begin(1, "memory");
    measure(1, 100.06);
    builder.end();
    std::ranges::move(builder.take(), std::back_inserter(records));
  }
  store.add(std::move(records));
}

TEST(ComparisonGaps, WhatAResumedRunMeasuredAgainCountsOnce) {
  for (const bool resumed : {true, false}) {
    ComparedStore store;
    store.add_side("a", equal_runs);
    store.add_side("b", {100, 100.1, 99.9});
    add_cut_run(store, "b4", resumed);
    EXPECT_EQ(verdicts_of(store.compared()).verdict, resumed ? Verdict::pass : Verdict::inconclusive);
  }
}

TEST(ComparisonGaps, ARepetitionMeasuredTwiceInOneRunLeavesThePointOpen) {
  ComparedStore store;
  store.add_side("a", equal_runs);
  store.add_side("b", {100, 100.1, 99.9});
  store.add_run("b4", {{1, {100, 100.2}}, {1, {100, 90}}});
  const Verdicts verdicts = verdicts_of(store.compared());
  EXPECT_EQ(verdicts.verdict, Verdict::inconclusive);
  EXPECT_THAT(verdicts.rows.front().because, HasSubstr("measured twice"));
}

}  // namespace
}  // namespace assay::results

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/population/run_comparison.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "results/judge/tests/compared_store.hpp"

namespace assay::results {
namespace {

using core::Equivalence;
using test::ComparedStore;
using test::RunBuilder;
using testing::HasSubstr;

/// One collective whose point has these axes; two repetitions in each of three runs.
void add_collective(ComparedStore& store, const std::string& side, const Fields& axes,
                    const std::string& unit = "GB/s", const std::string& bytes_counted = "") {
  for (int run = 1; run <= 3; ++run) {
    RunBuilder builder(side + std::to_string(run));
    builder.begin(0, "collectives");
    for (std::int64_t repetition = 0; repetition < 2; ++repetition) {
      PointRecord record = builder.point("collectives.nccl.all_reduce", axes);
      record.repetition = repetition;
      record.bytes_counted = bytes_counted;
      const double seconds = 1e-4 + 1e-12 * run + (side == "a" ? 0 : 1e-11);
      builder.measured(std::move(record), seconds,
                       {"busbw_gb_per_s", unit, [](double s) { return 1e-4 / s; }});
    }
    builder.end();
    store.add(builder.take());
  }
}

Fields all_reduce(std::int64_t bytes, const std::string& dtype, std::int64_t in_place,
                  const std::string& algorithm) {
  return {{"bytes", bytes}, {"dtype", dtype}, {"in_place", in_place}, {"algorithm", algorithm}};
}

/// The refusal to compare this all-reduce with one of 1024 bytes, fp32, out of place, ring.
std::string refusal_against_usual(const Fields& axes) {
  ComparedStore store;
  add_collective(store, "a", all_reduce(1024, "fp32", 0, "ring"));
  add_collective(store, "b", axes);
  return store.refusal();
}

const std::vector<double> usual_times{100, 101, 99, 100};

TEST(Comparison, TellsEquivalentBetterAndWorsePerPoint) {
  ComparedStore store;
  for (int run = 1; run <= 4; ++run) {
    const double us = 99 + run * 0.4;
    store.add_run("a" + std::to_string(run), {{1, {us, us}}, {2, {us, us}}, {3, {us, us}}});
    store.add_run("b" + std::to_string(run),
                  {{1, {us, us}}, {2, {us * 1.2, us * 1.2}}, {3, {us * 0.8, us * 0.8}}});
  }
  const RunComparison comparison = store.compared();
  ASSERT_EQ(comparison.points.size(), 3U);
  EXPECT_EQ(comparison.points[0].times.verdict, Equivalence::equivalent);
  EXPECT_EQ(comparison.points[1].times.verdict, Equivalence::higher);
  EXPECT_EQ(comparison.points[2].times.verdict, Equivalence::lower);
  EXPECT_NEAR(comparison.points[1].times.ratio, 1.2, 1e-3);
  EXPECT_EQ(comparison.points[1].times.runs_of_a, 4);
  EXPECT_EQ(comparison.points[1].repetitions, 2);
  const Table table = to_table(comparison);
  EXPECT_EQ(std::get<std::string>(table.rows.front().back()), "worse");
  EXPECT_THAT(table.notes.front(), HasSubstr("1 equivalent, 1 better, 1 worse, 0 INCONCLUSIVE"));
}

TEST(Comparison, OfEqualRepetitionsLeavesTheirTrendOut) {
  ComparedStore store;
  for (int run = 1; run <= 3; ++run) {
    const double us = 100 + 0.1 * run;
    store.add_run("a" + std::to_string(run), {{1, {us, 1.5 * us, 2 * us}}});
    store.add_run("b" + std::to_string(run), {{1, {us, 1.5 * us, 2 * us}}});
  }
  EXPECT_EQ(store.compared().points.front().times.verdict, Equivalence::equivalent);
}

// Ten repetitions agree to a tenth of a per mille: within one run that shows nothing of the next.
TEST(Comparison, WithinOneRunIsOpenAndSaysHowManyRunsAreNeeded) {
  ComparedStore store;
  const std::vector<double> steady{100, 100.01, 100.02, 100, 99.99, 100, 100.01, 100.02, 100, 99.99};
  store.add_run("a", {{1, steady}});
  store.add_run("b", {{1, steady}});
  const RunComparison comparison = store.compared({"a"}, {"b"});
  EXPECT_EQ(comparison.count(Equivalence::not_enough_data), 1);
  EXPECT_EQ(comparison.points.front().runs_needed, core::fewest_runs);
  const Verdicts verdicts = verdicts_of(comparison);
  EXPECT_EQ(verdicts.verdict, Verdict::inconclusive);
  EXPECT_THAT(verdicts.rows.front().because, HasSubstr("3 runs on each side would decide"));
  EXPECT_THAT(verdicts.notes.at(1), HasSubstr("About 3 runs on each side"));
}

TEST(Comparison, OfManyRunsAgainstOneIsOpen) {
  ComparedStore store;
  store.add_side("a", usual_times);
  store.add_side("b", {100});
  EXPECT_EQ(verdicts_of(store.compared()).verdict, Verdict::inconclusive);
}

// The runs show what repetitions hide: each run is steady, and the runs differ by more than the margin.
TEST(Comparison, TakesTheSpreadBetweenRunsNotThatWithin) {
  ComparedStore store;
  store.add_side("a", {96, 104, 99, 101});
  store.add_side("b", {105, 95, 100, 100});
  const RunComparison comparison = store.compared();
  EXPECT_EQ(comparison.points.front().times.verdict, Equivalence::not_enough_data);
  EXPECT_NEAR(*comparison.points.front().times.deviation, 0.038, 0.003);
  EXPECT_LT(*comparison.points.front().within_a_run, 0.002);
  ASSERT_TRUE(comparison.points.front().runs_needed);
  EXPECT_GT(*comparison.points.front().runs_needed, 10);
}

TEST(Comparison, OfRunsThatMeanOtherThingsIsRefusedNamingTheDifference) {
  ComparedStore store;
  store.add_side("a", usual_times,
                 [](PointRecord& point) { point.conditions = {{"ranks", std::int64_t{8}}}; });
  store.add_side("b", usual_times,
                 [](PointRecord& point) { point.conditions = {{"ranks", std::int64_t{16}}}; });
  EXPECT_THAT(store.refusal(), HasSubstr("is not the same in both runs: ranks '8' and '16'"));
}

TEST(Comparison, OfRunsOnOneSideThatMeanOtherThingsIsRefusedToo) {
  ComparedStore store;
  store.add_side("a", {100, 101});
  store.add_run("a3", {{1, {100, 100}}}, [](PointRecord& point) { point.work_bytes = 128; });
  store.add_side("b", usual_times);
  EXPECT_THAT(store.refusal(), HasSubstr("bytes of an iteration '64' and '128'"));
}

TEST(Comparison, OfOtherMessageSizesIsRefusedNamingThem) {
  EXPECT_EQ(refusal_against_usual(all_reduce(2048, "fp32", 0, "ring")),
            "collectives.nccl.all_reduce is not the same in both runs: bytes '1024' and '2048'");
}

TEST(Comparison, OfInPlaceAndOutOfPlaceIsRefused) {
  EXPECT_THAT(refusal_against_usual(all_reduce(1024, "fp32", 1, "ring")), HasSubstr("in_place '0' and '1'"));
}

TEST(Comparison, OfOtherAlgorithmsIsRefused) {
  EXPECT_THAT(refusal_against_usual(all_reduce(1024, "fp32", 0, "tree")),
              HasSubstr("algorithm 'ring' and 'tree'"));
}

TEST(Comparison, OfOtherDataTypesIsRefused) {
  EXPECT_THAT(refusal_against_usual(all_reduce(1024, "bfloat16", 0, "ring")),
              HasSubstr("dtype 'fp32' and 'bfloat16'"));
}

TEST(Comparison, OfACaseThatHasAnAxisInOneRunOnlyIsRefused) {
  EXPECT_THAT(refusal_against_usual({{"bytes", std::int64_t{1024}}}),
              HasSubstr("algorithm 'ring' and 'no such axis'"));
}

TEST(Comparison, OfTwoUnitsOfOneMetricIsRefusedNamingBoth) {
  ComparedStore store;
  add_collective(store, "a", {{"bytes", std::int64_t{8}}}, "GB/s");
  add_collective(store, "b", {{"bytes", std::int64_t{8}}}, "GiB/s");
  EXPECT_THAT(store.refusal(), HasSubstr("unit of busbw_gb_per_s 'GB/s' and 'GiB/s'"));
}

TEST(Comparison, OfBytesCountedInAnotherWayIsRefused) {
  ComparedStore store;
  add_collective(store, "a", {{"bytes", std::int64_t{8}}}, "GB/s", "once");
  add_collective(store, "b", {{"bytes", std::int64_t{8}}}, "GB/s", "read and written");
  EXPECT_THAT(store.refusal(), HasSubstr("how bytes are counted 'once' and 'read and written'"));
}

TEST(Comparison, TellsLimitIntervalAndWhatItCouldSee) {
  ComparedStore store;
  store.add_side("a", usual_times);
  store.add_side("b", {120, 121, 119, 120});
  const VerdictRow row = verdicts_of(store.compared()).rows.at(0);
  EXPECT_EQ(row.verdict, Verdict::fail);
  EXPECT_EQ(row.metric, "memory.host.copy/n=1");
  EXPECT_NEAR(row.value->value, 1.2, 1e-3);
  EXPECT_TRUE(row.value->lower && row.value->upper);
  EXPECT_DOUBLE_EQ(*row.limit->highest, 1.03);
  EXPECT_EQ(row.n, 8);
  EXPECT_TRUE(row.smallest_defect);
}

TEST(Comparison, OfARunWithItselfIsRefused) {
  ComparedStore store;
  store.add_side("a", usual_times);
  store.add_side("b", usual_times);
  EXPECT_THAT(store.refusal({"a1"}, {"a1"}), HasSubstr("run a1 is named twice"));
  EXPECT_THAT(store.refusal({"a1", "a2", "a*"}, {"b*"}), HasSubstr("is named twice"));
  EXPECT_THAT(store.refusal({"all"}, {"b1"}), HasSubstr("run b1 is named twice"));
}

TEST(Comparison, OfRanksOfOneRunIsRefused) {
  ComparedStore store;
  store.add_run("a.rank0", {{1, usual_times}});
  store.add_run("a.rank1", {{1, usual_times}});
  store.add_run("b", {{1, usual_times}});
  EXPECT_THAT(store.refusal({"a.*"}, {"b"}), HasSubstr("are ranks of one run"));
}

TEST(Comparison, OfARunWithItsCopyIsRefusedWhateverTheirNames) {
  ComparedStore store;
  for (const char* id : {"a", "b"}) {
    RunBuilder builder(id);
    builder.begin(0, "memory");
    builder.measured(builder.point("memory.host.copy", {{"n", std::int64_t{1}}}), 1e-4,
                     {"time_us", "us", [](double s) { return s * 1e6; }});
    builder.end();
    store.add(builder.take());
  }
  EXPECT_THAT(store.refusal({"a"}, {"b"}),
              HasSubstr("runs a and b have the same samples of memory.host.copy n=1"));
}

TEST(Comparison, OfACopyInAnotherStoreIsRefused) {
  ComparedStore store, other;
  store.add_run("r", {{1, usual_times}});
  other.add_run("r", {{1, usual_times}});
  EXPECT_THROW(compare_runs(store.store(), other.store(), {.a = {"r"}, .b = {"r"}}), std::runtime_error);
}

// A few samples may be equal by chance; all of a run's may not.
TEST(Comparison, OfFewSamplesThatAreAllEqualIsRefused) {
  const auto few = [](PointRecord& point) {
    point.samples_s.assign(2, 1e-4);
    point.time->value_s = point.time->lower_s = point.time->upper_s = 1e-4;
  };
  ComparedStore store;
  store.add_run("a", {{1, {100}}, {2, {100}}}, few);
  store.add_run("b", {{1, {100}}, {2, {100}}}, few);
  EXPECT_THAT(store.refusal({"a"}, {"b"}), HasSubstr("have the same samples"));
}

TEST(Comparison, WithAMarginThatIsNoneIsRefused) {
  ComparedStore store;
  store.add_side("a", usual_times);
  store.add_side("b", usual_times);
  for (const double margin : {std::numeric_limits<double>::quiet_NaN(), -0.03, 0.0, 1.0, 1e9})
    EXPECT_THAT(store.refusal({"a*"}, {"b*"}, margin), HasSubstr("expected a margin")) << margin;
}

TEST(Comparison, OfARunThatIsNotThereIsOneLine) {
  ComparedStore store;
  store.add_side("a", usual_times);
  EXPECT_THAT(store.refusal({"a1"}, {"b1"}), HasSubstr("no run 'b1'"));
  EXPECT_THAT(store.refusal({"a1"}, {"b*"}), HasSubstr("no run matches 'b*'"));
}

}  // namespace
}  // namespace assay::results

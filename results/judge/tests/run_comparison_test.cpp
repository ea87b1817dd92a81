// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/run_comparison.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "results/tests/run_builder.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results {
namespace {

using core::Equivalence;
using test::RunBuilder;
using testing::HasSubstr;

class Comparison : public testing::Test {
 protected:
  /// A run whose point n=NUMBER took these times, a repetition each.
  void add_run(const std::string& id, const std::vector<std::pair<std::int64_t, std::vector<double>>>& points,
               const Fields& conditions = {}, double work_bytes = 64) {
    RunBuilder builder(id);
    builder.begin(0, "memory");
    for (const auto& [n, times_us] : points)
      for (std::size_t repetition = 0; repetition < times_us.size(); ++repetition) {
        PointRecord record = builder.point("memory.host.copy", {{"n", n}});
        record.repetition = static_cast<std::int64_t>(repetition);
        record.conditions = conditions;
        record.work_bytes = work_bytes;
        builder.measured(std::move(record), times_us[repetition] * 1e-6,
                         {"time_us", "us", [](double s) { return s * 1e6; }});
      }
    builder.end();
    for (const Record& record : builder.take()) store_.add(record);
  }
  /// A run of one collective whose point has these axes; two repetitions.
  void add_collective(const std::string& id, const Fields& axes, const std::string& unit = "GB/s",
                      const std::string& bytes_counted = "") {
    RunBuilder builder(id);
    builder.begin(0, "collectives");
    for (std::int64_t repetition = 0; repetition < 2; ++repetition) {
      PointRecord record = builder.point("collectives.nccl.all_reduce", axes);
      record.repetition = repetition;
      record.bytes_counted = bytes_counted;
      builder.measured(std::move(record), 1e-4, {"busbw_gb_per_s", unit, [](double s) { return 1e-4 / s; }});
    }
    builder.end();
    for (const Record& record : builder.take()) store_.add(record);
  }
  static Fields all_reduce(std::int64_t bytes, const std::string& dtype, std::int64_t in_place,
                           const std::string& algorithm) {
    return {{"bytes", bytes}, {"dtype", dtype}, {"in_place", in_place}, {"algorithm", algorithm}};
  }
  /// What is said of this all-reduce against one of 1024 bytes, float32, out of place, ring.
  std::string refusal_against_usual(const Fields& axes) {
    add_collective("a", all_reduce(1024, "float32", 0, "ring"));
    add_collective("b", axes);
    return refusal();
  }
  /// One point, which ended so in each run; a second one is good in both.
  Verdicts verdicts_where(Status in_a, Status in_b) {
    for (const auto& [id, status] : {std::pair("a", in_a), {"b", in_b}}) {
      RunBuilder builder(id);
      builder.begin(0, "memory");
      for (std::int64_t repetition = 0; repetition < 2; ++repetition)
        for (const std::int64_t n : {std::int64_t{1}, std::int64_t{2}}) {
          PointRecord record = builder.point("memory.host.copy", {{"n", n}});
          record.repetition = repetition;
          if (n == 1 && status != Status::ok)
            builder.not_measured(std::move(record), status, "no memory");
          else
            builder.measured(std::move(record), 1e-4, {"time_us", "us", [](double s) { return s * 1e6; }});
        }
      builder.end();
      for (const Record& record : builder.take()) store_.add(record);
    }
    return verdicts_of(compare_runs(store_, store_, {.a = "a", .b = "b", .margin = 0.5}));
  }
  RunComparison compared(double margin = 0.03) {
    return compare_runs(store_, store_, {.a = "a", .b = "b", .margin = margin});
  }
  std::string refusal() {
    try {
      compared();
      return "compared";
    } catch (const std::runtime_error& error) {
      return error.what();
    }
  }

 private:
  test::TemporaryFolder folder_;
  Store store_{folder_ / "store.sqlite"};
};

TEST_F(Comparison, TellsEquivalentBetterAndWorsePerPoint) {
  add_run("a", {{1, {100, 101, 99, 100}}, {2, {100, 101, 99, 100}}, {3, {100, 101, 99, 100}}});
  add_run("b", {{1, {100.5, 101, 99.5, 100}}, {2, {120, 121, 119, 120}}, {3, {80, 81, 79, 80}}});
  const RunComparison comparison = compared();
  ASSERT_EQ(comparison.points.size(), 3U);
  EXPECT_EQ(comparison.points[0].times.verdict, Equivalence::equivalent);
  EXPECT_EQ(comparison.points[1].times.verdict, Equivalence::higher);
  EXPECT_EQ(comparison.points[2].times.verdict, Equivalence::lower);
  EXPECT_NEAR(comparison.points[1].times.ratio, 1.2, 1e-3);
  EXPECT_EQ(comparison.points[1].times.pairs, 4);
  const Table table = to_table(comparison);
  EXPECT_EQ(std::get<std::string>(table.rows.front().back()), "worse");
  EXPECT_THAT(table.notes.front(), HasSubstr("1 equivalent, 1 better, 1 worse, 0 with not enough data"));
}

TEST_F(Comparison, PairsRepetitionsSoThatWhatBothSawFallsOut) {
  add_run("a", {{1, {100, 150, 200, 250}}});
  add_run("b", {{1, {100, 150.5, 199, 250}}});
  EXPECT_EQ(compared().points.front().times.verdict, Equivalence::equivalent);
}

TEST_F(Comparison, NeverCallsOneRepetitionEquivalent) {
  add_run("a", {{1, {100}}});
  add_run("b", {{1, {100}}});
  const RunComparison comparison = compared();
  EXPECT_EQ(comparison.count(Equivalence::not_enough_data), 1);
  EXPECT_THAT(std::get<std::string>(to_table(comparison).rows.front().back()),
              HasSubstr("repetitions of the point are needed"));
}

TEST_F(Comparison, SaysHowManyMoreRepetitionsAreNeeded) {
  add_run("a", {{1, {100, 100, 100, 100}}});
  add_run("b", {{1, {96, 104, 105, 95}}});
  const RunComparison comparison = compared();
  EXPECT_EQ(comparison.points.front().times.verdict, Equivalence::not_enough_data);
  ASSERT_TRUE(comparison.points.front().more_needed);
  EXPECT_GT(*comparison.points.front().more_needed, 10);
}

TEST_F(Comparison, CountsWhatOnlyOneRunHas) {
  add_run("a", {{1, {100, 100}}, {2, {100, 100}}});
  add_run("b", {{1, {100, 100}}, {3, {100, 100}}, {4, {100, 100}}});
  const RunComparison comparison = compared();
  EXPECT_EQ(comparison.only_in_a, 1);
  EXPECT_EQ(comparison.only_in_b, 2);
  EXPECT_THAT(to_table(comparison).notes.back(), HasSubstr("1 points only in a, 2 only in b"));
}

TEST_F(Comparison, OfRunsThatMeanOtherThingsIsRefusedNamingTheDifference) {
  add_run("a", {{1, {100, 100}}}, {{"ranks", std::int64_t{8}}});
  add_run("b", {{1, {100, 100}}}, {{"ranks", std::int64_t{16}}});
  EXPECT_THAT(refusal(), HasSubstr("is not the same in both runs: ranks '8' and '16'"));
}

TEST_F(Comparison, OfOtherBytesIsRefusedNamingTheDifference) {
  add_run("a", {{1, {100, 100}}}, {}, 64);
  add_run("b", {{1, {100, 100}}}, {}, 128);
  EXPECT_THAT(refusal(), HasSubstr("bytes of an iteration '64' and '128'"));
}

TEST_F(Comparison, OfOtherMessageSizesIsRefusedNamingThem) {
  EXPECT_EQ(refusal_against_usual(all_reduce(2048, "float32", 0, "ring")),
            "collectives.nccl.all_reduce is not the same in both runs: bytes '1024' and '2048'");
}

TEST_F(Comparison, OfInPlaceAndOutOfPlaceIsRefused) {
  EXPECT_THAT(refusal_against_usual(all_reduce(1024, "float32", 1, "ring")),
              HasSubstr("in_place '0' and '1'"));
}

TEST_F(Comparison, OfOtherAlgorithmsIsRefused) {
  EXPECT_THAT(refusal_against_usual(all_reduce(1024, "float32", 0, "tree")),
              HasSubstr("algorithm 'ring' and 'tree'"));
}

TEST_F(Comparison, OfOtherDataTypesIsRefused) {
  EXPECT_THAT(refusal_against_usual(all_reduce(1024, "bfloat16", 0, "ring")),
              HasSubstr("dtype 'float32' and 'bfloat16'"));
}

TEST_F(Comparison, OfACaseThatHasAnAxisInOneRunOnlyIsRefused) {
  EXPECT_THAT(refusal_against_usual({{"bytes", std::int64_t{1024}}}),
              HasSubstr("algorithm 'ring' and 'no such axis'"));
}

TEST_F(Comparison, OfTwoUnitsOfOneMetricIsRefusedNamingBoth) {
  add_collective("a", {{"bytes", std::int64_t{8}}}, "GB/s");
  add_collective("b", {{"bytes", std::int64_t{8}}}, "GiB/s");
  EXPECT_THAT(refusal(), HasSubstr("unit of busbw_gb_per_s 'GB/s' and 'GiB/s'"));
}

TEST_F(Comparison, OfBytesCountedInAnotherWayIsRefused) {
  add_collective("a", {{"bytes", std::int64_t{8}}}, "GB/s", "once");
  add_collective("b", {{"bytes", std::int64_t{8}}}, "GB/s", "read and written");
  EXPECT_THAT(refusal(), HasSubstr("how bytes are counted 'once' and 'read and written'"));
}

TEST_F(Comparison, FailsWhereOnlyTheJudgedRunCouldNotMeasure) {
  const Verdicts verdicts = verdicts_where(Status::ok, Status::wrong);
  EXPECT_EQ(verdicts.verdict, Verdict::fail);
  EXPECT_THAT(verdicts.rows.front().because, HasSubstr("second run: wrong: no memory"));
}

TEST_F(Comparison, StaysOpenWhereTheOtherRunCouldNotMeasure) {
  EXPECT_EQ(verdicts_where(Status::failed, Status::ok).verdict, Verdict::not_run);
}

TEST_F(Comparison, ExcusesWhatNeitherMachineCanRun) {
  const Verdicts verdicts = verdicts_where(Status::unsupported, Status::unsupported);
  EXPECT_EQ(verdicts.verdict, Verdict::pass);
  EXPECT_TRUE(verdicts.rows.back().excused);
}

TEST_F(Comparison, OfWhichAPointIsMissingIsNoPass) {
  add_run("a", {{1, {100, 101, 99, 100}}, {2, {100, 100}}});
  add_run("b", {{1, {100, 101, 99, 100}}});
  const Verdicts verdicts = verdicts_of(compared());
  EXPECT_EQ(verdicts.verdict, Verdict::not_run);
  EXPECT_EQ(verdicts.rows.front().because, "only the first run has it");
  EXPECT_EQ(verdicts.rows.back().verdict, Verdict::pass);
}

TEST_F(Comparison, TellsLimitIntervalAndWhatItCouldSee) {
  add_run("a", {{1, {100, 101, 99, 100}}});
  add_run("b", {{1, {120, 121, 119, 120}}});
  const VerdictRow row = verdicts_of(compared()).rows.at(0);
  EXPECT_EQ(row.verdict, Verdict::fail);
  EXPECT_EQ(row.metric, "memory.host.copy/n=1");
  EXPECT_NEAR(row.value->value, 1.2, 1e-3);
  EXPECT_TRUE(row.value->lower && row.value->upper);
  EXPECT_DOUBLE_EQ(*row.limit->highest, 1.03);
  EXPECT_EQ(row.n, 4);
  EXPECT_TRUE(row.smallest_defect);
}

TEST_F(Comparison, NeverTakesWhatIsNoPerformanceMeasurement) {
  const Fields stamped{{"not_a_performance_measurement", "ranks share a GPU"}};
  add_run("a", {{1, {100, 100}}}, stamped);
  add_run("b", {{1, {100, 100}}}, stamped);
  EXPECT_EQ(refusal(), "runs a and b have no point that both measured");
}

TEST_F(Comparison, OfARunThatIsNotThereIsOneLine) {
  add_run("a", {{1, {100, 100}}});
  EXPECT_THAT(refusal(), HasSubstr("b"));
}

}  // namespace
}  // namespace assay::results

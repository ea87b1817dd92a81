// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Late ranks, on synthetic records.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "results/judge/tests/ask_judge.hpp"
#include "results/tests/run_builder.hpp"

namespace assay::results {
namespace {

/// A point of 100 us: the rank that it names, and how late that is; -1: none; -2: it did not look.
struct NamingPoint {
  int rank = -1;
  double late_us = 0;
};

std::vector<Record> run_of(const std::string& run, const std::vector<NamingPoint>& points,
                           const std::string& host = "node-a") {
  test::RunBuilder builder(run);
  builder.begin(0, "collectives");
  std::int64_t bytes = 8;
  for (const NamingPoint& one : points) {
    PointRecord record = builder.point("collectives.assay.all_reduce", {{"bytes", bytes++}});
    if (one.rank > -2) record.conditions.emplace_back("straggler_blocks", std::int64_t{32});
    if (one.rank >= 0) {
      record.conditions.emplace_back("straggler_rank", std::int64_t{one.rank});
      record.conditions.emplace_back("straggler_late_us", one.late_us);
      if (run.find(".rank") == std::string::npos) record.conditions.emplace_back("straggler_host", "node-b");
    }
    builder.measured(std::move(record), 100e-6, {"time_us", "us", [](double s) { return s * 1e6; }});
  }
  builder.end();
  std::vector<Record> records = builder.take();
  for (Record& record : records)
    if (auto* context = std::get_if<ContextRecord>(&record)) context->host = host;
  return records;
}

std::vector<VerdictRow> judged_rows(const std::vector<std::vector<Record>>& runs) {
  Store store("");
  for (const std::vector<Record>& run : runs) store.add(run);
  const auto judged = test::ask_judge("stragglers", {.store = store});
  return judged.empty() ? std::vector<VerdictRow>() : judged.front().verdicts.rows.unpacked();
}

std::vector<VerdictRow> verdict_rows(const std::vector<NamingPoint>& points) {
  return judged_rows({run_of("run-1", points)});
}

std::vector<NamingPoint> points_of(std::size_t all, std::size_t named, double late_us) {
  std::vector<NamingPoint> points(all);
  for (std::size_t i = 0; i < named; ++i) points[i] = {.rank = 5, .late_us = late_us};
  return points;
}

TEST(StragglersJudge, FailsARankThatIsLateBeyondTheMarginInPointAfterPoint) {
  const auto rows = verdict_rows(points_of(20, 8, 30));
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].verdict, Verdict::fail);
  EXPECT_EQ(rows[0].metric, "rank 5 begins collectives late");
  EXPECT_EQ(rows[0].because, "latest in 8 of 20 points of run-1");
  EXPECT_EQ(rows[0].unit, "node-b") << "the host that the record names";
  EXPECT_EQ(rows[0].kind, "host");
  EXPECT_NEAR(rows[0].value->value, 30, 1);
}

TEST(StragglersJudge, NamesEveryLateRankWithItsHostWhereTheRanksOwnJournalsAreThere) {
  std::vector<NamingPoint> late_6 = points_of(20, 12, 40);
  for (NamingPoint& one : late_6)
    if (one.rank == 5) one.rank = 6;
  const auto rows = judged_rows(
      {run_of("run-1", points_of(20, 8, 30)), run_of("run-1.rank4", points_of(20, 0, 0)),
       run_of("run-1.rank5", points_of(20, 8, 30), "node-c"), run_of("run-1.rank6", late_6, "node-c")});
  ASSERT_EQ(rows.size(), 2U);
  for (const VerdictRow& row : rows) {
    EXPECT_EQ(row.unit, "node-c");
    EXPECT_EQ(row.verdict, Verdict::fail);
  }
  EXPECT_EQ(rows[0].metric, "rank 5 begins collectives late");
  EXPECT_EQ(rows[1].metric, "rank 6 begins collectives late");
  EXPECT_EQ(rows[1].because, "latest in 12 of 20 points of run-1");
}

TEST(StragglersJudge, PassesARunWhoseRanksAllSayThatTheyAreOnTime) {
  const auto rows =
      judged_rows({run_of("run-1", points_of(20, 0, 0)), run_of("run-1.rank1", points_of(20, 0, 0)),
                   run_of("run-1.rank2", points_of(20, 1, 30))});
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].verdict, Verdict::pass);
}

TEST(WholeRuns, LeaveOutThoseOfRanksWhoseWholeRunIsThere) {
  Store store("");
  for (const char* run : {"a", "a.rank1", "b.rank2", "c.ranking"}) store.add(run_of(run, points_of(1, 0, 0)));
  std::vector<std::string> names;
  for (const StoredRun& run : whole_runs(store)) names.push_back(run.run_id);
  EXPECT_THAT(names, testing::UnorderedElementsAre("a", "b.rank2", "c.ranking"));
  EXPECT_FALSE(find_run(store, "latest").run_id == "a.rank1");
}

TEST(StragglersJudge, PassesARankWhoseLatenessIsWithinTheMargin) {
  EXPECT_EQ(verdict_rows(points_of(20, 8, 1)).at(0).verdict, Verdict::pass);
}

TEST(StragglersJudge, IsOpenWhereTheLatenessIsOnBothSidesOfTheMargin) {
  auto points = points_of(20, 8, 30);
  for (std::size_t i = 0; i < 4; ++i) points[i].late_us = 1;
  EXPECT_EQ(verdict_rows(points).at(0).verdict, Verdict::inconclusive);
}

TEST(StragglersJudge, PassesWhereARankIsNamedNoMoreOftenThanByChance) {
  const auto rows = verdict_rows(points_of(20, 1, 30));
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].verdict, Verdict::pass);
  EXPECT_EQ(rows[0].because, "no rank is named more often than by chance, in 20 points");
}

TEST(StragglersJudge, SaysNothingOfPointsThatDidNotLook) {
  EXPECT_TRUE(verdict_rows({{.rank = -2}, {.rank = -2}}).empty());
}

/// The rate at which points name one of equal ranks, 1 % at most, is from the module's own test under heavy
/// tails.
TEST(StragglersJudge, OfEqualRanksFailsAtMostOnePercentOfRuns) {
  std::mt19937_64 random(7);
  int failed = 0;
  constexpr int runs = 300;
  for (int run = 0; run < runs; ++run) {
    std::vector<NamingPoint> points(30);
    for (NamingPoint& one : points)
      if (std::bernoulli_distribution(0.01)(random))
        one = {.rank = std::uniform_int_distribution<int>(0, 7)(random), .late_us = 50};
    for (const VerdictRow& row : verdict_rows(points)) failed += row.verdict == Verdict::fail ? 1 : 0;
  }
  EXPECT_LE(failed, 8) << "of " << runs << ", 3 expected at most";
}

}  // namespace
}  // namespace assay::results

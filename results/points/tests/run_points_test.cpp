// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/points/run_points.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <stdexcept>

#include "results/points/kinds/collective_points.hpp"
#include "results/points/kinds/copy_points.hpp"
#include "results/points/kinds/fabric_points.hpp"
#include "results/points/kinds/overlap_points.hpp"
#include "results/store/repetitions.hpp"
#include "results/store/sqlite/database.hpp"
#include "results/tests/fixed_run.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results {
namespace {

using testing::ElementsAre;

TEST(RunPoints, SayWhereOnlyTheFirstPointsWereRead) {
  const test::TemporaryFolder folder;
  Store store(folder / "store.db");
  store.add(test::sample_context());
  for (std::int64_t i = 0; i < 5; ++i) {
    PointRecord point = test::sample_point("run-1", i);
    point.case_name = i < 3 ? "memory.host.read" : "memory.host.write";
    store.add(point);
  }
  const RunPoints run(store, {}, 3);
  EXPECT_EQ(run.rows("memory.host.read").size(), 3U);
  EXPECT_EQ(run.rows("memory.host.write").size(), 2U);
  EXPECT_THAT(run.cut_short(), testing::IsEmpty());
  EXPECT_EQ(run.rows("memory.*").size(), 3U);
  EXPECT_THAT(run.cut_short(), ElementsAre("the first 3 of 5 points of memory.*"));
}

TEST(RunPoints, KeepNoOneFromWritingOnceTheyAreRead) {
  const test::TemporaryFolder folder;
  Store store(folder / "store.db");
  store.add(test::sample_context());
  store.add(test::sample_point("run-1", 0));
  const auto add_by_another = [&](std::int64_t sequence) {
    Store another(folder / "store.db", StoreMode::existing, std::chrono::milliseconds(20));
    another.add(test::sample_point("run-1", sequence));
  };
  EXPECT_EQ(RunPoints(store).measured("*").size(), 1U);
  EXPECT_NO_THROW(add_by_another(1));
  Database(folder / "store.db", false, std::chrono::milliseconds(20))
      .execute("UPDATE points SET record = '{}'");
  const RunPoints damaged(store);
  EXPECT_THROW(damaged.measured("*"), std::runtime_error);
  EXPECT_NO_THROW(add_by_another(2));
}

class RepeatedPoints : public testing::Test {
 protected:
  RepeatedPoints() { store_.add(test::sample_context()); }

  void add(const std::string& case_name, const Metric& metric, const Fields& conditions = {}) {
    auto point = test::sample_point("run-1", sequence_);
    point.case_name = case_name;
    point.repetition = sequence_++;
    point.metrics = {{"bandwidth_gb_per_s", "GB/s", 20, 19, 21}, metric};
    point.conditions = conditions;
    store_.add(point);
  }
  void add_three(const std::string& case_name) {
    add(case_name, {"slowdown", "", 3, 2.5, 3.5});
    add(case_name, {"slowdown", "", 1, 0.5, 1.5});
    add(case_name, {"slowdown", "", NAN, {}, {}});
    add(case_name, {"slowdown", "", 2, 1.9, 9});
  }

  test::TemporaryFolder folder_;
  Store store_{folder_ / "store.db"};
  std::int64_t sequence_ = 0;
};

class DifferentPointsOfRun : public testing::Test {
 protected:
  DifferentPointsOfRun() { store_.add(test::sample_context()); }

  void add(const std::string& key, double gb_per_s, double efficiency, Status status = Status::ok,
           const std::string& case_name = "memory.host.read") {
    PointRecord point = test::sample_point("run-1", sequence_);
    point.case_name = case_name;
    point.key = key;
    point.point = {{"bytes", key}};
    point.repetition = sequence_++;
    point.status = status;
    point.metrics = {{"bandwidth_gb_per_s", "GB/s", gb_per_s, gb_per_s - 1, gb_per_s + 1},
                     {"efficiency", "%", efficiency, efficiency - 1, efficiency + 1}};
    store_.add(point);
  }
  /// "KEY REPETITIONS: VALUE [LOWER, UPPER], EFFICIENCY, n N"
  static std::vector<std::string> text_of(const std::vector<StoredPoint>& points) {
    std::vector<std::string> lines;
    for (const StoredPoint& one : points)
      lines.push_back(fmt::format("{} {}: {} [{}, {}], {}, n {}", one.key, one.repetitions,
                                  one.headline.value, *one.headline.lower, *one.headline.upper,
                                  one.efficiency->value, one.n));
    return lines;
  }

  test::TemporaryFolder folder_;
  Store store_{folder_ / "store.db"};
  std::int64_t sequence_ = 0;
};

TEST_F(DifferentPointsOfRun, AreMadeOfEveryRepetitionWhereRowsAreMoreThanTheLimit) {
  for (const double shift : {4.0, 0.0, 2.0}) {
    add("bytes=1", 10 + shift, 50 + shift);
    add("bytes=2", 20 + shift, 60 + shift);
    add("bytes=2", 1000, 1000, Status::failed);
  }
  const std::int64_t n = 3 * test::sample_point().time->n;
  const std::vector<std::string> joined = {fmt::format("bytes=1 3: 12 [9, 15], 0.52, n {}", n),
                                           fmt::format("bytes=2 3: 22 [19, 25], 0.62, n {}", n)};
  for (const std::int64_t limit : {3, 100}) {
    const RunPoints run(store_, {}, limit);
    EXPECT_EQ(text_of(run.joined("memory.*", "bandwidth_gb_per_s")), joined) << limit;
    EXPECT_EQ(run.different("memory.*").size(), 3U) << "with the one that failed";
    EXPECT_THAT(run.cut_short(), testing::IsEmpty());
    EXPECT_THAT(run.joined("memory.*", "latency_ns"), testing::IsEmpty());
  }
}

TEST_F(DifferentPointsOfRun, EndAtTheLimitAndSaySo) {
  for (const char* key : {"bytes=1", "bytes=1", "bytes=2", "bytes=3", "bytes=1"}) add(key, 10, 50);
  const RunPoints run(store_, {}, 2);
  const std::int64_t n = test::sample_point().time->n;
  EXPECT_THAT(text_of(run.joined("memory.*", "bandwidth_gb_per_s")),
              ElementsAre(fmt::format("bytes=1 2: 10 [9, 11], 0.5, n {}", 2 * n),
                          fmt::format("bytes=2 1: 10 [9, 11], 0.5, n {}", n)));
  EXPECT_THAT(run.cut_short(),
              ElementsAre("points of memory.* up to the first 2 different ones, of 5 in all"));
}

TEST_F(DifferentPointsOfRun, OfSeveralLargeCasesAreThoseOfEachInTheirOrder) {
  for (const char* name : {"memory.host.read", "memory.host.write", "memory.host.copy"})
    for (int i = 0; i < 30; ++i) add(fmt::format("bytes={}", i % 10), 10 + i / 10, 50, Status::ok, name);
  const auto shown = [&](std::int64_t limit) {
    std::vector<std::string> names;
    for (const StoredPoint& one : RunPoints(store_, {}, limit).joined("memory.*", "bandwidth_gb_per_s")) {
      EXPECT_EQ(one.headline.value, 11) << one.case_name;
      EXPECT_EQ(one.repetitions, 3U);
      names.push_back(one.case_name + one.key);
    }
    return names;
  };
  const std::vector<std::string> all = shown(1000);
  ASSERT_EQ(all.size(), 30U);
  EXPECT_EQ(all.front(), "memory.host.readbytes=0");
  EXPECT_EQ(all.back(), "memory.host.copybytes=9");
  EXPECT_THAT(shown(12), testing::ElementsAreArray(all.begin(), all.begin() + 12));
  EXPECT_THAT(shown(29), testing::ElementsAreArray(all.begin(), all.begin() + 29));
  const RunPoints run(store_, {}, 12);
  run.different("memory.*");
  run.different("memory.host.copy");
  EXPECT_THAT(run.cut_short(),
              ElementsAre("points of memory.* up to the first 12 different ones, of 90 in all"));
}

TEST_F(DifferentPointsOfRun, AreTheSameAfterTheFirstRowsWereRead) {
  for (int i = 0; i < 6; ++i) add(fmt::format("bytes={}", i % 2), 10 + i, 50);
  add("bytes=1", 10, 50, Status::ok, "memory.host.copy");
  const RunPoints fresh(store_, {}, 3), known(store_, {}, 3);
  EXPECT_EQ(known.rows("memory.*").size(), 3U);
  EXPECT_EQ(text_of(known.different("memory.*")), text_of(fresh.different("memory.*")));
  EXPECT_THAT(text_of(fresh.different("memory.host.read")), testing::Each(testing::HasSubstr(" 3: ")));
}

TEST_F(DifferentPointsOfRun, JoinedAgainKeepTheirRepetitions) {
  for (const double shift : {4.0, 0.0, 2.0}) add("bytes=1", 10 + shift, 50);
  const RunPoints run(store_);
  const auto again = combine_repetitions(run.joined("memory.*", "bandwidth_gb_per_s"));
  ASSERT_EQ(again.size(), 1U);
  EXPECT_EQ(again.front().repetitions, 3U);
}

TEST_F(RepeatedPoints, HaveTheMedianOfEveryMetricInEveryView) {
  for (const char* name : {"rdma.verbs.bandwidth", "collectives.mpi.all_reduce", "offload.cuda.copy",
                           "offload.cuda.pipeline", "offload.cuda.interference"})
    add_three(name);
  const RunPoints run(store_);
  const auto expect_median = [](const auto& points) {
    ASSERT_EQ(points.size(), 1U);
    const Number slowdown = points[0].interval("slowdown");
    EXPECT_EQ(slowdown.value, 2);
    EXPECT_EQ(slowdown.lower, 0.5);
    EXPECT_EQ(slowdown.upper, 9);
    EXPECT_EQ(points[0].point.repetitions, 4U);
    EXPECT_EQ(points[0].point.n, 4 * test::sample_point().time->n);
  };
  expect_median(fabric_points(run, "*"));
  expect_median(collective_points(run, "*"));
  expect_median(copy_points(run));
  expect_median(pipeline_points(run));
  expect_median(interference_points(run));
}

TEST_F(RepeatedPoints, HaveAConditionOnlyWhereTheyAgree) {
  add("gemm.cuda.matmul", {"slowdown", "", 1, {}, {}}, {{"path", "peer access"}, {"node", std::int64_t{0}}});
  add("gemm.cuda.matmul", {"slowdown", "", 1, {}, {}},
      {{"path", "peer access"}, {"node", std::int64_t{1}}, {"late", "yes"}});
  const auto points = RunPoints(store_).measured("*");
  ASSERT_EQ(points.size(), 1U);
  EXPECT_THAT(points[0].conditions, ElementsAre(std::pair<std::string, Scalar>("path", "peer access"),
                                                std::pair<std::string, Scalar>("late", "yes")));
}

TEST_F(RepeatedPoints, AreStampedWhereOneOfThemIs) {
  add("collectives.mpi.all_reduce", {"slowdown", "", 1, {}, {}},
      {{"not_a_performance_measurement", "several ranks on one GPU"}});
  add("collectives.mpi.all_reduce", {"slowdown", "", 1, {}, {}});
  add("collectives.mpi.all_reduce", {"slowdown", "", 1, {}, {}},
      {{"not_a_performance_measurement", "another reason"}});
  const auto points = collective_points(RunPoints(store_), "*");
  ASSERT_EQ(points.size(), 1U);
  EXPECT_TRUE(points[0].not_a_performance_measurement());
  EXPECT_EQ(points[0].stamp, "several ranks on one GPU");
}

TEST_F(RepeatedPoints, WithoutAMetricHaveNoValueOfIt) {
  add("gemm.cuda.matmul", {"slowdown", "", NAN, {}, {}});
  const auto points = RunPoints(store_).measured("*");
  ASSERT_EQ(points.size(), 1U);
  EXPECT_EQ(points[0].metric("slowdown"), std::nullopt);
  EXPECT_TRUE(std::isnan(points[0].interval("slowdown").value));
}

class RowsOfARun : public testing::Test {
 protected:
  RowsOfARun() { store_.add(test::fixed_run()); }
  static std::vector<std::int64_t> ids(const std::vector<StoredPoint>& points) {
    std::vector<std::int64_t> all;
    for (const StoredPoint& point : points) all.push_back(point.id);
    return all;
  }
  test::TemporaryFolder folder_;
  Store store_{folder_ / "store.db"};
};

/// One row fewer than the run has is a large run: its rows come from queries.
TEST_F(RowsOfARun, AreTheSameOfASmallRunAndOfALargeOne) {
  const RunPoints small(store_);
  const RunPoints large(store_, {}, small.stored().points() - 1);
  for (const std::int64_t most : {5, 1000}) {
    EXPECT_EQ(ids(small.in_order("", most)), ids(large.in_order("", most)));
    EXPECT_EQ(ids(small.in_order("", most, Chosen::not_ok)), ids(large.in_order("", most, Chosen::not_ok)));
    EXPECT_EQ(ids(small.in_order("", most, Chosen::bad)), ids(large.in_order("", most, Chosen::bad)));
  }
  EXPECT_EQ(std::ssize(small.in_order("", 1000)), small.stored().points());
  EXPECT_EQ(std::ssize(small.in_order("", 1000, Chosen::bad)), 2);
}

TEST_F(RowsOfARun, OfAGlobAreAtMostTheLimitOverItsCases) {
  const RunPoints run(store_, {}, 50);
  EXPECT_EQ(run.rows("memory.*").size(), 50U);
  EXPECT_EQ(ids(run.rows("memory.*")), ids(run.rows("memory.*")));
  const std::vector<StoredPoint> whole = RunPoints(store_).rows("memory.*");
  EXPECT_EQ(ids(run.rows("memory.*")), ids({whole.begin(), whole.begin() + 50}));
}

}  // namespace
}  // namespace assay::results

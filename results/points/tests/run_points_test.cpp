// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/points/run_points.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <stdexcept>

#include "results/points/collective_points.hpp"
#include "results/points/copy_points.hpp"
#include "results/points/fabric_points.hpp"
#include "results/points/overlap_points.hpp"
#include "results/store/database.hpp"
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

class JoinedRepetitions : public testing::Test {
 protected:
  JoinedRepetitions() { store_.add(test::sample_context()); }

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

TEST_F(JoinedRepetitions, HaveTheMedianOfEveryMetricInEveryView) {
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
    EXPECT_EQ(points[0].repetitions, 4U);
    EXPECT_EQ(points[0].point.n, 4 * test::sample_point().time->n);
  };
  expect_median(fabric_points(run, "*"));
  expect_median(collective_points(run, "*"));
  expect_median(copy_points(run));
  expect_median(pipeline_points(run));
  expect_median(interference_points(run));
}

TEST_F(JoinedRepetitions, HaveAConditionOnlyWhereTheyAgree) {
  add("gemm.cuda.matmul", {}, {{"path", "peer access"}, {"node", std::int64_t{0}}});
  add("gemm.cuda.matmul", {}, {{"path", "peer access"}, {"node", std::int64_t{1}}, {"late", "yes"}});
  const auto points = RunPoints(store_).measured("*");
  ASSERT_EQ(points.size(), 1U);
  EXPECT_THAT(points[0].conditions, ElementsAre(std::pair<std::string, Scalar>("path", "peer access"),
                                                std::pair<std::string, Scalar>("late", "yes")));
}

TEST_F(JoinedRepetitions, AreStampedWhereOneOfThemIs) {
  add("collectives.mpi.all_reduce", {}, {{"not_a_performance_measurement", "several ranks on one GPU"}});
  add("collectives.mpi.all_reduce", {});
  add("collectives.mpi.all_reduce", {}, {{"not_a_performance_measurement", "another reason"}});
  const auto points = collective_points(RunPoints(store_), "*");
  ASSERT_EQ(points.size(), 1U);
  EXPECT_TRUE(points[0].not_a_performance_measurement());
  EXPECT_EQ(points[0].stamp, "several ranks on one GPU");
}

TEST_F(JoinedRepetitions, WithoutAMetricHaveNoValueOfIt) {
  add("gemm.cuda.matmul", {"slowdown", "", NAN, {}, {}});
  const auto points = RunPoints(store_).measured("*");
  ASSERT_EQ(points.size(), 1U);
  EXPECT_EQ(points[0].metric("slowdown"), std::nullopt);
  EXPECT_TRUE(std::isnan(points[0].interval("slowdown").value));
}

class RowsOfARun : public testing::Test {
 protected:
  RowsOfARun() {
    for (const Record& record : test::fixed_run()) store_.add(record);
  }
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

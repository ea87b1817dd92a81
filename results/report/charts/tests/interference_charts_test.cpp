// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "results/report/charts/charts.hpp"
#include "results/report/report.hpp"
#include "results/tests/fixed_contests.hpp"
#include "results/tests/run_builder.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results {
namespace {

using testing::ElementsAre;
using Json = nlohmann::ordered_json;

std::vector<OverlapPoint> points_of(const std::vector<Record>& records) {
  const test::TemporaryFolder folder;
  Store store(folder / "store.db");
  store.add(records);
  return interference_points(RunPoints(store));
}

std::set<std::string> words(const Json& points, const char* name) {
  std::set<std::string> all;
  for (const auto& point : points) all.insert(point.at(name));
  return all;
}

struct Pair {
  std::string aggressor;
  std::int64_t blocks;
  const char* axis = "blocks";
};

std::vector<OverlapPoint> gemm_beside(const std::vector<Pair>& pairs) {
  test::RunBuilder builder("20260102T030405Z-pairs");
  builder.begin(0, "offload");
  for (const Pair& pair : pairs) {
    auto record = builder.point(
        std::string(pair.axis) == "threads" ? "offload.host.interference" : "offload.cuda.interference",
        {{"victim", "gemm"}, {"aggressor", pair.aggressor}, {pair.axis, pair.blocks}});
    record.metrics = {{"slowdown", "", 1.5, 1.4, 1.6}};
    builder.measured(std::move(record), 1e-3, {"time_us", "us", [](double s) { return 1e6 * s; }});
  }
  builder.end();
  return points_of(builder.take());
}

TEST(InterferenceMatrices, AreAFewOfManyNumbersOfBlocks) {
  const auto cells = interference_chart(points_of(test::fixed_contests())).at("points");
  EXPECT_THAT(words(cells, "series"), ElementsAre("cuda, 1 block", "cuda, 32 blocks", "cuda, 8 blocks"));
  EXPECT_EQ(cells.size(), 3U * 2 * 8) << "in each, both victims beside all eight aggressors, and no control";
}

TEST(InterferenceMatrices, HaveWhatIsNoNumberOfBlocksInEachOfThem) {
  const auto cells = interference_chart(points_of(test::fixed_contests())).at("points");
  int seen = 0;
  for (const auto& cell : cells) {
    if (cell.at("victim") != "gemm" || cell.at("series") != "cuda, 32 blocks") continue;
    if (cell.at("aggressor") == "copy_h2d") {
      EXPECT_EQ(cell.at("of"), "1 block");
      ++seen;
    }
    if (cell.at("aggressor") == "sm_copy_h2d") {
      EXPECT_EQ(cell.at("value"), 1.75);
      EXPECT_EQ(cell.at("lower"), 1.74);
      EXPECT_EQ(cell.at("of"), "32 blocks");
      ++seen;
    }
  }
  EXPECT_EQ(seen, 2);
}

TEST(InterferenceMatrices, OfAggressorsWithANumberEachIsOne) {
  const auto cells = interference_chart(gemm_beside({{"spin", 16}, {"sm_copy_h2d", 16}, {"copy_h2d", 1}}));
  EXPECT_THAT(words(cells.at("points"), "series"), ElementsAre("cuda"));
  EXPECT_EQ(cells.at("points").size(), 3U);
  const auto same = interference_chart(gemm_beside({{"spin", 16}, {"sm_copy_h2d", 16}}));
  EXPECT_THAT(words(same.at("points"), "series"), ElementsAre("cuda, 16 blocks"));
}

TEST(InterferenceMatrices, ThreadsOfTheHostAreTheirNumberToo) {
  const auto points = gemm_beside({{"spin", 0, "threads"}, {"spin", 1, "threads"}, {"spin", 4, "threads"}});
  EXPECT_THAT(words(interference_chart(points).at("points"), "series"),
              ElementsAre("host, 1 thread", "host, 4 threads"));
  EXPECT_EQ(slowdown_chart(points).at("points").size(), 3U);
}

TEST(InterferenceMatrices, OfControlsAloneIsNone) {
  const auto points = gemm_beside({{"spin", 0}, {"spin", 0, "threads"}});
  EXPECT_TRUE(interference_chart(points).at("points").empty());
  EXPECT_TRUE(slowdown_chart(points).at("points").empty());
  EXPECT_EQ(interference_table(points).rows.size(), 2U) << "the table has all";
}

TEST(SlowdownCurves, AreOfAggressorsThatGrow) {
  const auto points = slowdown_chart(points_of(test::fixed_contests())).at("points");
  EXPECT_EQ(points.size(), 2U * (4 * 6 + 1)) << "four aggressors of six sizes, and a control, a victim";
  EXPECT_THAT(words(points, "aggressor"), ElementsAre("sm_copy_d2h", "sm_copy_h2d", "spin", "stream"));
  const auto& control = points[0];
  EXPECT_TRUE(control.at("control").get<bool>());
  EXPECT_EQ(control.at("count"), 0);
  EXPECT_EQ(control.at("value"), 1.0);
}

TEST(SlowdownCurves, HaveIntervalsWhatSpinningDoesAndWhatWasPredictedForAProduct) {
  const auto points = slowdown_chart(points_of(test::fixed_contests())).at("points");
  for (const auto& point : points) {
    EXPECT_LT(point.at("lower"), point.at("value"));
    EXPECT_GT(point.at("upper"), point.at("value"));
    EXPECT_FALSE(point.at("spinning").is_null());
    EXPECT_EQ(point.at("word"), "blocks");
    const bool is_predicted = point.at("victim") == "gemm" && !point.at("control").get<bool>();
    EXPECT_EQ(point.at("predicted").is_number(), is_predicted);
  }
}

TEST(SlowdownCurves, StandInTheReportOnlyWhereSomethingGrows) {
  const auto page_of = [](const std::vector<Record>& records) {
    const test::TemporaryFolder folder;
    Store store(folder / "store.db");
    store.add(records);
    return report_html(RunPoints(store));
  };
  const std::string page = page_of(test::fixed_contests());
  EXPECT_EQ(page.find("data-chart=\"slowdown\"") != std::string::npos, report_has_charts());
  EXPECT_NE(page.find("predicted, tail wave"), std::string::npos);
  EXPECT_EQ(page_of({test::sample_context(), test::sample_point()}).find("data-chart=\"slowdown\""),
            std::string::npos);
}

}  // namespace
}  // namespace assay::results

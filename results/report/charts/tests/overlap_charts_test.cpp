// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/report/charts/charts.hpp"
#include "results/report/report.hpp"
#include "results/report/sections.hpp"
#include "results/tests/fixed_overlap.hpp"
#include "results/tests/run_builder.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results {
namespace {

class OverlapCharts : public testing::Test {
 protected:
  OverlapCharts() { store_.add(test::fixed_overlap()); }
  test::TemporaryFolder folder_;
  Store store_{folder_ / "store.db"};
};

TEST_F(OverlapCharts, ThePipelineIsALineForEveryNumberOfSlots) {
  const auto chart = pipeline_chart(pipeline_points(RunPoints(store_)));
  ASSERT_EQ(chart.at("points").size(), 6U) << "what could not run is no point";
  const auto& first = chart.at("points")[0];
  EXPECT_EQ(first.at("kernel"), "2 blocks resident");
  EXPECT_EQ(first.at("cap"), "1");
  EXPECT_EQ(chart.at("points")[5].at("cap"), "unlimited");
  EXPECT_NEAR(first.at("value").get<double>(), 220, 5);
  EXPECT_EQ(first.at("compute_only"), 80.0);
  EXPECT_EQ(first.at("predicted"), 221.0);
  EXPECT_EQ(chart.at("same"), "llama3-8b");
}

TEST_F(OverlapCharts, TheMatrixHasEveryVictimBesideEveryAggressor) {
  const auto chart = interference_chart(interference_points(RunPoints(store_)));
  ASSERT_EQ(chart.at("points").size(), 4U);
  const auto& first = chart.at("points")[0];
  EXPECT_EQ(first.at("victim"), "gemm");
  EXPECT_EQ(first.at("aggressor"), "copy");
  EXPECT_EQ(first.at("value"), 1.5);
  EXPECT_EQ(first.at("upper"), 1.51);
  EXPECT_EQ(first.at("spinning"), 1.01);
}

TEST(InterferenceChart, KeepsTheMatrixOfAGpuApartFromTheHosts) {
  test::RunBuilder builder("20260102T030405Z-both");
  builder.begin(0, "offload");
  const auto add = [&](const char* name, const Fields& axes, double slowdown) {
    auto record = builder.point(name, axes);
    record.metrics = {{"slowdown", "", slowdown, {}, {}}, {"slowdown_of_spinning", "", 1, {}, {}}};
    builder.measured(std::move(record), 1e-3, {"time_us", "us", [](double s) { return 1e6 * s; }});
  };
  const std::int64_t one = 1;
  add("offload.host.interference", {{"victim", "gemm"}, {"aggressor", "spin"}, {"threads", one}}, 1.25);
  add("offload.cuda.interference", {{"victim", "gemm"}, {"aggressor", "spin"}, {"blocks", one}}, 1.5);
  builder.end();
  test::TemporaryFolder folder;
  Store store(folder / "store.db");
  store.add(builder.take());
  const auto points = interference_points(RunPoints(store));
  const auto chart = interference_chart(points).at("points");
  ASSERT_EQ(chart.size(), 2U);
  EXPECT_EQ(chart[0].at("back_end"), "host");
  EXPECT_EQ(chart[1].at("back_end"), "cuda");
  EXPECT_EQ(chart[1].at("value"), 1.5);
  EXPECT_NE(chart[0].at("series"), chart[1].at("series")) << "one cell of a matrix would hide the other";
  EXPECT_EQ(interference_table(points).rows.size(), 2U);
}

TEST_F(OverlapCharts, StandInTheReportWithTheirTables) {
  const std::string page = report_html(RunPoints(store_));
  for (const char* part : {"id=\"pipeline\"", "id=\"interference\"", "of spinning", "would hide it"})
    EXPECT_THAT(page, testing::HasSubstr(part));
}

TEST_F(OverlapCharts, ANumberThatTheRecordLacksIsAnEmptyCell) {
  const Table table = pipeline_table(pipeline_points(RunPoints(store_)));
  EXPECT_EQ(table.rows.size(), 6U);
  EXPECT_EQ(table.columns.back().name, "n");
  EXPECT_TRUE(pipeline_chart({}).at("points").empty());
  EXPECT_TRUE(interference_chart({}).at("points").empty());
}

}  // namespace
}  // namespace assay::results

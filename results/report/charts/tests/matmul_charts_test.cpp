// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/report/charts/charts.hpp"
#include "results/report/report.hpp"
#include "results/tests/run_builder.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results {
namespace {

struct Product {
  std::int64_t m, n, k;
  std::string dtype = "bf16";
};

class MatmulCharts : public testing::Test {
 protected:
  std::vector<StoredPoint> measure(const std::vector<Product>& products) {
    test::RunBuilder builder("20260102T030405Z-products");
    builder.begin(0, "gemm");
    for (const Product& one : products) {
      auto record = builder.point(
          "gemm.cuda.matmul",
          {{"m", one.m}, {"n", one.n}, {"k", one.k}, {"dtype", one.dtype}, {"layout", "forward"}});
      record.work_flops = 1e6 * static_cast<double>(one.m);
      const double flops = record.work_flops;
      builder.measured(std::move(record), 1e-3,
                       {"tflops", "TFLOP/s", [flops](double s) { return flops / s * 1e-12; }});
    }
    builder.end();
    store_.add(builder.take());
    return matmul_points(RunPoints(store_));
  }
  test::TemporaryFolder folder_;
  Store store_{folder_ / "store.db"};
};

TEST_F(MatmulCharts, ACurveIsADtypeOverMWithNAndKAsLarge) {
  const auto points =
      measure({{1024, 0, 0}, {2048, 0, 0}, {1024, 0, 0, "fp8_e4m3"}, {2048, 0, 0, "fp8_e4m3"}});
  const auto chart = matmul_chart(points);
  EXPECT_EQ(chart.at("size"), "m = n = k");
  EXPECT_EQ(chart.at("same"), "forward");
  ASSERT_EQ(chart.at("points").size(), 4U);
  const auto& last = chart.at("points")[3];
  EXPECT_EQ(last.at("kernel"), "fp8_e4m3");
  EXPECT_EQ(last.at("series"), "");
  EXPECT_EQ(last.at("size"), 2048);
  EXPECT_NEAR(last.at("value"), 2.048, 0.05);
  EXPECT_LT(last.at("lower"), last.at("value"));
  EXPECT_GT(last.at("upper"), last.at("value"));
  EXPECT_NEAR(last.at("of_peak"), 100 * 2.048 / test::peak_tflops, 2);
  EXPECT_EQ(matmul_table(points).rows.size(), 4U);
}

TEST_F(MatmulCharts, TheSweptSizeIsTheOneThatVaries) {
  const auto chart = matmul_chart(measure({{4096, 512, 64}, {4096, 512, 128}}));
  EXPECT_EQ(chart.at("size"), "k");
  EXPECT_EQ(chart.at("points")[1].at("size"), 128);
  EXPECT_EQ(chart.at("same"), "m 4096, n 512, forward");
}

TEST_F(MatmulCharts, SizesThatAreToldOneByOneFollowMToo) {
  const auto chart = matmul_chart(measure({{1024, 1024, 1024}, {2048, 2048, 2048}}));
  EXPECT_EQ(chart.at("size"), "m = n = k");
  EXPECT_EQ(chart.at("points")[1].at("series"), "");
}

TEST_F(MatmulCharts, WhatVariesBesideMNamesTheSeries) {
  const auto chart = matmul_chart(measure({{1024, 0, 64}, {2048, 0, 64}, {1024, 0, 128}}));
  EXPECT_EQ(chart.at("size"), "m = n");
  EXPECT_EQ(chart.at("points")[2].at("series"), "k 128");
}

TEST_F(MatmulCharts, OneSizeIsNoCurveAndStillATable) {
  const auto points = measure({{8192, 0, 0}, {8192, 0, 0, "fp8_e4m3"}});
  EXPECT_TRUE(matmul_chart(points).at("points").empty());
  const std::string page = report_html(RunPoints(store_));
  EXPECT_NE(page.find("id=\"matmul\""), std::string::npos);
  EXPECT_EQ(page.find("data-chart=\"matmul\""), std::string::npos);
}

TEST_F(MatmulCharts, StandInTheReport) {
  measure({{1024, 0, 0}, {2048, 0, 0}});
  const std::string page = report_html(RunPoints(store_));
  EXPECT_NE(page.find("Matrix products over size"), std::string::npos);
  EXPECT_EQ(page.find("data-chart=\"matmul\"") != std::string::npos, report_has_charts());
}

}  // namespace
}  // namespace assay::results

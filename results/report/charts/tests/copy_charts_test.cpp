// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "results/report/charts/charts.hpp"
#include "results/report/report.hpp"
#include "results/report/sections.hpp"
#include "results/show/highlights.hpp"
#include "results/tests/fixed_copies.hpp"
#include "results/tests/run_builder.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class CopyCharts : public testing::Test {
 protected:
  CopyCharts() {
    store_.add(test::fixed_copies());
    points_ = copy_points(RunPoints(store_));
  }
  test::TemporaryFolder folder_;
  Store store_{folder_ / "store.db"};
  std::vector<CopyPoint> points_;
};

TEST_F(CopyCharts, ACurveIsAWayAKindOfCopyAndAKindOfMemory) {
  const auto chart = copy_chart(points_);
  std::set<std::string> curves, series;
  for (const auto& point : chart.at("points")) {
    curves.insert(point.at("kernel"));
    series.insert(point.at("series"));
  }
  EXPECT_THAT(curves, ElementsAre("both, engine, pinned", "d2h, engine, pinned", "h2d, engine, pageable",
                                  "h2d, engine, pinned"));
  EXPECT_THAT(series, ElementsAre("2 GPUs at once", "one GPU, gpu 0, numa 0", "one GPU, gpu 0, numa 1",
                                  "one GPU, gpu 1, numa 0", "one GPU, gpu 1, numa 1"));
  EXPECT_EQ(chart.at("same"), "one GPU: blocks 128");
  EXPECT_EQ(chart.at("points").size(), 12U * 4 + 4 + 1) << "what could not run is no point, nor are peers";
}

TEST_F(CopyCharts, ThePointHasItsIntervalAndTheCeilingOfItsWays) {
  const auto points = copy_chart(points_).at("points");
  for (const auto& point : points) {
    EXPECT_LT(point.at("lower"), point.at("value"));
    EXPECT_GT(point.at("upper"), point.at("value"));
    if (point.at("series") == "2 GPUs at once") {
      EXPECT_FALSE(point.contains("ceiling")) << "the record tells none";
      continue;
    }
    const int ways = point.at("kernel") == "both, engine, pinned" ? 2 : 1;
    EXPECT_DOUBLE_EQ(point.at("ceiling"), ways * test::fixed_link_ceiling_gb_per_s);
  }
}

TEST_F(CopyCharts, GpuAgainstNodeIsAMatrixAtTheLargestSize) {
  const auto all = copy_matrices(points_);
  ASSERT_EQ(all.at("matrices").size(), 3U) << "three ways; of one GPU and node alone there is none";
  const auto& first = all.at("matrices")[0];
  EXPECT_EQ(first.at("title"), "h2d, pinned, 256 MiB");
  ASSERT_EQ(first.at("cells").size(), 4U) << "one size of the four";
  EXPECT_EQ(first.at("cells")[1].at("row"), "GPU 0");
  EXPECT_EQ(first.at("cells")[1].at("column"), "node 1");
  EXPECT_LT(first.at("cells")[1].at("value"), first.at("cells")[0].at("value")) << "the far node";
  EXPECT_LT(first.at("cells")[1].at("lower"), first.at("cells")[1].at("value"));
  EXPECT_EQ(all.at("same"), "engine, blocks 128");
}

TEST_F(CopyCharts, OneGpuAndOneNodeAreNoMatrix) {
  auto one = points_;
  std::erase_if(one, [](const CopyPoint& point) { return point.point.key.find("gpu=0,numa=0") != 0; });
  ASSERT_FALSE(one.empty());
  EXPECT_TRUE(copy_matrices(one).at("matrices").empty());
  auto nodes = points_;
  std::erase_if(nodes, [](const CopyPoint& point) { return point.point.key.find("gpu=0,") != 0; });
  EXPECT_EQ(copy_matrices(nodes).at("matrices")[0].at("cells").size(), 2U) << "one GPU, two nodes";
}

TEST_F(CopyCharts, PeersAreAMatrixForEachNumberOfWays) {
  const auto all = peer_matrices(points_);
  ASSERT_EQ(all.at("matrices").size(), 2U);
  EXPECT_EQ(all.at("matrices")[0].at("title"), "one way, 256 MiB");
  EXPECT_EQ(all.at("matrices")[1].at("title"), "both ways, 256 MiB");
  const auto& back = all.at("matrices")[0].at("cells")[1];
  EXPECT_EQ(back.at("row"), "GPU 1");
  EXPECT_EQ(back.at("column"), "GPU 0");
  EXPECT_NEAR(back.at("value"), 360, 5);
  EXPECT_EQ(back.at("remark"), "peer access");
  EXPECT_EQ(all.at("same"), "engine, on the source");
}

TEST_F(CopyCharts, TheCardHasTheBestOfEachWayAgainstTheLink) {
  const auto copies = highlights_of(RunPoints(store_)).copies;
  std::vector<std::string> labels;
  for (const Highlight& one : copies) labels.push_back(one.label);
  EXPECT_THAT(labels,
              testing::UnorderedElementsAre("host to GPU", "GPU to host", "both at once", "GPU to GPU",
                                            "GPU to GPU and back", "2 GPUs, host to GPU"));
  for (const Highlight& one : copies) {
    if (one.label == "both at once") {
      EXPECT_NEAR(one.value.value, 96, 2);
      ASSERT_TRUE(one.efficiency.has_value());
      EXPECT_NEAR(one.efficiency->value, 0.8, 0.02) << "of both ways together";
      EXPECT_THAT(one.detail, HasSubstr("256 MiB"));
    }
    if (one.label == "GPU to GPU") {
      EXPECT_EQ(one.efficiency, std::nullopt);
      EXPECT_THAT(one.detail, HasSubstr("on the source"));
    }
  }
}

TEST_F(CopyCharts, PageableMemoryIsNoHeadline) {
  for (const Highlight& one : highlights_of(RunPoints(store_)).copies)
    EXPECT_GT(one.value.value, 40) << one.label;
}

TEST_F(CopyCharts, StandInTheReportWithTheirTable) {
  const std::string page = report_html(RunPoints(store_));
  for (const char* part : {"id=\"copies\"", "<h3>Host and GPU copies</h3>", "of the link's ceiling",
                           "Copies as a table", "slowest together"})
    EXPECT_NE(page.find(part), std::string::npos) << part;
  EXPECT_EQ(page.find("data-chart=\"copy_matrices\"") != std::string::npos, report_has_charts());
  EXPECT_EQ(page.find("data-chart=\"peer_matrices\"") != std::string::npos, report_has_charts());
}

TEST(CopyReport, OfARunWithoutCopiesHasNoSectionOnThem) {
  test::TemporaryFolder folder;
  Store store(folder / "store.db");
  store.add(test::sample_context());
  const std::string page = report_html(RunPoints(store));
  EXPECT_EQ(page.find("id=\"copies\""), std::string::npos);
  EXPECT_EQ(page.find("id=\"samples\""), std::string::npos) << "nor an empty one on samples";
}

}  // namespace
}  // namespace assay::results

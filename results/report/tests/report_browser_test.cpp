// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The report in a browser: charts are drawn, nothing is complained of, nothing scrolls sideways.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "results/report/report.hpp"
#include "results/report/tests/browser_test.hpp"
#include "results/tests/fixed_contests.hpp"
#include "results/tests/fixed_copies.hpp"
#include "results/tests/fixed_overlap.hpp"
#include "results/tests/fixed_run.hpp"
#include "results/tests/fixed_simulation.hpp"
#include "results/tests/fixed_timeline.hpp"
#include "results/tests/run_builder.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results {
namespace {

using testing::HasSubstr;

class ReportInBrowser : public test::BrowserTest {
 protected:
  void SetUp() override {
    BrowserTest::SetUp();
    if (IsSkipped()) return;
    Store store(folder_ / "store.db");
    store.add(records());
    const std::string html = report_html(RunPoints(store));
    figures_ = count(html, "<figure data-chart=");
    ASSERT_GT(figures_, 0);
    keep(html);
  }

  virtual std::vector<Record> records() const { return test::fixed_run(); }

  long figures_ = 0;  // places for charts in the page
};

TEST_F(ReportInBrowser, EveryChartIsDrawnWithItsMarks) {
  const std::string page = open(1200);
  EXPECT_EQ(complaints_, "");
  EXPECT_EQ(attribute(page, "data-charts-drawn"), std::to_string(figures_));
  EXPECT_EQ(attribute(page, "data-charts-failed"), "");
  const std::string gemm = part(page, "data-chart=\"gemm\"", "</figure>\n");
  EXPECT_EQ(count(gemm, "<svg class=\"plot"), 4) << "forward, dgrad, wgrad and their sum";
  // Five lines (four layers and the block) at four degrees, four times, less what the timed-out layer takes:
  // wgrad at 8 lacks that layer and the block, "all" at 8 is not there.
  EXPECT_EQ(count(gemm, "<circle"), 4 * 5 * 4 - 2 - 5);
  const std::string bandwidth = part(page, "data-chart=\"bandwidth\"", "</figure>\n");
  EXPECT_EQ(count(bandwidth, "<circle"), 48);
  const std::string latency = part(page, "data-chart=\"latency\"", "</figure>\n");
  EXPECT_EQ(count(latency, "<circle"), 34);
  EXPECT_THAT(latency, HasSubstr("L3 60 MiB"));
  const std::string samples = part(page, "data-chart=\"samples\"", "</figure>\n");
  EXPECT_EQ(count(samples, "<circle"), 8 * 60);
}

TEST_F(ReportInBrowser, TheFabricIsDrawnWithItsCeilingAndWhatIsNotClean) {
  const std::string page = open(1200);
  EXPECT_EQ(complaints_, "");
  const std::string bandwidth = part(page, "data-chart=\"rdma_bandwidth\"", "</figure>\n");
  EXPECT_EQ(count(bandwidth, "<svg class=\"plot"), 2) << "one direction and both";
  // Nine points one way, two both ways; rings around one lossy and one unknown, and one in the legend.
  EXPECT_EQ(count(bandwidth, "<circle"), 9 + 2 + 2 + 1);
  EXPECT_THAT(bandwidth, HasSubstr("link not clean: lossy, unknown"));
  EXPECT_EQ(count(bandwidth, "stroke-dasharray=\"4,3\""), 2 + 1) << "a ceiling a chart and the legend's";
  const std::string latency = part(page, "data-chart=\"rdma_latency\"", "</figure>\n");
  EXPECT_EQ(count(latency, "<circle"), 9);
  EXPECT_EQ(count(latency, "M0,0L0,-9"), 3) << "an end for the whisker of each point that has a p99";
  const std::string times = part(page, "data-chart=\"rdma_times\"", "</figure>\n");
  EXPECT_EQ(count(times, "<svg class=\"plot"), 3) << "write, send, read";
  EXPECT_THAT(times, HasSubstr("write, 2 B (n 3000)"));
  EXPECT_THAT(part(page, "id=\"rdma\"", "</section>"), HasSubstr("<tr class=\"lossy\">"));
}

TEST_F(ReportInBrowser, EveryPairIsACellAndSuspectsHaveAFrame) {
  const std::string page = open(1200);
  const std::string map = part(page, "data-chart=\"rdma_pairs\"", "</figure>\n");
  EXPECT_EQ(count(map, "<rect"), 12 + 1) << "four hosts less the diagonal, and a frame around 2 to 3";
  EXPECT_EQ(count(map, "stroke=\"var(--bad)\""), 1);
  EXPECT_THAT(map, HasSubstr(">31<"));
  EXPECT_THAT(map, HasSubstr(">node-c<"));
  EXPECT_THAT(part(page, "id=\"counters\"", "</section>"), HasSubstr("packet_seq_err"));
}

TEST_F(ReportInBrowser, CollectivesShowWhoWinsAndWhatTheLibraryCosts) {
  const std::string page = open(1200);
  EXPECT_EQ(complaints_, "");
  const std::string crossover = part(page, "data-chart=\"crossover\"", "</figure>\n");
  EXPECT_EQ(count(crossover, "<svg class=\"plot"), 2 + 1) << "two operations, and the regret of one";
  // 18 times, 7 wins, 4 regrets, and the legend's ring.
  EXPECT_EQ(count(crossover, "<circle"), 18 + 7 + 4 + 1);
  EXPECT_EQ(count(crossover, "fill=\"var(--page)\""), 1) << "the one win that is not decided";
  EXPECT_THAT(crossover, HasSubstr("all_gather on 8 ranks"));
  EXPECT_THAT(crossover, HasSubstr("regret of mpi, x"));
  EXPECT_EQ(count(part(page, "id=\"collectives\"", "</section>"), "<tr"), 7 + 1 + 18 + 1);
}

TEST_F(ReportInBrowser, TablesHoldTheRows) {
  const std::string page = open(1200);
  EXPECT_EQ(count(part(page, "id=\"points\"", "</section>"), "<tr"), 182 + 1);
  EXPECT_EQ(count(part(page, "id=\"problems\"", "</section>"), "<tr"), 2 + 1);
  EXPECT_EQ(count(part(page, "id=\"unsupported\"", "</section>"), "<tr"), 2 + 1);
  EXPECT_EQ(count(part(page, "id=\"latency\"", "</section>"), "<tr"), 34 + 1);
}

TEST_F(ReportInBrowser, NothingScrollsSidewaysOnANarrowScreen) {
  const std::string page = open(400);
  EXPECT_EQ(complaints_, "");
  EXPECT_LE(std::atoi(attribute(page, "data-width").c_str()), 500);
  EXPECT_EQ(attribute(page, "data-overflow"), "0");
  EXPECT_EQ(attribute(page, "data-charts-drawn"), std::to_string(figures_));
}

TEST_F(ReportInBrowser, ABrokenChartIsSeenByThisTest) {
  std::string page = test::read_text(folder_ / "report.html");
  const std::string key = "\"cache_levels\":[";
  page.insert(page.find(key) + key.size(), "null,");
  test::write_text(folder_ / "report.html", page);
  const std::string drawn = open(1200);
  EXPECT_THAT(attribute(drawn, "data-charts-failed"), HasSubstr("latency"));
  EXPECT_THAT(part(drawn, "data-chart=\"latency\"", "</figure>"), HasSubstr("This chart could not be drawn"));
  EXPECT_THAT(complaints_, HasSubstr("latency"));
}

/// Bars of more series than the page's style has colors.
class ManySeriesInBrowser : public ReportInBrowser {
 protected:
  std::vector<Record> records() const override {
    test::RunBuilder builder("20260102T030405Z-many");
    builder.begin(0, "memory");
    for (std::int64_t gpu = 0; gpu < 20; ++gpu)
      builder.measured(builder.point("memory.cuda.read", {{"gpu", gpu}, {"bytes", std::int64_t{1} << 30}}),
                       1e-3, {"bandwidth_gb_per_s", "GB/s", [](double s) { return 1 / s; }});
    builder.end();
    return builder.take();
  }
};

TEST_F(ManySeriesInBrowser, NoColorStandsTwiceInOneChart) {
  const std::string chart = part(open(1200), "data-chart=\"bandwidth\"", "</figure>\n");
  std::string legend = part(chart, "<ul class=\"legend\"", "</ul>");
  std::set<std::string> colors;
  const std::string mark = "stroke=\"";
  for (auto at = legend.find(mark); at != std::string::npos; at = legend.find(mark, at + 1)) {
    const auto begin = at + mark.size();
    colors.insert(legend.substr(begin, legend.find('"', begin) - begin));
  }
  EXPECT_EQ(colors.size(), 20U);
}

class CopiesInBrowser : public ReportInBrowser {
 protected:
  std::vector<Record> records() const override { return test::fixed_copies(); }
};

TEST_F(CopiesInBrowser, CurvesUnderTheirCeilingAndMatricesAreDrawn) {
  const std::string page = open(1200);
  EXPECT_EQ(complaints_, "");
  EXPECT_EQ(attribute(page, "data-charts-failed"), "");
  const std::string curves = part(page, "data-chart=\"copies\"", "</figure>\n");
  EXPECT_EQ(count(curves, "<svg class=\"plot"), 5) << "two GPUs on two nodes, and both at once";
  EXPECT_EQ(count(curves, "<circle"), 12 * 4 + 4 + 1);
  EXPECT_EQ(count(curves, "stroke-dasharray=\"4,3\""), 4 + 1) << "ceilings of four, and the legend's";
  for (const char* curve : {"h2d, engine, pinned", "d2h, engine, pinned", "h2d, engine, pageable"})
    EXPECT_THAT(curves, HasSubstr(curve));
  const std::string nodes = part(page, "data-chart=\"copy_matrices\"", "</figure>\n");
  EXPECT_EQ(count(nodes, "<rect"), 3 * 4) << "a cell for each GPU and node";
  EXPECT_THAT(nodes, HasSubstr(">node 1</text>"));
  const std::string peers = part(page, "data-chart=\"peer_matrices\"", "</figure>\n");
  EXPECT_EQ(count(peers, "<rect"), 2 * 2);
  const std::string columns = part(peers, "x-axis tick label", "</g>");
  EXPECT_LT(columns.find(">GPU 0<"), columns.find(">GPU 1<")) << "though 0 to 1 was measured first";
  EXPECT_THAT(peers, HasSubstr("Every copy: peer access."));
}

class OverlapInBrowser : public ReportInBrowser {
 protected:
  std::vector<Record> records() const override { return test::fixed_overlap(); }
};

TEST_F(OverlapInBrowser, PipelineAndMatrixAreDrawn) {
  const std::string page = open(1200);
  EXPECT_EQ(complaints_, "");
  EXPECT_EQ(attribute(page, "data-charts-failed"), "");
  const std::string pipeline = part(page, "data-chart=\"pipeline\"", "</figure>\n");
  EXPECT_EQ(count(pipeline, "<circle"), 1 + 2 * 6) << "a ring in the legend, a dot and a ring a point";
  const std::string matrix = part(page, "data-chart=\"interference\"", "</figure>\n");
  EXPECT_EQ(count(matrix, ">1.50x</text>"), 2) << "both victims beside the copy";
  EXPECT_EQ(count(matrix, ">1.01x</text>"), 2);
}

class SimulationInBrowser : public ReportInBrowser {
 protected:
  std::vector<Record> records() const override { return test::fixed_simulation(); }
};

TEST_F(SimulationInBrowser, EachChartIsDrawnAndSaysThatItIsSimulatedAndHow) {
  const std::string page = open(1200);
  EXPECT_EQ(complaints_, "");
  EXPECT_EQ(attribute(page, "data-charts-failed"), "");
  for (const char* chart :
       {"simulated_steps", "simulated_imbalance", "simulated_uplinks", "simulated_placement"}) {
    const std::string drawn = part(page, "data-chart=\"" + std::string(chart) + "\"", "</figure>\n");
    EXPECT_THAT(drawn, HasSubstr("Known error: 17 %.")) << chart;
    EXPECT_THAT(drawn, HasSubstr("Assumed, not measured: links.")) << chart;
  }
  const std::string steps = part(page, "data-chart=\"simulated_steps\"", "</figure>\n");
  EXPECT_EQ(count(steps, "<rect"), 2 * 2) << "two operations of two policies";
  const std::string uplinks = part(page, "data-chart=\"simulated_uplinks\"", "</figure>\n");
  EXPECT_EQ(count(uplinks, "<svg class=\"plot"), 1 + 2) << "one scale, and a map for each policy";
  EXPECT_EQ(count(uplinks, ">x</text>"), 2) << "the failed uplink";
  EXPECT_THAT(uplinks, HasSubstr("bytes over the mean of all uplinks, simulated"));
  const std::string placement = part(page, "data-chart=\"simulated_placement\"", "</figure>\n");
  EXPECT_EQ(count(placement, "<rect"), 2 * 3);
}

class ContestsInBrowser : public ReportInBrowser {
 protected:
  std::vector<Record> records() const override { return test::fixed_contests(); }
};

TEST_F(ContestsInBrowser, AFewMatricesWithSlantedNamesAndCurvesWithPredictionsAreDrawn) {
  const std::string page = open(1200);
  EXPECT_EQ(complaints_, "");
  EXPECT_EQ(attribute(page, "data-charts-failed"), "");
  const std::string matrices = part(page, "data-chart=\"interference\"", "</figure>\n");
  EXPECT_EQ(count(matrices, "<svg class=\"plot"), 3);
  EXPECT_EQ(count(matrices, "<rect"), 3 * 2 * 8);
  EXPECT_EQ(count(matrices, "rotate(-40)"), 3 * 8) << "names of eight columns would touch";
  const std::string curves = part(page, "data-chart=\"slowdown\"", "</figure>\n");
  EXPECT_EQ(count(curves, "<svg class=\"plot"), 2) << "one for each victim";
  EXPECT_EQ(count(curves, "<circle"), 2 * (4 * 6 + 1) + 1) << "controls have rings, and the legend has one";
  EXPECT_EQ(count(curves, "stroke-dasharray=\"4,3\""), 1 + 1) << "the predicted curve of one victim";
  EXPECT_EQ(count(curves, "stroke-dasharray=\"1.5,3\""), 2 + 1);
}

class BurnInInBrowser : public test::BrowserTest {};

TEST_F(BurnInInBrowser, RoundsModulesFindingsAndReadingsAreDrawn) {
  Store store(folder_ / "store.db");
  store.add(test::sample_context());
  store.add(test::sample_point());
  keep(report_html(RunPoints(store), {.timeline = test::fixed_timeline()}));
  const std::string page = open(1200);
  EXPECT_EQ(complaints_, "");
  EXPECT_EQ(attribute(page, "data-charts-failed"), "");
  const std::string timeline = part(page, "data-chart=\"timeline\"", "</figure>\n");
  EXPECT_EQ(count(timeline, "<svg class=\"plot"), 1 + 2) << "what ran; temperature and power";
  EXPECT_EQ(count(timeline, "<rect"), 5);
  EXPECT_THAT(timeline, HasSubstr("fill=\"var(--bad)\""));
  EXPECT_THAT(timeline, HasSubstr(">minutes →<"));
}

TEST_F(BurnInInBrowser, WhatFailuresWouldCostIsDrawn) {
  Store store(folder_ / "store.db");
  store.add(test::sample_context());
  store.add(test::sample_point());
  const PredictedReliability predicted{
      .about = "made up",
      .checkpoints = {{.kind = "blocking",
                       .best_interval_s = 600,
                       .shares = {{300, {0.9, 0.8, 0.95}}, {600, {0.95, {}, {}}}}},
                      {.kind = "asynchronous",
                       .best_interval_s = 90,
                       .shares = {{90, {0.97, {}, {}}}, {900, {0.9, {}, {}}}}}},
      .spares = {{20, 0.9}, {25, 0.99}, {30, 0.999}}};
  keep(report_html(RunPoints(store), {.reliability = predicted}));
  const std::string page = open(1200);
  EXPECT_EQ(complaints_, "");
  EXPECT_EQ(attribute(page, "data-charts-failed"), "");
  const std::string chart = part(page, "data-chart=\"reliability\"", "</figure>\n");
  EXPECT_EQ(count(chart, "<svg class=\"plot"), 2);
  EXPECT_EQ(count(chart, "<circle"), 4 + 2 + 3) << "points, a ring around each best one, spares";
}

}  // namespace
}  // namespace assay::results

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The report in a browser: charts are drawn, nothing is complained of, nothing scrolls sideways.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>

#include "results/report.hpp"
#include "results/tests/fixed_overlap.hpp"
#include "results/tests/fixed_run.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results {
namespace {

using testing::HasSubstr;

struct Outcome {
  int exit_code = -1;
  std::string output;
};

Outcome shell(const std::string& command) {
  Outcome outcome;
  FILE* pipe = ::popen(command.c_str(), "r");
  if (!pipe) return outcome;
  char buffer[65536];
  while (const std::size_t got = std::fread(buffer, 1, sizeof buffer, pipe))
    outcome.output.append(buffer, got);
  const int status = ::pclose(pipe);
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

class ReportInBrowser : public testing::Test {
 protected:
  void SetUp() override {
    if (shell("command -v chromium").exit_code != 0) GTEST_SKIP() << "chromium is not installed";
    if (!report_has_charts())
      GTEST_SKIP() << "this build has no charts (node and npm, or their registry, were missing)";
    Store store(folder_ / "store.db");
    for (const Record& record : records()) store.add(record);
    // The page says nothing of its own width; this does, for the test.
    std::string page = report_html(store);
    page.insert(page.rfind("</body>"),
                "<script>document.documentElement.dataset.overflow = document.documentElement.scrollWidth - "
                "document.documentElement.clientWidth; document.documentElement.dataset.width = "
                "window.innerWidth;</script>");
    test::write_text(folder_ / "report.html", page);
  }

  virtual std::vector<Record> records() const { return test::fixed_run(); }

  /// The document after its scripts ran; what the browser complained of goes to `complaints_`.
  std::string open(int width, const std::string& more = "") {
    const std::string log = (folder_ / "log").string();
    const Outcome outcome = shell(
        "timeout 120 chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
        "--disable-background-networking --disable-component-update --disable-sync --enable-logging=stderr "
        "--user-data-dir='" +
        (folder_ / ("profile" + std::to_string(width))).string() +
        "' --window-size=" + std::to_string(width) + ",2000 --virtual-time-budget=5000 " + more +
        " --dump-dom 'file://" + (folder_ / "report.html").string() + "' 2> '" + log + "'");
    EXPECT_EQ(outcome.exit_code, 0) << test::read_text(log);
    for (const auto& line : lines_of(test::read_text(log)))
      if (line.find("CONSOLE") != std::string::npos) complaints_ += line + "\n";
    return outcome.output;
  }
  static std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines(1);
    for (const char byte : text) byte == '\n' ? lines.emplace_back() : lines.back() += byte, void();
    return lines;
  }
  /// Of the document element; "" where it is not there.
  static std::string attribute(const std::string& page, const std::string& name) {
    const std::string head = page.substr(0, page.find("<head")), mark = name + "=\"";
    const auto start = head.find(mark);
    if (start == std::string::npos) return "";
    const auto value = start + mark.size();
    return head.substr(value, head.find('"', value) - value);
  }
  static long count(const std::string& text, const std::string& word) {
    long times = 0;
    for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++times;
    return times;
  }
  /// From one mark to the next.
  static std::string part(const std::string& page, const std::string& from, const std::string& to) {
    const auto start = page.find(from);
    if (start == std::string::npos) return "";
    return page.substr(start, page.find(to, start) - start);
  }

  test::TemporaryFolder folder_;
  std::string complaints_;
};

TEST_F(ReportInBrowser, EveryChartIsDrawnWithItsMarks) {
  const std::string page = open(1200);
  EXPECT_EQ(complaints_, "");
  EXPECT_EQ(attribute(page, "data-charts-drawn"), "8");
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
  EXPECT_EQ(attribute(page, "data-charts-drawn"), "8");
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

}  // namespace
}  // namespace assay::results

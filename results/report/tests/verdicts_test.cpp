// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/report/verdicts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/report/report.hpp"
#include "results/tests/fixed_verdicts.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results {
namespace {

using testing::HasSubstr;
using testing::Not;

Verdicts of_rows(std::vector<VerdictRow> rows) {
  Verdicts verdicts{.command = "accept", .subject = "two hosts", .rows = std::move(rows)};
  settle(verdicts);
  return verdicts;
}

TEST(VerdictSummary, WithoutAJudgeSaysNotJudgedAndNeverLooksLikeAPass) {
  const std::string html = verdict_summary({});
  EXPECT_THAT(html, HasSubstr("NOT JUDGED"));
  EXPECT_THAT(html, HasSubstr("class=\"not-judged\""));
  EXPECT_THAT(html, Not(HasSubstr("PASS")));
  EXPECT_EQ(verdict_table({}), "");
}

TEST(VerdictSummary, TheWorstOfTheJudgesIsTheWord) {
  const Verdicts good = of_rows({{.unit = "a", .metric = "m", .verdict = Verdict::pass}});
  const Verdicts unseen = of_rows({{.unit = "b", .metric = "m", .verdict = Verdict::inconclusive}});
  EXPECT_THAT(verdict_summary({good}), HasSubstr("<p class=\"verdict-word\">PASS</p>"));
  EXPECT_THAT(verdict_summary({good, unseen}), HasSubstr("<p class=\"verdict-word\">INCONCLUSIVE</p>"));
  EXPECT_THAT(verdict_summary({unseen, good}), HasSubstr("<p class=\"verdict-word\">INCONCLUSIVE</p>"));
}

TEST(VerdictSummary, AJudgeThatLookedAtNothingIsNoPass) {
  const Verdicts good = of_rows({{.unit = "a", .metric = "m", .verdict = Verdict::pass}});
  EXPECT_THAT(verdict_summary({of_rows({})}), HasSubstr("<p class=\"verdict-word\">NOT RUN</p>"));
  EXPECT_THAT(verdict_summary({good, of_rows({})}), HasSubstr("<p class=\"verdict-word\">NOT RUN</p>"));
}

TEST(VerdictSummary, TellsCountsWorstUnitsAndWhatToDo) {
  const std::string html = verdict_summary(test::fixed_verdicts());
  EXPECT_THAT(html, HasSubstr("<p class=\"verdict-word\">FAIL</p>"));
  EXPECT_THAT(html, HasSubstr("<li class=\"fail\"><strong>3</strong> FAIL</li>"));
  EXPECT_THAT(html, HasSubstr("<li class=\"inconclusive\"><strong>1</strong> INCONCLUSIVE</li>"));
  EXPECT_THAT(html, HasSubstr("<li class=\"not-run\"><strong>1</strong> NOT RUN</li>"));
  EXPECT_THAT(html, HasSubstr("<li class=\"pass\"><strong>2</strong> PASS</li>"));
  EXPECT_THAT(html, HasSubstr("<li><strong>1</strong> excused</li>"));
  EXPECT_THAT(html, HasSubstr("<strong>node-b/gpu3</strong> 6.5 % below the limit (and 1 more)"));
  EXPECT_THAT(html, HasSubstr("<li><strong>replace</strong>: node-b/gpu3</li>"));
  EXPECT_THAT(html, HasSubstr("<li><strong>reseat</strong>: mlx5_0/1</li>"));
  EXPECT_THAT(html, HasSubstr("would have 0.01 false flags"));
}

TEST(VerdictSummary, OfManyUnitsTellsHowManyAreLeftOut) {
  std::vector<VerdictRow> rows;
  for (int unit = 0; unit < 12; ++unit)
    rows.push_back({.unit = "h" + std::to_string(unit),
                    .metric = "m",
                    .verdict = Verdict::fail,
                    .because = "slow",
                    .action = Action::retest});
  const std::string html = verdict_summary({of_rows(rows)});
  EXPECT_THAT(html, HasSubstr("and 7 more units: see the table"));
  EXPECT_THAT(html, HasSubstr("<strong>retest</strong>: h0, h1, h2, h3, h4 and 7 more"));
}

TEST(VerdictSummary, OfSeveralKindsHasTheFirstOfEach) {
  std::vector<VerdictRow> rows;
  for (int gpu = 0; gpu < 9; ++gpu)
    rows.push_back(
        {.unit = "g" + std::to_string(gpu), .kind = "gpu", .metric = "m", .verdict = Verdict::fail});
  rows.push_back({.unit = "pod1", .kind = "switch", .metric = "m", .verdict = Verdict::fail});
  const std::string html = verdict_summary({of_rows(rows)});
  EXPECT_THAT(html, HasSubstr("by kind of unit: 1 switch, 9 gpu"));
  EXPECT_THAT(html, HasSubstr("<strong>g2</strong>"));
  EXPECT_THAT(html, Not(HasSubstr("<strong>g3</strong>")));
  EXPECT_THAT(html, HasSubstr("<strong>pod1</strong>"));
  EXPECT_THAT(html, HasSubstr("and 6 more units: see the table"));
}

TEST(VerdictTable, HoldsEveryRowWithItsEvidenceTheGravestFirst) {
  const std::string html = verdict_table(test::fixed_verdicts());
  EXPECT_LT(html.find("data-verdict=\"FAIL\""), html.find("data-verdict=\"INCONCLUSIVE\""));
  EXPECT_LT(html.find("data-verdict=\"NOT_RUN\""), html.find("data-verdict=\"PASS\""));
  EXPECT_LT(html.find("data-verdict=\"PASS\""), html.find("data-verdict=\"excused\""));
  EXPECT_THAT(html, HasSubstr("561.2 ± 2.3 TFLOP/s"));
  EXPECT_THAT(html, HasSubstr("<dt>interval</dt><dd>558.9 to 563.5 TFLOP/s</dd>"));
  EXPECT_THAT(html, HasSubstr("<dt>limit</dt><dd>at least 600 TFLOP/s</dd>"));
  EXPECT_THAT(html, HasSubstr("<dt>limit from</dt><dd>limits/example.toml: a made-up limit</dd>"));
  EXPECT_THAT(html, HasSubstr("<dt>smallest defect seen</dt><dd>2.1 %</dd>"));
  EXPECT_THAT(html, HasSubstr("<li>two fresh looks: 6.4 %, 6.6 %</li>"));
  EXPECT_THAT(html, HasSubstr("check: rdma.counters"));
}

TEST(VerdictTable, TextOfVerdictsCannotBecomeMarkup) {
  const std::string html = verdict_table(test::fixed_verdicts()) + verdict_summary(test::fixed_verdicts());
  EXPECT_THAT(html, Not(HasSubstr("<in service>")));
  EXPECT_THAT(html, HasSubstr("&lt;in service&gt; &amp; &quot;since&quot;"));
}

TEST(VerdictTable, OfAFleetsRowsSaysHowManyThereAre) {
  const std::string html = verdict_table(
      {of_rows(std::vector<VerdictRow>(1200, {.unit = "h", .metric = "m", .verdict = Verdict::fail}))});
  EXPECT_THAT(html, HasSubstr("The worst 1000 of 1200 rows. All: assay accept --format csv, and the files"));
}

TEST(VerdictsInTheReport, StandBeforeEverythingElse) {
  const test::TemporaryFolder folder;
  Store store(folder / "store.db");
  store.add(test::sample_context());
  store.add(test::sample_point());
  const std::string page = report_html(RunPoints(store), {.verdicts = test::fixed_verdicts()});
  EXPECT_LT(page.find("id=\"verdict\""), page.find("<main>"));
  EXPECT_LT(page.find("id=\"verdicts\""), page.find("id=\"headlines\""));
  EXPECT_THAT(page, Not(HasSubstr("NOT JUDGED")));
}

}  // namespace
}  // namespace assay::results

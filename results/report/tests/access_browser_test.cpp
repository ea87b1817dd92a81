// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The findings of axe-core (Deque Systems) on each kind of report, in light and dark colours: rules of WCAG 2
// for keyboards, screen readers and contrast.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <ostream>

#include "results/judge/population/population_comparison.hpp"
#include "results/judge/tests/compared_store.hpp"
#include "results/report/fleet.hpp"
#include "results/report/report.hpp"
#include "results/report/tests/browser_test.hpp"
#include "results/tests/fixed_contests.hpp"
#include "results/tests/fixed_copies.hpp"
#include "results/tests/fixed_overlap.hpp"
#include "results/tests/fixed_run.hpp"
#include "results/tests/fixed_simulation.hpp"
#include "results/tests/fixed_timeline.hpp"
#include "results/tests/fixed_verdicts.hpp"
#include "results/tests/population_store.hpp"
#include "results/tests/small_fleet.hpp"

namespace assay::results {
namespace {

const std::filesystem::path axe =
    std::filesystem::path(ASSAY_BUILD_DIR) / "results/report/node_modules/axe-core/axe.min.js";

std::string page_of_run(const std::vector<Record>& records, const ReportContent& content = {}) {
  const test::TemporaryFolder folder;
  Store store(folder / "store.db");
  store.add(records);
  return report_html(RunPoints(store), content);
}

std::string judged_page() { return page_of_run(test::fixed_run(), {.verdicts = test::fixed_verdicts()}); }

PredictedReliability made_up_reliability() {
  return {.about = "made up",
          .checkpoints = {{.kind = "blocking",
                           .best_interval_s = 600,
                           .shares = {{300, {0.9, 0.8, 0.95}}, {600, {0.95, {}, {}}}}}},
          .spares = {{20, 0.9}, {25, 0.99}},
          .cautions = {"rates of another fleet"}};
}

/// A burn-in, what failures would cost, and a table of claims.
std::string page_with_more() {
  const Table claims{.title = "Claims",
                     .notes = {"One of two holds."},
                     .columns = {{"claim"}, {"verdict", "", Column::Kind::word}},
                     .rows = {{std::string("made up"), std::string("PASS")}, {std::string("other"), Cell()}},
                     .origin = "simulated"};
  return page_of_run(
      {test::sample_context(), test::sample_point()},
      {.tables = {claims}, .timeline = test::fixed_timeline(), .reliability = made_up_reliability()});
}

/// A fleet that is judged, with hosts that failed and lack points.
std::string page_of_fleet() {
  const test::TemporaryFolder folder;
  test::put_small_fleet(folder / "store.db", 1.3);
  const Store store(folder / "store.db");
  std::vector<MeasuredFleet> fleets = read_fleet(store, "", {});
  fleets.front().failed = {{"h5", "memory.host.copy", "failed: made up"}};
  fleets.front().missing = {{.unit = "h6", .reason = "1 of 4 points"}};
  return fleet_report_html(occasion_of(store), fleets, {.verdicts = test::fixed_verdicts()});
}

/// Runs and populations compared: better, worse and unknown.
std::string page_of_comparisons() {
  test::ComparedStore runs;
  runs.add_side("a", {100, 101, 99, 100});
  runs.add_side("b", {130, 131, 129, 130});
  test::PopulationStore a("a"), b("b");
  a.add_hosts(6, 100);
  b.add_hosts(3, 110);
  return report_html(RunPoints(runs.store(), "b1"),
                     {.verdicts = {verdicts_of(runs.compared()),
                                   verdicts_of(compare_populations(a.store(), b.store(), {}))}});
}

struct Kind {
  const char* name;
  std::function<std::string()> page;
};

void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.name; }

class AccessInBrowser : public test::BrowserTest {
 protected:
  void SetUp() override {
    BrowserTest::SetUp();
    if (!IsSkipped() && !std::filesystem::exists(axe)) GTEST_SKIP() << axe << ": not there";
  }
  /// The serious and critical findings of the page, each with its first element; "none" where there are none.
  std::string findings(std::string page, const std::string& more = "") {
    page.insert(page.rfind("</body>"), "<script>" + test::read_text(axe) + "</script>");
    keep(page,
         "for (const details of document.querySelectorAll('details')) details.open = true;"
         "axe.run(document, {resultTypes: ['violations']}).then(({violations, passes}) => {"
         "const bad = violations.filter(({impact}) => impact === 'serious' || impact === 'critical');"
         "const root = document.documentElement.dataset; root.rules = passes.length;"
         "root.dark = matchMedia('(prefers-color-scheme: dark)').matches;"
         "root.findings = bad.map(({id, nodes}) => `${id} x${nodes.length}: ${nodes[0].html.slice(0, 160)}`)"
         ".join(' | ').replaceAll('\"', \"'\") || 'none'; });");
    const std::string opened = open(1200, more);
    EXPECT_GE(std::atoi(attribute(opened, "data-rules").c_str()), 10) << "axe-core looked at something";
    EXPECT_EQ(attribute(opened, "data-dark"), more.empty() ? "false" : "true");
    EXPECT_EQ(attribute(opened, "data-charts-failed"), "");
    return attribute(opened, "data-findings");
  }
};

class AccessOfKindInBrowser : public AccessInBrowser, public testing::WithParamInterface<Kind> {};

TEST_P(AccessOfKindInBrowser, HasNoSeriousFinding) { EXPECT_EQ(findings(GetParam().page()), "none"); }

TEST_P(AccessOfKindInBrowser, NorHasItInTheDark) {
  EXPECT_EQ(findings(GetParam().page(), "--blink-settings=preferredColorScheme=0"), "none");
}

INSTANTIATE_TEST_SUITE_P(
    Report, AccessOfKindInBrowser,
    testing::Values(Kind{"judged", judged_page},
                    Kind{"copies", [] { return page_of_run(test::fixed_copies()); }},
                    Kind{"overlap", [] { return page_of_run(test::fixed_overlap()); }},
                    Kind{"contests", [] { return page_of_run(test::fixed_contests()); }},
                    Kind{"simulated_fabric", [] { return page_of_run(test::fixed_simulation()); }},
                    Kind{"burn_in_and_reliability", page_with_more}, Kind{"comparisons", page_of_comparisons},
                    Kind{"fleet", page_of_fleet}),
    [](const testing::TestParamInfo<Kind>& kind) { return std::string(kind.param.name); });

TEST_F(AccessInBrowser, AFindingIsSeenByThisTest) {
  std::string page = judged_page();
  page.insert(page.find("<main>") + 6, "<button></button>");
  EXPECT_THAT(findings(page), testing::HasSubstr("button-name x1"));
}

}  // namespace
}  // namespace assay::results

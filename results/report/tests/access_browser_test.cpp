// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What axe-core (Deque Systems) says of the report: rules of WCAG 2 for keyboards, screen readers and
// contrast.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "results/report/report.hpp"
#include "results/report/tests/browser_test.hpp"
#include "results/tests/fixed_run.hpp"
#include "results/tests/fixed_verdicts.hpp"

namespace assay::results {
namespace {

const std::filesystem::path axe =
    std::filesystem::path(ASSAY_BUILD_DIR) / "results/report/node_modules/axe-core/axe.min.js";

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
    return attribute(opened, "data-findings");
  }
  std::string page_of_all() {
    Store store(folder_ / "store.db");
    for (const Record& record : test::fixed_run()) store.add(record);
    return report_html(RunPoints(store), {.verdicts = test::fixed_verdicts()});
  }
};

TEST_F(AccessInBrowser, AReportHasNoSeriousFinding) { EXPECT_EQ(findings(page_of_all()), "none"); }

TEST_F(AccessInBrowser, NorHasItInTheDark) {
  EXPECT_EQ(findings(page_of_all(), "--blink-settings=preferredColorScheme=0"), "none");
}

TEST_F(AccessInBrowser, AFindingIsSeenByThisTest) {
  std::string page = page_of_all();
  page.insert(page.find("<main>") + 6, "<button></button>");
  EXPECT_THAT(findings(page), testing::HasSubstr("button-name x1"));
}

}  // namespace
}  // namespace assay::results

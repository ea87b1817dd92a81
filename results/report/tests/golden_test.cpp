// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The data behind the report's charts, and the page around them, byte for byte.
#include "results/tests/golden.hpp"

#include "results/report/report.hpp"
#include "results/report/sections.hpp"
#include "results/tests/fixed_run.hpp"

namespace assay::results {
namespace {

class ReportGolden : public testing::Test {
 protected:
  ReportGolden() { store_.add(test::fixed_run()); }
  test::TemporaryFolder folder_;
  Store store_{folder_ / "store.db"};
};

TEST_F(ReportGolden, TheData) {
  test::expect_golden("report_data.approved.json", report_data(RunPoints(store_)).dump(1) + "\n");
}

/// Without style and script, which have their own sources, and without the charts' places, which a build may
/// lack.
TEST_F(ReportGolden, ThePage) {
  std::string page = report_html(RunPoints(store_));
  const auto style = page.find("<style>"), style_end = page.find("</style>");
  page.erase(style, style_end - style);
  if (const auto script = page.find("<script"); script != std::string::npos) page.erase(script);
  if (!report_has_charts())
    GTEST_SKIP() << "this build has no charts (node and npm, or their registry, were missing)";
  test::expect_golden("report_page.approved.html", page);
}

}  // namespace
}  // namespace assay::results

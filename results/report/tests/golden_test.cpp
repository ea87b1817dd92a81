// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The data behind the report's charts, and the page around them, byte for byte.
#include "results/tests/golden.hpp"

#include <map>
#include <set>
#include <stdexcept>
#include <string_view>

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

/// Takes each section out of the page, by its id; leaves "<!-- section ID -->", which shows its place.
std::map<std::string, std::string> take_sections(std::string& page) {
  constexpr std::string_view begins = "<section id=\"", ends = "</section>\n";
  std::map<std::string, std::string> sections;
  for (std::size_t begin = page.find(begins); begin != std::string::npos; begin = page.find(begins)) {
    const std::size_t id = begin + begins.size(), end = page.find(ends, begin);
    if (end == std::string::npos) throw std::runtime_error("a section of the page has no end");
    const std::string name = page.substr(id, page.find('"', id) - id);
    sections[name] = page.substr(begin, end + ends.size() - begin);
    page.replace(begin, end + ends.size() - begin, "<!-- section " + name + " -->\n");
  }
  return sections;
}

/// A file a section, so that a new section approves its own alone; the page around them is without style and
/// script, which have their own sources.
TEST_F(ReportGolden, ThePageAndEachOfItsSections) {
  std::string page = report_html(RunPoints(store_));
  const auto style = page.find("<style>"), style_end = page.find("</style>");
  page.erase(style, style_end - style);
  if (const auto script = page.find("<script"); script != std::string::npos) page.erase(script);
  if (!report_has_charts())
    GTEST_SKIP() << "this build has no charts (node and npm, or their registry, were missing)";
  const std::string folder = "report_sections/", suffix = ".approved.html";
  std::set<std::string> wanted;
  for (const auto& [name, section] : take_sections(page)) {
    test::expect_golden(folder + name + suffix, section);
    wanted.insert(name + suffix);
  }
  test::expect_golden("report_page.approved.html", page);
  std::set<std::string> kept;
  for (const auto& file : std::filesystem::directory_iterator(test::golden_file(folder)))
    kept.insert(file.path().filename());
  EXPECT_EQ(kept, wanted) << "a golden file whose section the page no longer has";
}

}  // namespace
}  // namespace assay::results

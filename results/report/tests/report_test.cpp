// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/report/report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <system_error>

#include "results/report/html.hpp"
#include "results/report/sections.hpp"
#include "results/tests/fixed_run.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results {
namespace {

using testing::HasSubstr;
using testing::Not;

class Report : public testing::Test {
 protected:
  test::TemporaryFolder folder_;
  Store store_{folder_ / "store.db"};
};

TEST_F(Report, HoldsAllItNeeds) {
  store_.add(test::fixed_run());
  const std::string page = report_html(RunPoints(store_));
  const std::string before_scripts = page.substr(0, page.find("<script"));
  for (const auto* fetches : {"src=", "href=", "url(", "@import"})
    EXPECT_THAT(before_scripts, Not(HasSubstr(fetches)));
  EXPECT_THAT(page, HasSubstr("simulated"));
  EXPECT_THAT(page, HasSubstr("no result within 60 s"));
  EXPECT_THAT(page, Not(HasSubstr("{{")));
}

TEST_F(Report, SaysWhenItIsMadeOfSomePointsOnly) {
  store_.add(test::fixed_run());
  EXPECT_THAT(report_html(RunPoints(store_)), Not(HasSubstr("are made of the first")));
  EXPECT_THAT(
      report_html(RunPoints(store_, {}, 40)),
      testing::ContainsRegex(
          "Charts and tables are made of points of memory.* up to the first 40 different ones, of [0-9]+"));
}

TEST_F(Report, AVeryLongTableNamesTheCommandThatWritesAllOfIt) {
  Table table{.title = "T", .columns = {{"a"}}};
  table.rows.assign(rows_at_most, {std::string("x")});
  cut_to_page(table, "memory", "r1", rows_at_most);
  EXPECT_TRUE(table.notes.empty());
  table.rows.push_back({std::string("y")});
  cut_to_page(table, "memory", "r1", rows_at_most + 1);
  EXPECT_EQ(std::ssize(table.rows), rows_at_most);
  EXPECT_THAT(html_table(table),
              HasSubstr("<p class=\"note\">The first 5000 of 5001 rows. All: assay show memory --run r1 "
                        "--limit 5001 --format csv</p>"));
}

TEST_F(Report, TextFromRecordsCannotBecomeMarkup) {
  auto context = test::sample_context();
  context.host = "<b>host</b>";
  context.machine["host"] = "<script>alert(1)</script>{{body}}";
  auto point = test::unsupported_point();
  point.reason = "</script><img src=x> & \"quoted\"";
  point.status = Status::failed;
  store_.add(context);
  store_.add(point);
  const std::string page = report_html(RunPoints(store_));
  EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(page, Not(HasSubstr("<img")));
  EXPECT_THAT(page, HasSubstr("&lt;script&gt;alert(1)&lt;/script&gt;{{body}}"));
  EXPECT_THAT(page, HasSubstr("&lt;img src=x&gt; &amp; &quot;quoted&quot;"));
}

TEST_F(Report, ScriptDataHoldsNoAngleBracket) {
  EXPECT_EQ(script_json({{"a", "</script>"}}), "{\"a\":\"\\u003c/script>\"}");
}

TEST_F(Report, FailuresStandBeforeEverythingElse) {
  store_.add(test::fixed_run());
  const std::string page = report_html(RunPoints(store_));
  EXPECT_LT(page.find("id=\"problems\""), page.find("id=\"headlines\""));
  EXPECT_LT(page.find("id=\"headlines\""), page.find("id=\"unsupported\""));
}

TEST_F(Report, ACleanRunHasNoProblems) {
  store_.add(test::sample_context());
  store_.add(test::sample_point());
  store_.add(test::sample_end());
  EXPECT_THAT(report_html(RunPoints(store_)), Not(HasSubstr("id=\"problems\"")));
}

TEST_F(Report, AKilledRunIsAProblem) {
  store_.add(test::sample_context());
  store_.add(test::sample_point());
  EXPECT_THAT(report_html(RunPoints(store_)), HasSubstr("The run was cut off."));
}

TEST_F(Report, PointsThatCannotRunHereAreNotCountedAsMeasured) {
  store_.add(test::sample_context());
  auto failed = test::unsupported_point("run-1", 1);
  failed.status = Status::failed;
  store_.add(test::sample_point());
  store_.add(failed);
  const auto left_out = [&](std::int64_t sequence, const std::string& reason) {
    auto point = test::unsupported_point("run-1", sequence);
    point.reason = reason;
    store_.add(point);
  };
  left_out(2, "no GPU");
  EXPECT_THAT(report_html(RunPoints(store_)),
              HasSubstr("<p>1 of 2 measured points ok; 1 left out (no GPU); started 2"));
  left_out(3, "no RDMA adapter");
  left_out(4, "no GPU");
  left_out(5, "the library that this program was built with has no such type");
  EXPECT_THAT(
      report_html(RunPoints(store_)),
      HasSubstr("<p>1 of 2 measured points ok; 2 left out (no GPU), 1 left out (no RDMA adapter), 1 left "
                "out (not supported); started 2"));
}

TEST_F(Report, OfAnEmptyStoreIsOneClearError) {
  EXPECT_THROW(report_html(RunPoints(store_)), std::runtime_error);
}

}  // namespace
}  // namespace assay::results

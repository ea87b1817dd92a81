// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Verdicts for test runners and monitors, byte for byte, and the rules of those formats.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <sstream>

#include "results/judge/tests/sample_verdicts.hpp"

namespace assay::results {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* junit_of_the_sample = R"(<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="assay accept: 2 gpus" tests="5" failures="1" errors="1" skipped="2" time="0">
  <testsuite name="assay.accept" tests="2" failures="0" errors="1" skipped="1" time="0">
    <properties>
      <property name="origin" value="imported"/>
    </properties>
    <testcase classname="assay.accept" name="evidence is complete" time="0">
      <error message="FAIL: 1 of 4 were not judged" type="FAIL"/>
    </testcase>
    <testcase classname="assay.accept" name="racks" time="0">
      <skipped message="excused: too few"/>
    </testcase>
  </testsuite>
  <testsuite name="assay.accept.h1/gpu1" tests="1" failures="1" errors="0" skipped="0" time="0">
    <properties>
      <property name="origin" value="imported"/>
    </properties>
    <testcase classname="assay.accept.h1/gpu1" name="copy" time="0">
      <failure message="FAIL: beyond&#10;the limit" type="FAIL">beyond
the limit
run 1\2
limit: at least 48 GB/s, a &quot;runbook&quot; &amp; &lt;more&gt;
meaning: slow
action: drain
</failure>
    </testcase>
  </testsuite>
  <testsuite name="assay.accept.h2" tests="1" failures="0" errors="0" skipped="1" time="0">
    <properties>
      <property name="origin" value="imported"/>
    </properties>
    <testcase classname="assay.accept.h2" name="all points" time="0">
      <skipped message="NOT_RUN: not there"/>
    </testcase>
  </testsuite>
  <testsuite name="assay.accept.h1/gpu0" tests="1" failures="0" errors="0" skipped="0" time="0">
    <properties>
      <property name="origin" value="imported"/>
    </properties>
    <testcase classname="assay.accept.h1/gpu0" name="copy" time="0">
      <system-out>within the limit
limit: at least 48 GB/s, a runbook
</system-out>
    </testcase>
  </testsuite>
</testsuites>
)";

TEST(Junit, IsThis) { EXPECT_EQ(to_junit(test::sample_verdicts()), junit_of_the_sample); }

TEST(Junit, OfNothingIsAnError) {
  EXPECT_THAT(to_junit({.command = "accept"}),
              HasSubstr("<error message=\"NOT_RUN: 0 of 0 were not judged\""));
}

TEST(Junit, OfWhatPassesHasNeitherErrorNorSkippedTest) {
  Verdicts verdicts{.command = "accept", .rows = {{.metric = "a", .verdict = Verdict::pass}}};
  settle(verdicts);
  EXPECT_THAT(to_junit(verdicts), HasSubstr("tests=\"2\" failures=\"0\" errors=\"0\" skipped=\"0\""));
}

TEST(Junit, NumbersTestsOfOneName) {
  Verdicts verdicts{.command = "accept", .rows = {{.metric = "a"}, {.metric = "a"}}};
  settle(verdicts);
  EXPECT_THAT(to_junit(verdicts), HasSubstr("name=\"a (2)\""));
}

TEST(Prometheus, IsThis) {
  EXPECT_EQ(to_prometheus(test::sample_verdicts()),
            R"(# HELP assay_verdict The worst verdict: 0 PASS, 1 DEGRADED, 2 NOT_RUN, 3 INCONCLUSIVE, 4 FAIL.
# TYPE assay_verdict gauge
assay_verdict{command="accept",origin="imported",subject="2 gpus"} 4
# HELP assay_verdict_rows Judged rows of each verdict; excused ones were rightly not judged.
# TYPE assay_verdict_rows gauge
assay_verdict_rows{command="accept",origin="imported",subject="2 gpus",verdict="DEGRADED"} 0
assay_verdict_rows{command="accept",origin="imported",subject="2 gpus",verdict="FAIL"} 1
assay_verdict_rows{command="accept",origin="imported",subject="2 gpus",verdict="INCONCLUSIVE"} 0
assay_verdict_rows{command="accept",origin="imported",subject="2 gpus",verdict="NOT_RUN"} 1
assay_verdict_rows{command="accept",origin="imported",subject="2 gpus",verdict="PASS"} 1
assay_verdict_rows{command="accept",origin="imported",subject="2 gpus",verdict="excused"} 1
# HELP assay_expected_false_flags Faults expected in a sound subject of this size.
# TYPE assay_expected_false_flags gauge
assay_expected_false_flags{command="accept",origin="imported",subject="2 gpus"} 0.01
# HELP assay_unit_verdict Verdict of a unit and metric: 0 PASS, 1 DEGRADED, 2 NOT_RUN, 3 INCONCLUSIVE, 4 FAIL.
# TYPE assay_unit_verdict gauge
assay_unit_verdict{command="accept",kind="gpu",metric="copy",origin="imported",unit="h1/gpu1"} 4
assay_unit_verdict{command="accept",kind="host",metric="all points",origin="imported",unit="h2"} 2
assay_unit_verdict{command="accept",kind="gpu",metric="copy",origin="imported",unit="h1/gpu0"} 0
# HELP assay_unit_value Value that was judged, in the unit that value_unit names.
# TYPE assay_unit_value gauge
assay_unit_value{command="accept",kind="gpu",metric="copy",origin="imported",unit="h1/gpu1",value_unit="GB/s"} 44.5
assay_unit_value{command="accept",kind="gpu",metric="copy",origin="imported",unit="h1/gpu0",value_unit="GB/s"} 49.5
# HELP assay_unit_limit Limit of the value, by bound.
# TYPE assay_unit_limit gauge
assay_unit_limit{command="accept",kind="gpu",metric="copy",origin="imported",unit="h1/gpu1",value_unit="GB/s",bound="lowest"} 48
assay_unit_limit{command="accept",kind="gpu",metric="copy",origin="imported",unit="h1/gpu0",value_unit="GB/s",bound="lowest"} 48
)");
}

/// Checks an exposition as promtool does: HELP and TYPE before the samples of a metric, a metric in one
/// piece, well-formed samples, and no series twice.
void expect_exposition(const std::string& text) {
  const std::regex sample(R"re(([a-z_]+)\{([a-z_]+="([^"\\\n]|\\\\|\\"|\\n)*",?)+\} -?[0-9.e+-]+)re");
  std::set<std::string> series, done;
  std::string metric, line;
  std::istringstream lines(text);
  EXPECT_TRUE(text.ends_with("\n"));
  while (std::getline(lines, line)) {
    if (line.starts_with("# HELP ")) {
      done.insert(metric);
      metric = line.substr(7, line.find(' ', 7) - 7);
      EXPECT_FALSE(done.contains(metric)) << "in two pieces: " << metric;
      ASSERT_TRUE(std::getline(lines, line));
      EXPECT_EQ(line, "# TYPE " + metric + " gauge");
      continue;
    }
    std::smatch match;
    ASSERT_TRUE(std::regex_match(line, match, sample)) << line;
    EXPECT_EQ(match[1], metric);
    EXPECT_TRUE(series.insert(line.substr(0, line.rfind(' '))).second) << "twice: " << line;
  }
}

TEST(Prometheus, EscapesLabelsAndNeverTellsASeriesTwice) {
  Verdicts verdicts = test::sample_verdicts();
  verdicts.subject = "a \"b\" \\ c\nd \x01 \xff";
  VerdictRow first = verdicts.rows.front();
  verdicts.rows.push_back(first);
  first.verdict = Verdict::pass;
  verdicts.rows.push_back(first);
  const std::string text = to_prometheus(verdicts);
  EXPECT_THAT(text, HasSubstr(R"(subject="a \"b\" \\ c\nd   )"));
  EXPECT_THAT(text, HasSubstr(R"(unit="h1/gpu1"} 4)"));
  expect_exposition(text);
}

TEST(Prometheus, HasNoSampleThatIsNoNumber) {
  Verdicts verdicts{.command = "accept", .rows = {{.metric = "a", .value = Number{NAN}}}};
  settle(verdicts);
  EXPECT_THAT(to_prometheus(verdicts), Not(HasSubstr("nan")));
  expect_exposition(to_prometheus(verdicts));
}

TEST(LineOfVerdicts, NamesTheFirstOfTheWorst) {
  Verdicts verdicts = test::sample_verdicts();
  EXPECT_EQ(to_line(verdicts), "FAIL: (imported) h1/gpu1 copy: beyond\\nthe limit\n");
  verdicts.rows.push_back(verdicts.rows.front());
  EXPECT_EQ(to_line(verdicts), "FAIL: (imported) h1/gpu1 copy: beyond\\nthe limit (and 1 more)\n");
  std::vector<VerdictRow> rows = verdicts.rows.unpacked();
  rows.front().because = std::string(5000, 'x');
  verdicts.rows = rows;
  EXPECT_LT(to_line(verdicts).size(), 330U);
  EXPECT_THAT(to_line(verdicts), testing::EndsWith("... (and 1 more)\n"));
}

TEST(LineOfVerdicts, OfWhatPassesSaysHowManyWereJudged) {
  Verdicts verdicts{.command = "check",
                    .rows = {{.metric = "a", .verdict = Verdict::pass}, {.metric = "b", .excused = true}}};
  settle(verdicts);
  EXPECT_EQ(to_line(verdicts), "PASS: 1 judged\n");
  EXPECT_EQ(to_line({.command = "check"}), "NOT_RUN: 0 judged\n");
}

TEST(TableOfVerdicts, HasARowForEachAndSaysWhatWasCounted) {
  const Table table = to_table(test::sample_verdicts());
  EXPECT_EQ(table.rows.size(), 4U);
  EXPECT_EQ(table.notes.front(), "FAIL: 1 FAIL, 1 NOT_RUN, 1 PASS, 1 excused");
  EXPECT_THAT(to_csv(table),
              HasSubstr("PASS,h1/gpu0,gpu,copy,49.5,49,50,GB/s,at least 48 GB/s,3,4,,,within"));
}

}  // namespace
}  // namespace assay::results

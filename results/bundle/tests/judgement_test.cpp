// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A bundle judged, judged again, and compared with another.
#include "results/bundle/judgement.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/bundle/stored_lines.hpp"
#include "results/judge/acceptance/acceptance.hpp"
#include "results/tests/sample_records.hpp"
#include "results/tests/small_fleet.hpp"

namespace assay::results {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// As `assay bundle` makes it.
BundledEvidence evidence_of(double slow, const JudgeOrder& order = {}) {
  std::string records;
  for (const auto& run : test::small_fleet(slow))
    for (const Record& record : run) records += to_line(record) + "\n";
  BundledEvidence evidence;
  evidence.assay_version = "0.1.0";
  evidence.source_revision = "abc1234";
  evidence.order = order;
  evidence.records = records;
  const Judgement judgement = judge(evidence);
  evidence.verdicts = judgement.json();
  evidence.text = judgement.text;
  return evidence;
}

TEST(JudgedBundle, IsJudgedToTheSameBytesAgainAndAgain) {
  const BundledEvidence evidence = evidence_of(1.05);
  for (int i = 0; i < 2; ++i) {
    const Judgement again = judge(evidence);
    EXPECT_EQ(again.text.text(), evidence.text.text());
    EXPECT_EQ(to_json(again.verdicts), evidence.verdicts.text());
  }
}

TEST(JudgedBundle, SaysWhatTheStoreItCameFromSays) {
  const test::TemporaryFolder folder;
  test::put_small_fleet(folder / "store.db", 1.05);
  const Store store(folder / "store.db", StoreMode::existing);
  BundledEvidence evidence;
  evidence.records = lines_of_runs(store, {});
  const Judgement judgement = judge(evidence);
  EXPECT_EQ(judgement.verdicts.verdict, Verdict::fail);
  for (const MeasuredFleet& fleet : read_fleet(store, "", {}))
    EXPECT_THAT(judgement.text.text(), HasSubstr(to_text(to_table(accept(fleet, {})))));
}

TEST(JudgedBundle, ADamagedLineKeepsItFromPassing) {
  BundledEvidence evidence = evidence_of(1);
  evidence.records = evidence.records.text() + "garbage\n";
  const Judgement judgement = judge(evidence);
  EXPECT_NE(judgement.verdicts.verdict, Verdict::pass);
  EXPECT_THAT(judgement.text.text(), HasSubstr("damaged line: not JSON, or cut off"));
  EXPECT_THAT(judgement.text.text(), HasSubstr("records.jsonl:"));
}

/// The verdict of a bundle of a store, whose journals had this time in one of their points, and whether
/// accept doubts it.
std::pair<Verdict, bool> verdicts_where_a_point_started(const std::string& when) {
  Store store("");
  bool first = true;
  for (const auto& run : test::small_fleet(1)) {
    std::string lines;
    for (Record record : run) {
      auto* point = std::get_if<PointRecord>(&record);
      if (point != nullptr && point->sequence == 1 && std::exchange(first, false)) point->started = when;
      lines += to_line(record) + "\n";
    }
    store.import_lines("journal.jsonl", core::LongText(lines).source());
  }
  BundledEvidence evidence;
  evidence.records = lines_of_runs(store, {});
  evidence.damage = damage_of_runs(store, {});
  return {judge(evidence).verdicts.verdict, !judge_store(store, "accept").rows.empty()};
}

TEST(JudgedBundle, ATimeThatNoClockTellsKeepsItFromPassingAsItKeepsItsStore) {
  EXPECT_EQ(verdicts_where_a_point_started("2026-01-02T01:00:11.000Z"), std::pair(Verdict::pass, false));
  for (const char* when :
       {"2026-01-01T01:00:10.000Z", "2099-01-02T01:00:10.000Z", "2026-99-02T01:00:10.000Z", "yesterday", ""})
    EXPECT_EQ(verdicts_where_a_point_started(when), std::pair(Verdict::inconclusive, true)) << when;
}

TEST(JudgedBundle, WhatCannotBeJudgedKeepsItFromPassing) {
  BundledEvidence evidence = evidence_of(
      1, {.accept = false, .filter = "", .rules = {}, .comparisons = {{{"round1-h0"}, {"none"}}}});
  const Judgement judgement = judge(evidence);
  EXPECT_EQ(judgement.verdicts.verdict, Verdict::inconclusive);
  EXPECT_THAT(judgement.text.text(), HasSubstr("compare round1-h0 none: "));
  evidence.order.comparisons.clear();
  EXPECT_EQ(judge(evidence).verdicts.verdict, Verdict::not_run);
  evidence.records = {};
  evidence.order.accept = true;
  EXPECT_EQ(judge(evidence).verdicts.verdict, Verdict::inconclusive);
}

TEST(JudgedBundle, TheVerdictsOfChecksCount) {
  Verdicts check{.command = "check", .subject = "node h0"};
  check.rows = {
      {.unit = "h0", .kind = "check", .metric = "gpu.ecc", .verdict = Verdict::fail, .because = "1 error"}};
  settle(check);
  BundledEvidence evidence = evidence_of(1, {.accept = false, .filter = "", .rules = {}, .comparisons = {}});
  evidence.files["checks"] = {{"checks/h0.json", to_json(check)}};
  EXPECT_EQ(judge(evidence).verdicts.verdict, Verdict::fail);
  evidence.files["checks"] = {{"checks/h0.json", "{}"}};
  EXPECT_EQ(judge(evidence).verdicts.verdict, Verdict::inconclusive);
}

TEST(JudgedBundle, ACheckThatJudgedNothingKeepsItFromPassing) {
  BundledEvidence evidence = evidence_of(1);
  EXPECT_EQ(judge(evidence).verdicts.verdict, Verdict::pass);
  Verdicts check{.command = "check", .subject = "node h0"};
  check.rows = {{.unit = "h0", .kind = "check", .metric = "gpu.ecc", .excused = true}};
  settle(check);
  evidence.files["checks"] = {{"checks/h0.json", to_json(check)}};
  const Judgement judgement = judge(evidence);
  EXPECT_EQ(judgement.verdicts.verdict, Verdict::not_run);
  EXPECT_EQ(judgement.verdicts.rows.front().because, "nothing was judged");
}

/// A logbook of assay check with what latched.
std::string logbook_with(const std::string& latched) {
  return R"({"schema": 1, "last": {}, "latched": [)" + latched + "]}";
}

std::string latched(const std::string& status, const std::string& cleared) {
  return R"({"finding": {"check": "gpu.xid", "unit": "GPU 0", "status": ")" + status +
         R"(", "evidence": "Xid 79", "meaning": "it fell off the bus", "action": "drain"},)"
         R"( "since": "2026-01-02T03:04:05Z", "cleared": ")" +
         cleared + R"(", "reason": "board changed"})";
}

TEST(JudgedBundle, WhatStandsInALogbookCounts) {
  BundledEvidence evidence = evidence_of(1);
  const auto with = [&](const std::string& content) {
    evidence.files["logbooks"] = {{"logbooks/health.json", content}};
    return judge(evidence);
  };
  const Judgement standing = with(logbook_with(latched("failed", "")));
  EXPECT_EQ(standing.verdicts.verdict, Verdict::fail);
  EXPECT_EQ(standing.verdicts.rows.front().because, "failed, stands since 2026-01-02T03:04:05Z: Xid 79");
  EXPECT_EQ(standing.verdicts.rows.front().action, Action::drain);
  EXPECT_THAT(standing.text.text(), HasSubstr("logbooks/health.json"));
  EXPECT_EQ(with(logbook_with(latched("not told", ""))).verdicts.verdict, Verdict::inconclusive);
  for (const char* damaged :
       {"", "{}", R"({"schema": 2, "latched": []})", R"({"schema": 1, "latched": [{}]})",
        R"({"schema": 1, "latched": null})", R"({"schema": 1, "latched": {}})"})
    EXPECT_EQ(with(damaged).verdicts.verdict, Verdict::inconclusive) << damaged;
  std::string no_reason = logbook_with(latched("failed", "2026-01-03T00:00:00Z"));
  no_reason.replace(no_reason.find("board changed"), std::string("board changed").size(), "");
  EXPECT_EQ(with(no_reason).verdicts.verdict, Verdict::inconclusive) << "cleared, and no one says why";
  std::string twice = logbook_with(latched("failed", ""));
  twice.insert(twice.rfind('}'), R"(, "latched": [])");
  EXPECT_EQ(with(twice).verdicts.verdict, Verdict::inconclusive) << twice;
}

TEST(JudgedBundle, ALogbookInWhichNothingStandsIsToldAndProvesNothing) {
  BundledEvidence evidence = evidence_of(1);
  evidence.files["logbooks"] = {
      {"logbooks/health.json", logbook_with(latched("failed", "2026-01-03T00:00:00Z"))}};
  const Judgement judgement = judge(evidence);
  EXPECT_EQ(judgement.verdicts.verdict, Verdict::pass);
  EXPECT_THAT(judgement.text.text(), HasSubstr("0 failures stand; its counters are kept, not judged"));
  EXPECT_THAT(judgement.verdicts.notes, Contains(HasSubstr("cleared 2026-01-03T00:00:00Z: board changed")));
  evidence.records = {};
  evidence.order.accept = false;
  EXPECT_EQ(judge(evidence).verdicts.verdict, Verdict::not_run);
}

std::vector<std::string> causes_of(const BundleDiff& diff) {
  std::vector<std::string> causes;
  for (const VerdictChange& change : diff.changes.each()) causes.push_back(change.cause);
  return causes;
}

TEST(DiffOfBundles, OfTheSameHasNothing) {
  const BundledEvidence evidence = evidence_of(1.05);
  const BundleDiff diff = diff_bundles(evidence, evidence);
  EXPECT_THAT(diff.changes, IsEmpty());
  EXPECT_THAT(diff.differences, IsEmpty());
  EXPECT_THAT(to_table(diff).head.notes, Contains("data, limits and code are the same"));
}

TEST(DiffOfBundles, NamesDataThatChangedAVerdict) {
  const BundleDiff diff = diff_bundles(evidence_of(1), evidence_of(1.05));
  EXPECT_THAT(diff.differences, ElementsAre("data: the records"));
  ASSERT_THAT(diff.changes, testing::Not(IsEmpty()));
  EXPECT_THAT(causes_of(diff), testing::Each("data"));
  EXPECT_EQ(diff.changes.front().in_b, "FAIL");
}

TEST(DiffOfBundles, NamesALimitThatChangedAVerdict) {
  JudgeOrder lenient;
  lenient.rules.margin = 0.5;
  const BundleDiff diff = diff_bundles(evidence_of(1.05), evidence_of(1.05, lenient));
  EXPECT_THAT(diff.differences, ElementsAre("limit: margins, filter or what is compared"));
  ASSERT_THAT(diff.changes, testing::Not(IsEmpty()));
  EXPECT_THAT(causes_of(diff), testing::Each("limit"));
}

BundledEvidence that_says(const std::vector<VerdictRow>& rows, const std::string& subject) {
  BundledEvidence evidence;
  evidence.order.accept = false;
  Verdicts said{.command = "bundle", .subject = subject, .rows = rows};
  settle(said);
  evidence.verdicts = to_json(said);
  return evidence;
}

std::string line_of(const VerdictChange& change) {
  return change.unit + "|" + change.metric + "|" + change.in_a + "|" + change.in_b + "|" + change.because_a +
         "|" + change.because_b + "|" + change.cause;
}

TEST(DiffOfBundles, ListsRowsByNameWithTheWorstOfEachName) {
  const BundledEvidence a = that_says({{.unit = "b", .metric = "m", .verdict = Verdict::fail, .because = "1"},
                                       {.unit = "b", .metric = "m", .because = "2"},
                                       {.unit = "a", .kind = "y", .because = "3", .excused = true},
                                       {.unit = "same", .verdict = Verdict::pass, .because = "4"}},
                                      "old");
  const BundledEvidence b =
      that_says({{.unit = "b", .metric = "m", .verdict = Verdict::pass, .because = "5"},
                 {.unit = "b", .metric = "m", .verdict = Verdict::inconclusive, .because = "6"},
                 {.unit = "a", .kind = "x", .verdict = Verdict::pass, .because = "7"},
                 {.unit = "same", .verdict = Verdict::pass, .because = "8"}},
                "new");
  std::vector<std::string> lines;
  const BundleDiff diff = diff_bundles(a, b);
  for (const VerdictChange& change : diff.changes.each()) lines.push_back(line_of(change));
  EXPECT_THAT(lines,
              ElementsAre("a||-|PASS||7|code", "a||excused|-|3||code",
                          "all|verdict|FAIL|INCONCLUSIVE|old|new|code", "b|m|FAIL|INCONCLUSIVE|1|6|code"));
}

TEST(DiffOfBundles, NamesDataAndLimitWhereBothChangedAVerdict) {
  JudgeOrder lenient;
  lenient.rules.margin = 0.5;
  const BundleDiff diff = diff_bundles(evidence_of(1.05), evidence_of(1, lenient));
  EXPECT_THAT(diff.differences,
              ElementsAre("data: the records", "limit: margins, filter or what is compared"));
  ASSERT_THAT(diff.changes, testing::Not(IsEmpty()));
  EXPECT_THAT(causes_of(diff), testing::Each("data and limit"));
}

TEST(DiffOfBundles, NamesTheBundleWhoseVerdictsCannotBeRead) {
  const BundledEvidence good = that_says({}, "");
  BundledEvidence bad = good;
  bad.verdicts = "{";
  const auto refusal_of = [](const BundledEvidence& a, const BundledEvidence& b) -> std::string {
    try {
      diff_bundles(a, b);
      return "";
    } catch (const std::runtime_error& error) {
      return error.what();
    }
  };
  EXPECT_THAT(refusal_of(bad, good), testing::StartsWith("verdicts.json of A: not verdicts of assay: "));
  EXPECT_THAT(refusal_of(good, bad), testing::StartsWith("verdicts.json of B: not verdicts of assay: "));
}

TEST(DiffOfBundles, NamesCodeThatChangedAVerdict) {
  const BundledEvidence now = evidence_of(1.05);
  BundledEvidence before = now;
  before.source_revision = "0000000";
  Verdicts said = verdicts_from_json(now.verdicts.text(), "now");
  std::vector<VerdictRow> rows = said.rows.unpacked();
  for (VerdictRow& row : rows) row.verdict = Verdict::pass;
  said.rows = rows;
  settle(said);
  before.verdicts = to_json(said);
  const BundleDiff diff = diff_bundles(before, now);
  EXPECT_THAT(diff.differences, ElementsAre("code: 0.1.0 (0000000) and 0.1.0 (abc1234)"));
  ASSERT_THAT(diff.changes, testing::Not(IsEmpty()));
  EXPECT_THAT(causes_of(diff), testing::Each("code"));
  EXPECT_EQ(diff.verdict_a, "PASS");
  EXPECT_EQ(diff.verdict_b, "FAIL");
}

}  // namespace
}  // namespace assay::results

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/verdict/verdicts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "harness/core/text/json_from.hpp"
#include "results/judge/tests/sample_verdicts.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results {
namespace {

using testing::HasSubstr;

VerdictRow row_of(Verdict verdict, bool excused = false) { return {.verdict = verdict, .excused = excused}; }

Verdict worst(const std::vector<VerdictRow>& rows) { return worst_of(rows); }

TEST(WorstOfVerdicts, IsTheGravestAndNeverAPassWithoutEvidence) {
  EXPECT_EQ(worst({}), Verdict::not_run);
  EXPECT_EQ(worst({row_of(Verdict::pass), row_of(Verdict::pass)}), Verdict::pass);
  EXPECT_EQ(worst({row_of(Verdict::pass), row_of(Verdict::not_run)}), Verdict::not_run);
  EXPECT_EQ(worst({row_of(Verdict::not_run), row_of(Verdict::inconclusive)}), Verdict::inconclusive);
  EXPECT_EQ(worst({row_of(Verdict::inconclusive), row_of(Verdict::fail)}), Verdict::fail);
}

TEST(WorstOfVerdicts, DoesNotCountWhatIsExcused) {
  EXPECT_EQ(worst({row_of(Verdict::pass), row_of(Verdict::not_run, true)}), Verdict::pass);
  EXPECT_EQ(worst({row_of(Verdict::not_run, true)}), Verdict::not_run);
}

TEST(Verdicts, HaveExitCodesOfTheirOwn) {
  EXPECT_EQ(exit_code_of(Verdict::pass), 0);
  EXPECT_EQ(exit_code_of(Verdict::fail), 1);
  EXPECT_EQ(exit_code_of(Verdict::inconclusive), 3);
  EXPECT_EQ(exit_code_of(Verdict::not_run), 3);
}

TEST(Verdicts, JoinedAreSortedByGravity) {
  Verdicts whole{.command = "accept", .expected_false_flags = 0.01};
  append(whole, {.verdict = Verdict::pass,
                 .expected_false_flags = 0.02,
                 .notes = {"one"},
                 .rows = {row_of(Verdict::pass), row_of(Verdict::not_run, true)}});
  EXPECT_EQ(whole.verdict, Verdict::pass);
  append(whole, {.rows = {row_of(Verdict::inconclusive)}});
  EXPECT_EQ(whole.verdict, Verdict::inconclusive);
  EXPECT_EQ(whole.rows.front().verdict, Verdict::inconclusive);
  EXPECT_TRUE(whole.rows.back().excused);
  EXPECT_DOUBLE_EQ(*whole.expected_false_flags, 0.03);
}

/// Parts that judges may hand in and that show no evidence of their own.
std::vector<Verdicts> parts_without_evidence() {
  return {{},
          {.command = "check", .subject = "n1", .rows = {row_of(Verdict::not_run, true)}},
          {.rows = {row_of(Verdict::not_run, true), row_of(Verdict::not_run, true)}},
          {.verdict = Verdict::inconclusive, .rows = {row_of(Verdict::pass)}},
          {.verdict = Verdict::fail, .rows = {row_of(Verdict::not_run, true)}}};
}

TEST(Verdicts, JoinedNeverPassWhereAPartJudgedNothing) {
  const Verdicts good{.command = "accept", .verdict = Verdict::pass, .rows = {row_of(Verdict::pass)}};
  for (const Verdicts& part : parts_without_evidence())
    for (const auto& order :
         {std::vector{good, part}, std::vector{part, good}, std::vector{good, part, good}}) {
      Verdicts whole;
      for (const Verdicts& one : order) append(whole, one);
      EXPECT_GE(whole.verdict, std::max(part.verdict, Verdict::not_run)) << to_json(whole);
      EXPECT_EQ(worst_of(whole.rows), whole.verdict);
    }
}

TEST(Verdicts, JoinedSayWhichPartJudgedNothing) {
  Verdicts whole;
  append(whole, {.command = "check", .subject = "node n1", .rows = {row_of(Verdict::not_run, true)}});
  EXPECT_EQ(whole.rows.at(0).metric, "node n1");
  EXPECT_EQ(whole.rows.at(0).because, "nothing was judged");
  EXPECT_EQ(whole.rows.at(0).action, Action::retest);
}

TEST(LimitTexts, ReadAsPeopleSayThem) {
  VerdictRow row{.value_unit = "GB/s", .limit = VerdictLimit{.lowest = 48}};
  EXPECT_EQ(limit_text(row), "at least 48 GB/s");
  row.limit->highest = 60;
  EXPECT_EQ(limit_text(row), "48 to 60 GB/s");
  row.limit->lowest.reset();
  EXPECT_EQ(limit_text(row), "at most 60 GB/s");
  EXPECT_EQ(limit_text({}), "");
}

TEST(VerdictsAsJson, AreReadBackByteForByte) {
  const std::string text = to_json(test::sample_verdicts());
  EXPECT_EQ(to_json(verdicts_from_json(text, "x.json")), text);
  EXPECT_THAT(text, testing::StartsWith("{\n  \"schema\": \"assay-verdicts\",\n  \"schema_version\": 1,\n"
                                        "  \"command\": \"accept\",\n"));
}

TEST(VerdictsAsJson, AreLaidOutAsOneDocument) {
  for (const Verdicts& verdicts : {test::sample_verdicts(), Verdicts{.notes = {"rows\": []\n}"}}}) {
    const std::string text = to_json(verdicts);
    EXPECT_EQ(core::json_from<nlohmann::ordered_json>(text).dump(2) + "\n", text);
  }
}

TEST(VerdictsAsJson, HoldNoNumberThatIsNone) {
  Verdicts verdicts{
      .rows = {{.verdict = Verdict::inconclusive, .value = Number{NAN}, .smallest_defect = INFINITY}}};
  settle(verdicts);
  const Verdicts read = verdicts_from_json(to_json(verdicts), "x.json");
  EXPECT_TRUE(std::isnan(read.rows.at(0).value->value));
  EXPECT_FALSE(read.rows.at(0).smallest_defect);
}

std::string refusal(const std::string& text) {
  try {
    verdicts_from_json(text, "x.json");
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "read";
}

/// The message of reading the sample after its first `from` became `to`.
std::string refusal_with(const std::string& from, const std::string& to) {
  std::string text = to_json(test::sample_verdicts());
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return refusal(text.replace(at, from.size(), to));
}

TEST(VerdictsAsJson, OfAnotherSchemaAreRefusedInOneLine) {
  EXPECT_EQ(refusal_with("assay-verdicts", "others"),
            "x.json: not verdicts of assay: expected schema assay-verdicts, version 1");
  EXPECT_THAT(refusal_with("\"schema_version\": 1", "\"schema_version\": 2"), HasSubstr("version 1"));
  EXPECT_THAT(refusal("no JSON"), HasSubstr("x.json: not verdicts of assay: "));
  EXPECT_THAT(refusal("{}"), HasSubstr("schema"));
}

TEST(VerdictsAsJson, ThatSayAPassTheirRowsDoNotBearOutAreRefused) {
  EXPECT_THAT(refusal_with("\"verdict\": \"FAIL\"", "\"verdict\": \"PASS\""),
              HasSubstr("key 'verdict': PASS, and the worst of its rows is FAIL"));
  EXPECT_THAT(refusal_with("\"excused\": false", "\"excused\": true"), HasSubstr("rows[0]: key 'excused'"));
  EXPECT_THAT(refusal_with("\"verdict\": \"FAIL\"", "\"verdict\": \"GOOD\""), HasSubstr("found 'GOOD'"));
  EXPECT_THAT(refusal_with("\"n\": 3", "\"m\": 3"), HasSubstr("rows[0]: "));
  EXPECT_THAT(refusal_with("\"value\": 44.5", "\"value\": \"44.5\""), HasSubstr("expected a number or null"));
}

/// With its rows as the first key, which they are in no file that assay wrote.
std::string with_rows_first(const std::string& text) {
  const nlohmann::ordered_json json = core::json_from<nlohmann::ordered_json>(text);
  nlohmann::ordered_json turned{{"rows", json.at("rows")}};
  for (const auto& [key, value] : json.items()) turned[key] = value;
  return turned.dump();
}

TEST(VerdictsAsJson, MayHaveTheirRowsFirst) {
  const std::string text = to_json(test::sample_verdicts());
  EXPECT_EQ(to_json(verdicts_from_json(with_rows_first(text), "x.json")), text);
  std::string other = with_rows_first(text);
  other.replace(other.find("assay-verdicts"), 14, "others").replace(other.find("\"kind\""), 6, "\"sort\"");
  EXPECT_EQ(refusal(other), "x.json: not verdicts of assay: expected schema assay-verdicts, version 1");
}

TEST(VerdictsAsJson, AreRefusedWithTheNumberOfTheFirstBadRow) {
  std::string text = to_json(test::sample_verdicts());
  for (const char* kind : {"\"host\"", "\"rack\""}) text.replace(text.find(kind), 6, "000001");
  EXPECT_THAT(refusal(text), HasSubstr("parse error"));
  text = to_json(test::sample_verdicts());
  for (const char* kind : {"\"host\"", "\"rack\""}) text.replace(text.find(kind), 6, "100001");
  EXPECT_EQ(refusal(text), "x.json: not verdicts of assay: rows[1]: key 'kind': expected text");
  EXPECT_THAT(refusal(text.substr(0, text.size() - 3)), HasSubstr("parse error"));
  EXPECT_THAT(refusal(text.insert(text.rfind('}'), ", \"rows\": []")),
              HasSubstr("key 'rows' is there twice"));
}

TEST(VerdictsAsJson, ReadRowByRowAreTheSame) {
  const Verdicts sample = test::sample_verdicts();
  Verdicts rest{};
  VerdictRows rows;
  const std::string text = to_json(sample);
  rest =
      read_verdict_rows(core::source_of(text), "x.json", [&](const VerdictRow& row) { rows.push_back(row); });
  EXPECT_TRUE(rest.rows.empty());
  rest.rows = rows;
  EXPECT_EQ(to_json(rest), text);
}

TEST(VerdictsFile, IsWrittenWholeAndReadBack) {
  const test::TemporaryFolder folder;
  const std::string file = folder / "v.json";
  write_verdicts(file, test::sample_verdicts());
  EXPECT_EQ(to_json(read_verdicts(file)), to_json(test::sample_verdicts()));
  EXPECT_ANY_THROW(write_verdicts(folder / "no/such/folder", test::sample_verdicts()));
  EXPECT_ANY_THROW(read_verdicts(folder / "none.json"));
}

}  // namespace
}  // namespace assay::results

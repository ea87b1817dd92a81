// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/exchange/ctrf.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "harness/core/calendar.hpp"
#include "harness/core/text/json_text.hpp"
#include "harness/core/version.hpp"
#include "results/table/escaped_html.hpp"

namespace assay::results {
namespace {

using CtrfJson = nlohmann::ordered_json;

const char* status_of(const VerdictMark& mark) {
  if (mark.excused || mark.verdict == Verdict::not_run) return "skipped";
  if (mark.verdict == Verdict::inconclusive) return "other";
  return mark.verdict == Verdict::fail ? "failed" : "passed";
}

std::int64_t unix_ms(ToldRun::Time time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
}

CtrfJson summary_of(const Verdicts& verdicts, ToldRun::Time started, ToldRun::Time ended) {
  CtrfJson summary{{"tests", verdicts.rows.size() + 1},
                   {"passed", 0},
                   {"failed", 0},
                   {"skipped", 0},
                   {"pending", 0},
                   {"other", 0}};
  const auto count = [&](const char* status) { summary[status] = summary[status].get<std::size_t>() + 1; };
  count(why_incomplete(verdicts).empty() ? "passed" : "failed");
  for (std::size_t at = 0; at < verdicts.rows.size(); ++at) count(status_of(verdicts.rows.mark(at)));
  summary["start"] = unix_ms(started);
  summary["stop"] = unix_ms(ended);
  summary["duration"] = unix_ms(ended) - unix_ms(started);
  summary["extra"]["assay.verdict"] = {{"verdict", to_string(verdicts.verdict)},
                                       {"subject", verdicts.subject},
                                       {"origin", origin_of(verdicts)}};
  return summary;
}

CtrfJson test_of(const std::string& suite, const std::string& name, const char* status) {
  return {{"name", name.empty() ? "all" : name}, {"status", status}, {"duration", 0}, {"suite", {suite}}};
}

void add_value(CtrfJson& to, const char* key, const std::optional<double>& value) {
  if (value && std::isfinite(*value)) to[key] = *value;
}

void add_label(CtrfJson& to, const char* key, const std::string& word) {
  if (!word.empty()) to[key] = word;
}

CtrfJson numbers_of(const VerdictRow& row) {
  CtrfJson numbers = CtrfJson::object();
  if (row.value) {
    add_value(numbers, "value", row.value->value);
    add_value(numbers, "lower", row.value->lower);
    add_value(numbers, "upper", row.value->upper);
  }
  if (row.limit) {
    add_value(numbers, "limit_lowest", row.limit->lowest);
    add_value(numbers, "limit_highest", row.limit->highest);
  }
  add_label(numbers, "value_unit", row.value_unit);
  if (row.n > 0) numbers["n"] = row.n;
  add_value(numbers, "smallest_defect", row.smallest_defect);
  return numbers;
}

CtrfJson test_of(const std::string& suite, const VerdictRow& row) {
  CtrfJson test = test_of(suite, row.metric, status_of({row.verdict, row.excused}));
  if (!row.unit.empty()) test["suite"].push_back(row.unit);
  test["rawStatus"] = word_of(row);
  const std::string lines = explanation_of(row);
  if (const auto end = lines.find_last_not_of('\n'); end != std::string::npos)
    test["message"] = std::string_view(lines).substr(0, end + 1);
  CtrfJson labels = CtrfJson::object();
  add_label(labels, "unit", row.unit);
  add_label(labels, "kind", row.kind);
  add_label(labels, "origin", row.origin);
  if (!labels.empty()) test["labels"] = std::move(labels);
  if (CtrfJson numbers = numbers_of(row); !numbers.empty())
    test["extra"]["assay.measurement"] = std::move(numbers);
  return test;
}

CtrfJson completeness_test(const Verdicts& verdicts, const std::string& suite) {
  const std::string why = why_incomplete(verdicts);
  CtrfJson test = test_of(suite, "evidence is complete", why.empty() ? "passed" : "failed");
  test["rawStatus"] = to_string(verdicts.verdict);
  if (!why.empty()) test["message"] = why;
  return test;
}

CtrfJson report_without_tests(const Verdicts& verdicts, ToldRun::Time started, ToldRun::Time ended) {
  CtrfJson evidence{{"notes", verdicts.notes}};
  for (const JudgedRun& judged : verdicts.runs)
    evidence["runs"].push_back({{"run", judged.run_id}, {"digest", judged.digest}});
  return {{"reportFormat", "CTRF"},
          {"specVersion", "0.0.0"},
          {"timestamp", core::iso_time(ended)},
          {"generatedBy", "assay " + core::version()},
          {"results",
           {{"tool", {{"name", "assay " + verdicts.command}, {"version", core::version()}}},
            {"summary", summary_of(verdicts, started, ended)},
            {"extra", {{"assay.evidence", std::move(evidence)}}},
            {"tests", CtrfJson::array()}}}};
}

}  // namespace

void write_ctrf(const Verdicts& verdicts, const ToldRun& run, const core::ByteSink& sink) {
  const std::string whole = core::json_text(report_without_tests(verdicts, run.started, run.now()), 2);
  constexpr std::string_view no_tests = "]\n  }\n}";
  sink(std::string_view(whole).substr(0, whole.size() - no_tests.size()));
  const char* before = "\n      ";
  const auto write = [&](const CtrfJson& test) {
    sink(before + replaced(core::json_text(test, 2), {{'\n', "\n      "}}));
    before = ",\n      ";
  };
  const std::string suite = "assay " + verdicts.command;
  write(completeness_test(verdicts, suite));
  for (const VerdictRow& row : verdicts.rows) write(test_of(suite, row));
  sink("\n    ]\n  }\n}\n");
}

}  // namespace assay::results

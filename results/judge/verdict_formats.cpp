// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "harness/core/in_order.hpp"
#include "harness/core/printable.hpp"
#include "results/judge/exposition.hpp"
#include "results/judge/verdicts.hpp"
#include "results/table/escaped_html.hpp"

namespace assay::results {
namespace {

std::string xml(const std::string& text) { return escaped_html(core::valid_text(text)); }

/// An attribute's line feeds would be read as spaces.
std::string xml_attribute(const std::string& text) {
  std::string escaped;
  for (const char byte : xml(text)) escaped += byte == '\n' ? "&#10;" : std::string(1, byte);
  return escaped;
}

struct Counts {
  std::size_t tests = 0, failures = 0, errors = 0, skipped = 0;

  Counts& operator+=(const Counts& more) {
    tests += more.tests;
    failures += more.failures;
    errors += more.errors;
    skipped += more.skipped;
    return *this;
  }
  std::string attributes() const {
    return fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"", tests, failures, errors,
                       skipped);
  }
};

struct Suite {
  std::string name, cases;
  Counts counts;
  std::set<std::string> origins;  // of its rows
};

void add_line(std::string& text, const char* what, const std::string& line) {
  if (!line.empty()) text += fmt::format("{}{}\n", what, line);
}

std::string text_of(const VerdictRow& row) {
  std::string text;
  add_line(text, "", row.because);
  for (const std::string& line : row.evidence) add_line(text, "", line);
  const std::string limit = limit_text(row);
  add_line(text, "limit: ",
           row.limit_source.empty() ? limit : limit + (limit.empty() ? "" : ", ") + row.limit_source);
  add_line(text, "meaning: ", row.meaning);
  add_line(text, "action: ", row.action == Action::none ? "" : std::string(to_string(row.action)));
  return text;
}

/// `inside` the test case: its outcome, "" for a mere pass.
void add_case(Suite& suite, const std::string& name, const std::string& inside) {
  ++suite.counts.tests;
  suite.cases += fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"0\">{}</testcase>\n",
                             xml_attribute(suite.name), xml_attribute(name),
                             inside.empty() ? "" : "\n      " + inside + "\n    ");
}

std::string outcome_of(const VerdictRow& row, Counts& counts) {
  const std::string message = xml_attribute(fmt::format("{}: {}", word_of(row), row.because));
  if (row.verdict == Verdict::pass) return fmt::format("<system-out>{}</system-out>", xml(text_of(row)));
  if (row.verdict == Verdict::fail) {
    ++counts.failures;
    return fmt::format("<failure message=\"{}\" type=\"{}\">{}</failure>", message, to_string(row.verdict),
                       xml(text_of(row)));
  }
  ++counts.skipped;
  return fmt::format("<skipped message=\"{}\"/>", message);
}

/// Readers of JUnit take a skipped test for no fault: what keeps the whole from passing must be an error.
std::string completeness_of(const Verdicts& verdicts, Counts& counts) {
  const auto open = std::ranges::count_if(verdicts.rows, [](const VerdictRow& row) {
    return !row.excused && (row.verdict == Verdict::not_run || row.verdict == Verdict::inconclusive);
  });
  if (open == 0 && verdicts.verdict != Verdict::not_run) return "";
  ++counts.errors;
  return fmt::format("<error message=\"{}: {} of {} were not judged\" type=\"{}\"/>",
                     to_string(verdicts.verdict), open, verdicts.rows.size(), to_string(verdicts.verdict));
}

/// As JUnit has what describes a suite.
std::string origin_property(const std::set<std::string>& origins) {
  if (origins.empty()) return "";
  return fmt::format("    <properties>\n      <property name=\"origin\" value=\"{}\"/>\n    </properties>\n",
                     xml_attribute(origin_words(origins)));
}

/// By unit; a name that appears twice gets a number.
core::InOrder<std::string, Suite> suites_of(const Verdicts& verdicts) {
  const std::string command = "assay." + verdicts.command;
  core::InOrder<std::string, Suite> suites;
  Suite& whole = suites[""];
  whole.name = command;
  add_case(whole, "evidence is complete", completeness_of(verdicts, whole.counts));
  if (const std::string origin = origin_of(verdicts); !origin.empty()) whole.origins = {origin};
  std::map<std::string, int> times;
  for (const VerdictRow& row : verdicts.rows) {
    Suite& suite = suites[row.unit];
    if (suite.name.empty()) suite.name = command + "." + row.unit;
    const int time = ++times[row.unit + "\n" + row.metric];
    if (!row.origin.empty()) suite.origins.insert(row.origin);
    add_case(suite, time > 1 ? fmt::format("{} ({})", row.metric, time) : row.metric,
             outcome_of(row, suite.counts));
  }
  return suites;
}

constexpr std::string_view codes = "0 PASS, 1 NOT_RUN, 2 INCONCLUSIVE, 3 FAIL";

std::string whole(const Verdicts& verdicts) {
  const MetricLabels subject{
      {"command", verdicts.command}, {"origin", origin_of(verdicts)}, {"subject", verdicts.subject}};
  MetricFamily verdict("assay_verdict", MetricType::gauge, fmt::format("The worst verdict: {}.", codes));
  verdict.add(subject, static_cast<double>(verdicts.verdict));
  MetricFamily rows("assay_verdict_rows", MetricType::gauge,
                    "Judged rows of each verdict; excused ones were rightly not judged.");
  std::map<std::string_view, double> count{{"PASS", 0}, {"NOT_RUN", 0}, {"INCONCLUSIVE", 0}, {"FAIL", 0}};
  for (const VerdictRow& row : verdicts.rows) ++count[word_of(row)];
  for (const auto& [word, found] : count) {
    MetricLabels of_word = subject;
    of_word.emplace_back("verdict", std::string(word));
    rows.add(of_word, found);
  }
  MetricFamily flags("assay_expected_false_flags", MetricType::gauge,
                     "Faults expected in a sound subject of this size.");
  if (verdicts.expected_false_flags) flags.add(subject, *verdicts.expected_false_flags);
  return verdict.text() + rows.text() + flags.text();
}

/// "(imported) ": what was not all measured must not be read as if it was, however a line is cut. Scripts
/// know a line by its verdict and colon.
std::string origin_in_brackets(const Verdicts& verdicts) {
  const std::string origin = origin_of(verdicts);
  return origin.empty() || origin == "measured" ? "" : fmt::format("({}) ", origin);
}

/// Long enough for what was read, short enough for a line of a log.
constexpr std::size_t line_bytes = 300;

}  // namespace

std::string to_line(const Verdicts& verdicts) {
  const auto as_bad = std::ranges::count_if(
      verdicts.rows, [&](const VerdictRow& row) { return !row.excused && row.verdict == verdicts.verdict; });
  const bool settles = verdicts.verdict != Verdict::pass && as_bad > 0;
  const std::string opening =
      fmt::format("{}: {}", to_string(verdicts.verdict), origin_in_brackets(verdicts));
  if (!settles) return fmt::format("{}{} judged\n", opening, as_bad);
  const VerdictRow& worst = *std::ranges::find_if(
      verdicts.rows, [&](const VerdictRow& row) { return !row.excused && row.verdict == verdicts.verdict; });
  const std::string text = fmt::format("{}{} {}: {}", opening, worst.unit, worst.metric, worst.because);
  return core::printable(text, line_bytes) +
         (as_bad > 1 ? fmt::format(" (and {} more)\n", as_bad - 1) : "\n");
}

std::string to_junit(const Verdicts& verdicts) {
  std::string body;
  Counts all;
  for (const auto& [unit, suite] : suites_of(verdicts)) {
    all += suite.counts;
    body += fmt::format("  <testsuite name=\"{}\" {} time=\"0\">\n{}{}  </testsuite>\n",
                        xml_attribute(suite.name), suite.counts.attributes(), origin_property(suite.origins),
                        suite.cases);
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{}\" {} time=\"0\">\n{}</testsuites>\n",
      xml_attribute(fmt::format("assay {}: {}", verdicts.command, verdicts.subject)), all.attributes(), body);
}

std::string to_prometheus(const Verdicts& verdicts) {
  MetricFamily verdict("assay_unit_verdict", MetricType::gauge,
                       fmt::format("Verdict of a unit and metric: {}.", codes));
  MetricFamily value("assay_unit_value", MetricType::gauge,
                     "Value that was judged, in the unit that value_unit names.");
  MetricFamily limit("assay_unit_limit", MetricType::gauge, "Limit of the value, by bound.");
  for (const VerdictRow& row : verdicts.rows) {
    if (row.excused) continue;
    const MetricLabels of_row{{"command", verdicts.command},
                              {"kind", row.kind},
                              {"metric", row.metric},
                              {"origin", row.origin},
                              {"unit", row.unit}};
    verdict.add(of_row, static_cast<double>(row.verdict));
    MetricLabels of_value = of_row;
    of_value.emplace_back("value_unit", row.value_unit);
    if (row.value) value.add(of_value, row.value->value);
    const VerdictLimit bounds = row.limit.value_or(VerdictLimit{});
    for (const auto& [name, bound] :
         {std::pair("lowest", bounds.lowest), std::pair("highest", bounds.highest)})
      if (bound) {
        MetricLabels of_bound = of_value;
        of_bound.emplace_back("bound", name);
        limit.add(of_bound, *bound);
      }
  }
  return whole(verdicts) + verdict.text() + value.text() + limit.text();
}

}  // namespace assay::results

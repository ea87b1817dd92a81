// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "results/judge/valid_text.hpp"
#include "results/judge/verdicts.hpp"
#include "results/table/escaped_html.hpp"

namespace assay::results {
namespace {

std::string xml(const std::string& text) { return escaped_html(valid_text(text)); }

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

void add_case(Suite& suite, const std::string& name, const VerdictRow& row) {
  ++suite.counts.tests;
  suite.cases += fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"0\">",
                             xml_attribute(suite.name), xml_attribute(name));
  const std::string message = xml_attribute(fmt::format("{}: {}", word_of(row), row.because));
  if (row.verdict == Verdict::pass) {
    suite.cases += fmt::format("\n      <system-out>{}</system-out>\n    ", xml(text_of(row)));
  } else if (row.verdict == Verdict::fail) {
    ++suite.counts.failures;
    suite.cases += fmt::format("\n      <failure message=\"{}\" type=\"{}\">{}</failure>\n    ", message,
                               to_string(row.verdict), xml(text_of(row)));
  } else {
    ++suite.counts.skipped;
    suite.cases += fmt::format("\n      <skipped message=\"{}\"/>\n    ", message);
  }
  suite.cases += "</testcase>\n";
}

/// Readers of JUnit take a skipped test for no fault: what keeps the whole from passing must be an error.
void add_completeness(Suite& suite, const Verdicts& verdicts) {
  ++suite.counts.tests;
  suite.cases += fmt::format("    <testcase classname=\"{}\" name=\"evidence is complete\" time=\"0\">",
                             xml_attribute(suite.name));
  const auto open = std::ranges::count_if(verdicts.rows, [](const VerdictRow& row) {
    return !row.excused && (row.verdict == Verdict::not_run || row.verdict == Verdict::inconclusive);
  });
  if (open > 0 || verdicts.verdict == Verdict::not_run) {
    ++suite.counts.errors;
    suite.cases +=
        fmt::format("\n      <error message=\"{}: {} of {} were not judged\" type=\"{}\"/>\n    ",
                    to_string(verdicts.verdict), open, verdicts.rows.size(), to_string(verdicts.verdict));
  }
  suite.cases += "</testcase>\n";
}

/// In order of first appearance; a name that stands twice gets a number.
std::vector<Suite> suites_of(const Verdicts& verdicts) {
  const std::string command = "assay." + verdicts.command;
  std::vector<Suite> suites{{command, "", {}}};
  add_completeness(suites.front(), verdicts);
  std::map<std::string, std::size_t> place{{"", 0}};
  std::map<std::string, int> times;
  for (const VerdictRow& row : verdicts.rows) {
    const auto [at, fresh] = place.try_emplace(row.unit, suites.size());
    if (fresh) suites.push_back({command + "." + row.unit, "", {}});
    const int time = ++times[row.unit + "\n" + row.metric];
    add_case(suites[at->second], time > 1 ? fmt::format("{} ({})", row.metric, time) : row.metric, row);
  }
  return suites;
}

}  // namespace

std::string to_junit(const Verdicts& verdicts) {
  std::string body;
  Counts all;
  for (const Suite& suite : suites_of(verdicts)) {
    all += suite.counts;
    body += fmt::format("  <testsuite name=\"{}\" {} time=\"0\">\n{}  </testsuite>\n",
                        xml_attribute(suite.name), suite.counts.attributes(), suite.cases);
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{}\" {} time=\"0\">\n{}</testsuites>\n",
      xml_attribute(fmt::format("assay {}: {}", verdicts.command, verdicts.subject)), all.attributes(), body);
}

}  // namespace assay::results

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "harness/core/printable.hpp"
#include "results/judge/verdict/shared_texts.hpp"
#include "results/judge/verdict/verdicts.hpp"
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

  std::string attributes() const {
    return fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"", tests, failures, errors,
                       skipped);
  }
};

/// `inside` the test case: its outcome, "" for a mere pass.
std::string test_case(const std::string& suite, const std::string& name, const std::string& inside) {
  return fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"0\">{}</testcase>\n", suite,
                     xml_attribute(name), inside.empty() ? "" : "\n      " + inside + "\n    ");
}

void count(const VerdictMark& mark, Counts& counts) {
  ++counts.tests;
  if (mark.verdict == Verdict::fail)
    ++counts.failures;
  else if (!is_fit(mark.verdict))
    ++counts.skipped;
}

std::string outcome_of(const VerdictRow& row) {
  const std::string message = xml_attribute(fmt::format("{}: {}", word_of(row), row.because));
  if (is_fit(row.verdict)) return fmt::format("<system-out>{}</system-out>", xml(explanation_of(row)));
  if (row.verdict != Verdict::fail) return fmt::format("<skipped message=\"{}\"/>", message);
  return fmt::format("<failure message=\"{}\" type=\"{}\">{}</failure>", message, to_string(row.verdict),
                     xml(explanation_of(row)));
}

/// Readers of JUnit take a skipped test for no fault: what keeps the whole from passing must be an error.
std::string completeness_of(const Verdicts& verdicts) {
  const std::string why = why_incomplete(verdicts);
  return why.empty() ? ""
                     : fmt::format("<error message=\"{}\" type=\"{}\"/>", why, to_string(verdicts.verdict));
}

/// As JUnit has what describes a suite.
std::string origin_property(const std::set<std::string>& origins) {
  if (origins.empty()) return "";
  return fmt::format("    <properties>\n      <property name=\"origin\" value=\"{}\"/>\n    </properties>\n",
                     xml_attribute(origin_words(origins)));
}

/// Places of the rows of each unit; the units in the order in which they first came. That of the whole, "",
/// is the first, whether it has rows or not.
std::vector<std::vector<std::uint32_t>> rows_by_unit(const VerdictRows& rows) {
  SharedTexts units;
  units.number_of("");
  std::vector<std::vector<std::uint32_t>> places(1);
  for (std::size_t at = 0; at < rows.size(); ++at) {
    const std::uint32_t unit = units.number_of(rows.unit(at));
    if (unit == places.size()) places.emplace_back();
    places[unit].push_back(static_cast<std::uint32_t>(at));
  }
  return places;
}

std::string suite_opening(const std::string& name, const Counts& counts,
                          const std::set<std::string>& origins) {
  return fmt::format("  <testsuite name=\"{}\" {} time=\"0\">\n{}", name, counts.attributes(),
                     origin_property(origins));
}

/// The test cases of these rows: a name that appears twice gets a number.
void write_cases(const VerdictRows& rows, const std::vector<std::uint32_t>& places, const std::string& suite,
                 const core::ByteSink& sink) {
  std::map<std::string, int> times;
  for (const std::uint32_t at : places) {
    const VerdictRow row = rows[at];
    const int time = ++times[row.metric];
    sink(test_case(suite, time > 1 ? fmt::format("{} ({})", row.metric, time) : row.metric, outcome_of(row)));
  }
}

/// Writes a test suite for each unit.
void write_suites(const Verdicts& verdicts, const std::vector<std::vector<std::uint32_t>>& by_unit,
                  const core::ByteSink& sink) {
  const VerdictRows& rows = verdicts.rows;
  for (const std::vector<std::uint32_t>& places : by_unit) {
    const bool is_whole = &places == by_unit.data();
    const std::string complete = is_whole ? completeness_of(verdicts) : "";
    Counts counts;
    if (is_whole) counts = {.tests = 1, .errors = complete.empty() ? 0U : 1U};
    std::set<std::string> origins;
    if (const std::string origin = is_whole ? origin_of(verdicts) : ""; !origin.empty()) origins = {origin};
    for (const std::uint32_t at : places) {
      count(rows.mark(at), counts);
      if (std::string origin(rows.origin(at)); !origin.empty()) origins.insert(std::move(origin));
    }
    const std::string suite = xml_attribute(fmt::format("assay.{}{}{}", verdicts.command, is_whole ? "" : ".",
                                                        is_whole ? "" : rows.unit(places.front())));
    sink(suite_opening(suite, counts, origins));
    if (is_whole) sink(test_case(suite, "evidence is complete", complete));
    write_cases(rows, places, suite, sink);
    sink("  </testsuite>\n");
  }
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
  const auto is_as_bad = [&](std::size_t at) {
    const VerdictMark mark = verdicts.rows.mark(at);
    return !mark.excused && mark.verdict == verdicts.verdict;
  };
  std::size_t as_bad = 0, first = 0;
  for (std::size_t at = verdicts.rows.size(); at-- > 0;)
    if (is_as_bad(at)) ++as_bad, first = at;
  const std::string opening =
      fmt::format("{}: {}", to_string(verdicts.verdict), origin_in_brackets(verdicts));
  if (verdicts.verdict == Verdict::pass || as_bad == 0) return fmt::format("{}{} judged\n", opening, as_bad);
  const VerdictRow worst = verdicts.rows[first];
  const std::string text = fmt::format("{}{} {}: {}", opening, worst.unit.empty() ? "all" : worst.unit,
                                       worst.metric, worst.because);
  return core::printable(text, line_bytes) +
         (as_bad > 1 ? fmt::format(" (and {} more)\n", as_bad - 1) : "\n");
}

void write_junit(const Verdicts& verdicts, const core::ByteSink& sink) {
  Counts all{.tests = 1, .errors = completeness_of(verdicts).empty() ? 0U : 1U};
  for (std::size_t at = 0; at < verdicts.rows.size(); ++at) count(verdicts.rows.mark(at), all);
  sink(fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{}\" {} time=\"0\">\n",
                   xml_attribute(fmt::format("assay {}: {}", verdicts.command, verdicts.subject)),
                   all.attributes()));
  write_suites(verdicts, rows_by_unit(verdicts.rows), sink);
  sink("</testsuites>\n");
}

std::string to_junit(const Verdicts& verdicts) {
  return core::written([&](const core::ByteSink& sink) { write_junit(verdicts, sink); });
}

}  // namespace assay::results

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "results/judge/run_comparison.hpp"

namespace assay::results {
namespace {

using core::Equivalence;

constexpr std::size_t most_findings_told = 20;

Verdict verdict_of(const ComparedPoint& point) {
  if (!point.not_ok_in_b.empty() || point.times.verdict == Equivalence::higher) return Verdict::fail;
  return point.times.verdict == Equivalence::not_enough_data ? Verdict::inconclusive : Verdict::pass;
}

bool too_few_runs(const ComparedPoint& point) {
  return std::min(point.times.runs_of_a, point.times.runs_of_b) < core::fewest_runs;
}

std::string runs_text(std::int64_t count) { return count == 1 ? "1 run" : fmt::format("{} runs", count); }

/// "5 runs on each side would decide with a probability of about 80 % if runs scatter as seen"
std::string needed_text(const ComparedPoint& point) {
  if (!point.runs_needed) return "more runs of the same kind are not expected to decide";
  return fmt::format("{} on each side would decide with a probability of about 80 % if runs scatter as {}",
                     runs_text(*point.runs_needed),
                     point.times.deviation ? "these do" : "repetitions of one run do");
}

std::string open_text(const ComparedPoint& point, double margin) {
  if (!point.findings.empty())
    return point.findings.size() == 1
               ? point.findings.front()
               : fmt::format("{} (and {} more findings)", point.findings.front(), point.findings.size() - 1);
  if (too_few_runs(point))
    return fmt::format(
        "{} against {}: repetitions of one run share placement, path and heat, so at least {} runs on each "
        "side are needed; {}",
        runs_text(point.times.runs_of_b), runs_text(point.times.runs_of_a), core::fewest_runs,
        needed_text(point));
  return fmt::format("the ratio's 90 % interval crosses {:g} %; {}", 100 * margin, needed_text(point));
}

std::string because(const ComparedPoint& point, double margin) {
  if (!point.not_ok_in_b.empty()) return "the candidate did not measure it: " + point.not_ok_in_b;
  const std::string within = fmt::format("{:g} %", 100 * margin);
  switch (point.times.verdict) {
    case Equivalence::equivalent:
      return "equivalent: the ratio's 90 % interval is within " + within;
    case Equivalence::higher:
      return "worse: the ratio's 90 % interval is beyond " + within;
    case Equivalence::lower:
      return "better: the ratio's 90 % interval is below 1 by more than " + within;
    case Equivalence::not_enough_data:
      break;
  }
  return open_text(point, margin);
}

std::vector<std::string> evidence_on(const RunComparison& comparison, const ComparedPoint& point) {
  std::vector<std::string> lines{fmt::format("means: {:.6g} us in {}, {:.6g} us in {}", point.a_us,
                                             comparison.a, point.b_us, comparison.b)};
  if (point.times.deviation)
    lines.push_back(fmt::format("runs of one side differ by {:.3g} % (standard deviation)",
                                100 * *point.times.deviation));
  if (point.within_a_run)
    lines.push_back(fmt::format("repetitions of one run differ by {:.3g} %", 100 * *point.within_a_run));
  const std::size_t told = std::min(most_findings_told, point.findings.size());
  lines.insert(lines.end(), point.findings.begin(),
               point.findings.begin() + static_cast<std::ptrdiff_t>(told));
  if (told < point.findings.size()) lines.push_back(fmt::format("{} more", point.findings.size() - told));
  return lines;
}

std::string metric_name(const std::string& case_name, const std::string& key) {
  return case_name + (key.empty() ? "" : "/" + key);
}

VerdictRow row_of(const RunComparison& comparison, const ComparedPoint& point) {
  VerdictRow row{.unit = comparison.b,
                 .kind = "run",
                 .metric = metric_name(point.case_name, point.key),
                 .verdict = verdict_of(point),
                 .value = Number{point.times.ratio, point.times.lower, point.times.upper},
                 .value_unit = "times the time of " + comparison.a,
                 .limit = VerdictLimit{.highest = 1 + comparison.margin},
                 .limit_source = "margin of this command; two one-sided tests at 5 %, over runs",
                 .n = point.times.runs_of_a + point.times.runs_of_b,
                 .smallest_defect = point.times.smallest_margin,
                 .because = because(point, comparison.margin),
                 .evidence = evidence_on(comparison, point)};
  row.action = action_of(row.verdict);
  return row;
}

VerdictRow row_of(const RunComparison& comparison, const UncomparedPoint& point) {
  return {.unit = comparison.b,
          .kind = "run",
          .metric = metric_name(point.case_name, point.key),
          .verdict = point.excused ? Verdict::not_run : point.verdict,
          .because = point.why,
          .action = point.excused ? Action::none : action_of(point.verdict),
          .excused = point.excused};
}

}  // namespace

Verdicts verdicts_of(const RunComparison& comparison) {
  const Table table = to_table(comparison);
  Verdicts verdicts{.command = "compare", .subject = table.title, .notes = table.notes};
  for (const ComparedPoint& point : comparison.points) verdicts.rows.push_back(row_of(comparison, point));
  for (const UncomparedPoint& point : comparison.uncompared)
    verdicts.rows.push_back(row_of(comparison, point));
  settle(verdicts);
  return verdicts;
}

}  // namespace assay::results

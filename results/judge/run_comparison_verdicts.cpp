// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "results/judge/run_comparison.hpp"

namespace assay::results {
namespace {

using core::Equivalence;

Verdict verdict_of(const ComparedPoint& point) {
  if (!point.not_ok_in_b.empty() || point.times.verdict == Equivalence::higher) return Verdict::fail;
  return point.times.verdict == Equivalence::not_enough_data ? Verdict::inconclusive : Verdict::pass;
}

std::string because(const ComparedPoint& point, double margin) {
  if (!point.not_ok_in_b.empty()) return "a repetition of the second run is " + point.not_ok_in_b;
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
  return point.more_needed ? fmt::format("not enough data: {} more repetitions may do", *point.more_needed)
                           : "not enough data: more repetitions may show either";
}

VerdictRow row_of(const RunComparison& comparison, const ComparedPoint& point) {
  VerdictRow row{.unit = comparison.b,
                 .kind = "run",
                 .metric = point.case_name + (point.key.empty() ? "" : "/" + point.key),
                 .verdict = verdict_of(point),
                 .value = Number{point.times.ratio, point.times.lower, point.times.upper},
                 .value_unit = "times the time of " + comparison.a,
                 .limit = VerdictLimit{.highest = 1 + comparison.margin},
                 .limit_source = "margin of this command; two one-sided tests at 5 %",
                 .n = point.times.pairs,
                 .smallest_defect = point.times.smallest_margin,
                 .because = because(point, comparison.margin)};
  row.evidence = {fmt::format("medians: {:.6g} us in {}, {:.6g} us in {}", point.a_us, comparison.a,
                              point.b_us, comparison.b)};
  row.action = action_of(row.verdict);
  return row;
}

}  // namespace

Verdicts verdicts_of(const RunComparison& comparison) {
  const Table table = to_table(comparison);
  Verdicts verdicts{.command = "compare", .subject = table.title, .notes = table.notes};
  for (const ComparedPoint& point : comparison.points) verdicts.rows.push_back(row_of(comparison, point));
  for (const UncomparedPoint& point : comparison.uncompared)
    verdicts.rows.push_back({.unit = comparison.b,
                             .kind = "run",
                             .metric = point.case_name + (point.key.empty() ? "" : "/" + point.key),
                             .verdict = point.verdict,
                             .because = point.why,
                             .action = point.excused ? "none" : "retest",
                             .excused = point.excused});
  settle(verdicts);
  return verdicts;
}

}  // namespace assay::results

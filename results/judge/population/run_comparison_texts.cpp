// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "results/judge/population/run_comparison.hpp"

namespace assay::results {
namespace {

using core::Equivalence;

struct Decided {
  Equivalence verdict;
  std::string_view word, interval;
};
constexpr std::array decided{Decided{Equivalence::equivalent, "equivalent", "is within"},
                             Decided{Equivalence::higher, "worse", "is beyond"},
                             Decided{Equivalence::lower, "better", "is below 1 by more than"}};

/// Nothing where there is not enough data.
const Decided* decided_of(const ComparedPoint& point) {
  const auto found = std::ranges::find(decided, point.times.verdict, &Decided::verdict);
  return found == decided.end() ? nullptr : &*found;
}

std::string verdict_text(const ComparedPoint& point) {
  if (!point.not_ok_in_b.empty()) return point.not_ok_in_b;
  if (const Decided* one = decided_of(point)) return std::string(one->word);
  if (!point.findings.empty()) return "INCONCLUSIVE: " + point.findings.front();
  if (point.times.drift_could_hide) return "INCONCLUSIVE: alternate the runs";
  if (point.runs_needed) return fmt::format("INCONCLUSIVE: {} runs on each side", *point.runs_needed);
  return "INCONCLUSIVE: more runs may show either";
}

/// The order of points in the table: those that need a look come first.
int urgency(const ComparedPoint& point) {
  if (!point.not_ok_in_b.empty()) return -1;
  constexpr std::array order{Equivalence::higher, Equivalence::not_enough_data, Equivalence::lower,
                             Equivalence::equivalent};
  return static_cast<int>(std::ranges::find(order, point.times.verdict) - order.begin());
}

std::vector<Column> columns_of(const RunComparison& comparison) {
  return {{.name = "case", .kind = Column::Kind::word, .folds = true},
          {.name = "point"},
          {.name = comparison.a, .unit = "us", .kind = Column::Kind::number},
          {.name = comparison.b, .unit = "us", .kind = Column::Kind::number},
          {.name = "time ratio", .kind = Column::Kind::number},
          {.name = "runs", .kind = Column::Kind::word, .folds = true},
          {.name = "repetitions", .kind = Column::Kind::count},
          {.name = "smallest margin", .unit = "%", .kind = Column::Kind::number},
          {.name = "verdict", .kind = Column::Kind::word}};
}

std::string counts_text(const RunComparison& comparison) {
  return fmt::format(
      "{} equivalent, {} better, {} worse, {} INCONCLUSIVE. The ratio is the time of {} over that of "
      "{}; its 90 % interval over runs decides (two one-sided tests at 5 %).",
      comparison.count(Equivalence::equivalent), comparison.count(Equivalence::lower),
      comparison.count(Equivalence::higher), comparison.count(Equivalence::not_enough_data), comparison.b,
      comparison.a);
}

/// The text of how many runs would decide the points that only lack runs.
std::string most_runs_text(const RunComparison& comparison) {
  std::int64_t most = 0, open = 0;
  for (const ComparedPoint& point : comparison.points)
    if (point.times.verdict == Equivalence::not_enough_data && point.findings.empty() &&
        !point.times.drift_could_hide) {
      ++open;
      most = std::max(most, point.runs_needed.value_or(0));
    }
  if (open == 0) return "";
  const auto fewer = std::min(std::ssize(comparison.ids_of_a), std::ssize(comparison.ids_of_b));
  const char* const why =
      fewer < core::fewest_runs
          ? " Repetitions of one run share placement, path and heat, and cannot stand for runs."
          : "";
  if (most == 0) return fmt::format("More runs are not expected to decide.{}", why);
  return fmt::format("About {} runs on each side would decide.{}", most, why);
}

constexpr std::size_t most_findings_named = 20;

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
  if (point.times.drift_could_hide)
    return fmt::format(
        "in the order in which these runs started, a steady drift could hide {:g} %: alternate the runs of "
        "the two sides",
        100 * margin);
  return fmt::format("the ratio's 90 % interval crosses {:g} %; {}", 100 * margin, needed_text(point));
}

std::string because(const ComparedPoint& point, double margin) {
  if (!point.not_ok_in_b.empty()) return "the candidate did not measure it: " + point.not_ok_in_b;
  if (const Decided* one = decided_of(point))
    return fmt::format("{}: the ratio's 90 % interval {} {:g} %", one->word, one->interval, 100 * margin);
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
  const std::size_t named = std::min(most_findings_named, point.findings.size());
  lines.insert(lines.end(), point.findings.begin(),
               point.findings.begin() + static_cast<std::ptrdiff_t>(named));
  if (named < point.findings.size()) lines.push_back(fmt::format("{} more", point.findings.size() - named));
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

Table to_table(const RunComparison& comparison) {
  Table table{.title = fmt::format("{} against {}, margin {:g} %", comparison.b, comparison.a,
                                   comparison.margin * 100),
              .origin = comparison.origin};
  table.columns = columns_of(comparison);
  std::vector<ComparedPoint> sorted = comparison.points;
  std::ranges::stable_sort(sorted, {}, urgency);
  for (const ComparedPoint& point : sorted) {
    const core::EquivalenceResult& times = point.times;
    table.rows.push_back({point.case_name, point.key, Number{point.a_us}, Number{point.b_us},
                          Number{times.ratio, times.lower, times.upper},
                          fmt::format("{} and {}", times.runs_of_a, times.runs_of_b), point.repetitions,
                          times.smallest_margin ? Cell(Number{*times.smallest_margin * 100}) : Cell(),
                          verdict_text(point)});
  }
  table.notes.push_back(counts_text(comparison));
  if (std::string text = most_runs_text(comparison); !text.empty()) table.notes.push_back(std::move(text));
  if (comparison.one_after_the_other)
    table.notes.emplace_back(
        "All runs of one side started before those of the other. The intervals allow for a drift that is "
        "steady in their order and the same on both sides; a step in between would look like a difference. "
        "Alternate the runs where that can be done.");
  if (comparison.only_in_a + comparison.only_in_b + comparison.not_compared > 0)
    table.notes.push_back(fmt::format(
        "Not compared: {} points only in {}, {} only in {}, {} not measured on both sides.",
        comparison.only_in_a, comparison.a, comparison.only_in_b, comparison.b, comparison.not_compared));
  return table;
}

Verdicts verdicts_of(const RunComparison& comparison) {
  const Table table = to_table(comparison);
  Verdicts verdicts{.command = "compare", .subject = table.title, .notes = table.notes};
  for (const ComparedPoint& point : comparison.points) verdicts.rows.push_back(row_of(comparison, point));
  for (const UncomparedPoint& point : comparison.uncompared)
    verdicts.rows.push_back(row_of(comparison, point));
  name_origin(verdicts, comparison.origin);
  settle(verdicts);
  return verdicts;
}

}  // namespace assay::results

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "results/judge/run_comparison.hpp"

namespace assay::results {
namespace {

using core::Equivalence;

/// What needs a look comes first.
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
      "{} equivalent, {} better, {} worse, {} with not enough data. The ratio is the time of {} over that of "
      "{}; its 90 % interval over runs decides (two one-sided tests at 5 %).",
      comparison.count(Equivalence::equivalent), comparison.count(Equivalence::lower),
      comparison.count(Equivalence::higher), comparison.count(Equivalence::not_enough_data), comparison.b,
      comparison.a);
}

/// Of the points that only lack runs.
std::string most_runs_text(const RunComparison& comparison) {
  std::int64_t most = 0, open = 0;
  for (const ComparedPoint& point : comparison.points)
    if (point.times.verdict == Equivalence::not_enough_data && point.findings.empty()) {
      ++open;
      most = std::max(most, point.runs_needed.value_or(0));
    }
  if (open == 0) return "";
  const auto fewer = std::min(comparison.runs_of_a, comparison.runs_of_b);
  const char* const why =
      fewer < core::fewest_runs
          ? " Repetitions of one run share placement, path and heat, and cannot stand for runs."
          : "";
  if (most == 0) return fmt::format("More runs are not expected to decide.{}", why);
  return fmt::format("About {} runs on each side would decide.{}", most, why);
}

}  // namespace

std::string verdict_text(const ComparedPoint& point) {
  if (!point.not_ok_in_b.empty()) return point.not_ok_in_b;
  switch (point.times.verdict) {
    case Equivalence::equivalent:
      return "equivalent";
    case Equivalence::higher:
      return "worse";
    case Equivalence::lower:
      return "better";
    case Equivalence::not_enough_data:
      break;
  }
  if (!point.findings.empty()) return "evidence incomplete: " + point.findings.front();
  if (point.runs_needed) return fmt::format("not enough data: {} runs on each side", *point.runs_needed);
  return "not enough data: more runs may show either";
}

Table to_table(const RunComparison& comparison) {
  Table table{.title = fmt::format("{} against {}, margin {:g} %", comparison.b, comparison.a,
                                   comparison.margin * 100)};
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
        "All runs of one side started before those of the other: a drift in between looks like a difference. "
        "Alternate the runs where that can be done.");
  if (comparison.only_in_a + comparison.only_in_b + comparison.not_compared > 0)
    table.notes.push_back(fmt::format(
        "Not compared: {} points only in {}, {} only in {}, {} not measured on both sides.",
        comparison.only_in_a, comparison.a, comparison.only_in_b, comparison.b, comparison.not_compared));
  return table;
}

}  // namespace assay::results

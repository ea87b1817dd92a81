// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "results/judge/population/population_comparison.hpp"
#include "results/judge/population/simulated_fleets.hpp"

namespace assay::results {
namespace {

using core::Equivalence;

std::string_view population_word(Equivalence verdict) {
  switch (verdict) {
    case Equivalence::equivalent:
      return "equivalent";
    case Equivalence::higher:
      return "worse";
    case Equivalence::lower:
      return "better";
    case Equivalence::not_enough_data:
      break;
  }
  return "INCONCLUSIVE";
}

int population_urgency(const PopulationPoint& point) {
  constexpr std::array order{Equivalence::higher, Equivalence::not_enough_data, Equivalence::lower,
                             Equivalence::equivalent};
  return static_cast<int>(std::ranges::find(order, point.verdict) - order.begin());
}

Number ratio_of(const PopulationPoint& point) {
  if (!point.shift) return {};
  return {std::exp(point.shift->shift), std::exp(point.shift->lower), std::exp(point.shift->upper)};
}

Number slow_ratio_of(const JudgedTail& tail) {
  Number ratio{.value = std::exp(tail.shift.shift), .upper = std::exp(tail.shift.upper)};
  if (tail.shift.lower) ratio.lower = std::exp(*tail.shift.lower);
  return ratio;
}

/// At which the two would be equivalent.
double least_margin(const PopulationPoint& point) {
  const core::StudentisedShift& shift = *point.shift;
  return std::expm1(std::max({std::abs(shift.lower), std::abs(shift.upper), point.tail->shift.upper}));
}

std::string needed_units_text(const PopulationPoint& point) {
  std::string runs;
  if (point.needed_runs) runs = fmt::format("{} runs of each {}", *point.needed_runs, point.unit_level);
  if (!point.needed_units)
    return runs.empty() ? "more units or runs like these are not expected to decide" : runs + " would decide";
  return fmt::format("{} {}s on each side{}{} would decide in about 80 % of cases", *point.needed_units,
                     point.level, runs.empty() ? "" : ", or ", runs);
}

/// Whether the shift alone is shown to be within the margin, or better by more.
bool is_as_fast(const PopulationPoint& point, double margin) {
  const double bound = std::log1p(margin);
  const bool better = point.probability <= population_alpha && point.shift->shift < 0;
  return better || (point.shift->lower > -bound && point.shift->upper < bound);
}

/// The text of the slow hosts if any is slow, whatever the verdict.
std::string slow_hosts_text(const PopulationPoint& point, double margin) {
  const bool any = point.tail->beyond && point.tail->beyond->count > 0;
  return any ? "; " + tail_text(*point.tail, margin) : "";
}

std::string open_population_text(const PopulationPoint& point, double margin) {
  if (!point.shift)
    return fmt::format("{} and {} {}s: at least {} on each side are needed", point.values_of_a,
                       point.values_of_b, point.level, core::fewest_shift_values);
  if (is_as_fast(point, margin))
    return "the median is as good, which is not shown for the slow: " + tail_text(*point.tail, margin);
  const double bound = std::log1p(margin);
  const bool beyond = point.shift->lower >= bound || point.shift->upper <= -bound;
  const std::string what =
      beyond
          ? fmt::format(
                "beyond {:g} % alone, but not as one of many metrics (Holm: {:.3f}, expected at most {:g})",
                100 * margin, point.probability, population_alpha)
          : fmt::format("the ratio's 90 % interval crosses {:g} %", 100 * margin);
  return what + "; " + needed_units_text(point) + slow_hosts_text(point, margin);
}

std::string why(const PopulationPoint& point, double margin) {
  if (point.verdict == Equivalence::not_enough_data) return open_population_text(point, margin);
  const bool by_shift = point.probability <= population_alpha && point.shift->shift > 0;
  if (point.verdict == Equivalence::higher && !by_shift) return "worse: " + tail_text(*point.tail, margin);
  return fmt::format("{}: the ratio's 90 % interval {} {:g} %{}", population_word(point.verdict),
                     point.verdict == Equivalence::equivalent ? "is within"
                     : point.verdict == Equivalence::higher   ? "is beyond"
                                                              : "is below 1 by more than",
                     100 * margin, slow_hosts_text(point, margin));
}

Verdict verdict_of_point(const PopulationPoint& point) {
  if (point.verdict == Equivalence::higher) return Verdict::fail;
  return point.verdict == Equivalence::not_enough_data ? Verdict::inconclusive : Verdict::pass;
}

VerdictRow population_row(const PopulationComparison& comparison, const PopulationPoint& point) {
  VerdictRow row{.unit = comparison.b,
                 .kind = "population",
                 .metric = point.metric,
                 .verdict = verdict_of_point(point),
                 .limit = VerdictLimit{.highest = 1 + comparison.margin},
                 .limit_source = "margin of this command; two one-sided tests at 5 %, over units",
                 .n = point.values_of_a + point.values_of_b,
                 .smallest_defect = point.detectable,
                 .because = why(point, comparison.margin)};
  if (point.shift) {
    row.value = ratio_of(point);
    row.value_unit = "times the time of " + comparison.a;
  }
  row.evidence.push_back(fmt::format("{} and {} {}s, {} and {} runs of them; compared: {} and {} {}s",
                                     point.units_of_a, point.units_of_b, point.unit_level, point.runs_of_a,
                                     point.runs_of_b, point.values_of_a, point.values_of_b, point.level));
  if (point.tail) row.evidence.push_back(tail_text(*point.tail, comparison.margin));
  if (point.detectable)
    row.evidence.push_back(fmt::format("a difference of {:.3g} % would be shown with a probability of 80 %",
                                       100 * *point.detectable));
  row.action = action_of(row.verdict);
  return row;
}

/// All points at once: equivalent where each is, each at 5 % (an intersection-union test).
VerdictRow whole_row(const PopulationComparison& comparison) {
  const std::int64_t worse = comparison.count(Equivalence::higher),
                     open = comparison.count(Equivalence::not_enough_data) + std::ssize(comparison.unshared);
  VerdictRow row{
      .unit = comparison.b,
      .kind = "population",
      .metric = "all points",
      .verdict = worse > 0  ? Verdict::fail
                 : open > 0 ? Verdict::inconclusive
                            : Verdict::pass,
      .because = fmt::format(
          "{} equivalent, {} better, {} worse (by Holm over all points, 5 %), {} undecided",
          comparison.count(Equivalence::equivalent), comparison.count(Equivalence::lower), worse, open)};
  row.meaning =
      "the clusters are equivalent where each point is, each shown at 5 % (intersection-union test)";
  row.action = action_of(row.verdict);
  return row;
}

std::string mix_text(const PopulationComparison& comparison) {
  if (!comparison.mix) return "No workload mix was named: points are not weighted.";
  std::vector<std::string> weights;
  for (const auto& [glob, weight] : comparison.mix->weights)
    weights.push_back(fmt::format("{} {:g}", glob, weight));
  return fmt::format("Mix {} ({}): {}; {}.", comparison.mix->name, comparison.mix->file,
                     fmt::join(weights, ", "), why(*comparison.mixed, comparison.margin));
}

bool is_of_seeds(const PopulationComparison& comparison) {
  return std::ranges::any_of(comparison.points,
                             [](const PopulationPoint& point) { return point.unit_level == seed_level; });
}

/// The meaning of a unit, and what follows from it.
std::vector<std::string> units_notes(const PopulationComparison& comparison) {
  if (is_of_seeds(comparison))
    return {fmt::format(
        "A value is the time with one seed of the switches' hashes. What is shown holds for other seeds on "
        "these two fabrics as their files state them: the ratio is of the median seeds, and the {:.0f} % "
        "quantile of {} (lower with few values) must be shown to be less than {:g} % above that of {} too.",
        100 * slow_quantile, comparison.b, 100 * comparison.margin, comparison.a)};
  return {
      fmt::format("A job runs at the pace of its slowest host: the {:.0f} % quantile of {} (lower with few "
                  "values) must be shown to be less than {:g} % above that of {} too, by order statistics.",
                  100 * slow_quantile, comparison.b, 100 * comparison.margin, comparison.a),
      fmt::format("The ratio is the median of the time of a unit of {} over that of a unit of {}. Its 90 % "
                  "interval is over "
                  "hosts, links or places, never over samples. Units are taken as independent draws; their "
                  "runs should be "
                  "spread over time.",
                  comparison.b, comparison.a)};
}

std::vector<std::string> population_notes(const PopulationComparison& comparison) {
  std::vector<std::string> notes{whole_row(comparison).because + ".", mix_text(comparison)};
  std::ranges::move(units_notes(comparison), std::back_inserter(notes));
  if (comparison.hardware_of_a != comparison.hardware_of_b)
    notes.push_back(fmt::format("{}: {} in {}; {} in {}.",
                                is_of_seeds(comparison) ? "Fabrics" : "Hardware differs",
                                fmt::join(comparison.hardware_of_a, ", "), comparison.a,
                                fmt::join(comparison.hardware_of_b, ", "), comparison.b));
  if (comparison.origin != "measured")
    notes.push_back(fmt::format("Nothing here was measured: every value is {}.", comparison.origin));
  if (!comparison.unshared.empty() || !comparison.doubts.empty())
    notes.push_back(fmt::format("Not compared: {} points. Doubts about the records: {}.",
                                comparison.unshared.size(), comparison.doubts.size()));
  return notes;
}

}  // namespace

Table to_table(const PopulationComparison& comparison) {
  using Kind = Column::Kind;
  Table table{.title = fmt::format("population {} against {}, margin {:g} %", comparison.b, comparison.a,
                                   comparison.margin * 100),
              .origin = comparison.origin};
  table.columns = {{.name = "point"},
                   {.name = "units", .kind = Kind::word, .folds = true},
                   {.name = "runs", .kind = Kind::word, .folds = true},
                   {.name = "compared", .kind = Kind::word, .folds = true},
                   {.name = "time ratio", .kind = Kind::number},
                   {.name = "of slow ones", .kind = Kind::number},
                   {.name = "smallest margin", .unit = "%", .kind = Kind::number},
                   {.name = "shown at 80 %", .unit = "%", .kind = Kind::number},
                   {.name = "verdict", .kind = Kind::word}};
  std::vector<PopulationPoint> sorted = comparison.points;
  std::ranges::stable_sort(sorted, {}, population_urgency);
  if (comparison.mixed) sorted.insert(sorted.begin(), *comparison.mixed);
  for (const PopulationPoint& point : sorted)
    table.rows.push_back(
        {point.metric, fmt::format("{} and {} {}s", point.units_of_a, point.units_of_b, point.unit_level),
         fmt::format("{} and {}", point.runs_of_a, point.runs_of_b),
         fmt::format("{} and {} {}s", point.values_of_a, point.values_of_b, point.level),
         point.shift ? Cell(ratio_of(point)) : Cell(), point.tail ? Cell(slow_ratio_of(*point.tail)) : Cell(),
         point.shift ? Cell(Number{100 * least_margin(point)}) : Cell(),
         point.detectable ? Cell(Number{100 * *point.detectable}) : Cell(),
         point.verdict == Equivalence::not_enough_data ? open_population_text(point, comparison.margin)
                                                       : std::string(population_word(point.verdict))});
  table.notes = population_notes(comparison);
  return table;
}

Verdicts verdicts_of(const PopulationComparison& comparison) {
  const Table table = to_table(comparison);
  Verdicts verdicts{.command = "compare", .subject = table.title, .notes = table.notes};
  verdicts.rows.push_back(whole_row(comparison));
  if (comparison.mixed) verdicts.rows.push_back(population_row(comparison, *comparison.mixed));
  for (const PopulationPoint& point : comparison.points)
    verdicts.rows.push_back(population_row(comparison, point));
  for (const UnsharedMetric& metric : comparison.unshared)
    verdicts.rows.push_back({.unit = comparison.b,
                             .kind = "population",
                             .metric = metric.metric,
                             .verdict = Verdict::inconclusive,
                             .because = metric.why,
                             .action = Action::retest});
  verdicts.rows.append(comparison.doubts);
  name_origin(verdicts, comparison.origin);
  settle(verdicts);
  return verdicts;
}

}  // namespace assay::results

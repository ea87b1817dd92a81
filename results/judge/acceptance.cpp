// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/acceptance.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "harness/core/statistics.hpp"
#include "results/measured_together.hpp"

namespace assay::results {
namespace {

void add(Table& table, const char* verdict, const std::string& unit, const std::string& metric,
         const std::string& evidence) {
  table.rows.push_back({std::string(verdict), unit, metric, evidence});
}

/// What the least sensitive of the first looks could see.
std::string power_of(const FleetSuspects& looked) {
  const auto worst =
      std::max_element(looked.looks.begin(), looked.looks.end(),
                       [](const FirstLook& one, const FirstLook& other) { return one.seen < other.seen; });
  if (worst == looked.looks.end()) return "nothing could be held against its equals";
  std::vector<double> seen;
  for (const FirstLook& look : looked.looks) seen.push_back(look.seen);
  return fmt::format(
      "a first look would send a loss of {} to a second look in 99 of 100 cases (median over {} looks; "
      "worst: {} for {} of a {})",
      percent_text(core::quantile_of(seen, 0.5)), looked.looks.size(), percent_text(worst->seen),
      worst->metric, worst->level);
}

}  // namespace

FleetAcceptance accept(const MeasuredFleet& measured, const FleetRules& rules) {
  FleetAcceptance acceptance;
  acceptance.unit_level = measured.first.unit_level;
  acceptance.origin = measured.origin;
  acceptance.rules = rules;
  acceptance.units = measured.first.units.size();
  acceptance.metrics = measured.first.metrics.size();
  acceptance.failed = measured.failed;
  acceptance.missing = measured.missing;
  acceptance.together = measured.together;
  acceptance.looked = first_look(measured.first, rules);
  const auto retests = retests_of(measured.first, measured.again, acceptance.looked.suspects);
  acceptance.confirmed = confirm(retests, rules);
  for (const Retest& retest : retests)
    if (retest.deviations.size() < 2) acceptance.waiting.push_back(retest.suspect);
  return acceptance;
}

Table to_table(const FleetAcceptance& acceptance) {
  Table table{.title = fmt::format("{} {}s, {} points each", acceptance.units, acceptance.unit_level,
                                   acceptance.metrics)};
  using Kind = Column::Kind;
  table.columns = {{.name = "finding", .kind = Kind::word},
                   {.name = "unit", .kind = Kind::word},
                   {.name = "point"},
                   {.name = "evidence"}};
  for (const FailedPoint& point : acceptance.failed)
    add(table, "failed", point.unit, point.metric, point.reason);
  std::size_t cleared = 0;
  for (const Confirmed& one : acceptance.confirmed) {
    cleared += one.fault ? 0 : 1;
    if (one.fault)
      add(table, "slower", one.suspect.place, one.suspect.metric,
          fmt::format("{} slower than its equals, at least {}; {} at first", percent_text(-one.deviation),
                      percent_text(one.at_least), percent_text(-one.suspect.deviation)));
  }
  for (const Suspect& one : acceptance.waiting)
    add(table, "suspect", one.place, one.metric,
        percent_text(-one.deviation) +
            " slower at first; measure it in two more runs, with three sound ones of its kind at the same "
            "time");
  for (const std::string& unit : acceptance.missing)
    add(table, "not measured", unit.substr(0, unit.find(':')), "", unit);
  table.notes = {fmt::format("{}: {} suspects, {} cleared by fresh measurements, {} waiting",
                             to_string(acceptance.verdict()), acceptance.looked.suspects.size(), cleared,
                             acceptance.waiting.size()),
                 power_of(acceptance.looked)};
  if (acceptance.origin != "measured")
    table.notes.push_back(fmt::format("nothing here was measured: every value is {}", acceptance.origin));
  if (acceptance.together > 0) table.notes.push_back(together_note(acceptance.together));
  if (!acceptance.looked.small_blocks.empty())
    table.notes.push_back(fmt::format("fewer than {} of a kind, which cannot be judged: {}", least_equals,
                                      fmt::join(acceptance.looked.small_blocks, ", ")));
  if (!acceptance.looked.too_few.empty())
    table.notes.push_back(
        fmt::format("too few to be held against each other: {}", fmt::join(acceptance.looked.too_few, ", ")));
  return table;
}

std::string percent_text(double fraction) { return fmt::format("{:.2f} %", 100 * fraction); }

std::string_view to_string(Acceptance verdict) {
  switch (verdict) {
    case Acceptance::accepted:
      return "ACCEPTED";
    case Acceptance::refused:
      return "REFUSED";
    case Acceptance::undecided:
      break;
  }
  return "UNDECIDED";
}

}  // namespace assay::results

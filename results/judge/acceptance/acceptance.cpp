// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/acceptance/acceptance.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "harness/core/statistics/statistics.hpp"
#include "harness/core/units.hpp"

namespace assay::results {
namespace {

constexpr std::size_t most_fast_named = 5;

void add_evidence(Table& table, const char* verdict, const std::string& unit, const std::string& metric,
                  const std::string& evidence) {
  table.rows.push_back({std::string(verdict), unit, metric, evidence});
}

const char* word_of_kind(FindingKind kind) {
  if (kind == FindingKind::beyond_site) return "too slow";
  return kind == FindingKind::unlike_equals ? "slower" : "suspect";
}

/// The loss that looks detect in 9 of 10 cases: the median over them, and the least sensitive look.
std::string power_of(const FleetJudgement& judged) {
  const auto worst = std::ranges::max_element(judged.looks, {}, &FleetLook::seen);
  if (worst == judged.looks.end()) return "nothing could be compared with its equals";
  std::vector<double> seen;
  for (const FleetLook& look : judged.looks) seen.push_back(look.seen);
  return fmt::format(
      "a loss of {} fails in 9 of 10 cases (median over {} looks; worst: {} for {} of a {}); with fewer "
      "than three runs it is a suspect",
      percent_text(core::quantile_of(seen, 0.5)), judged.looks.size(), percent_text(worst->seen),
      worst->metric, worst->level);
}

std::string margins_of(const FleetRules& rules) {
  return fmt::format(
      "margin {} against equals, {} for the site; a sound fleet fails with probability {} at most, and one "
      "with a place at its margin passes with {} at most",
      percent_text(rules.margin), percent_text(rules.site_margin), percent_text(rules.family_error),
      percent_text(rules.pass_error));
}

/// The number of undecided values, and the most runs that any look still needs.
std::string open_text(const FleetJudgement& judged) {
  std::int64_t open = 0, places = 0, more = 0;
  for (const FleetLook& look : judged.looks) {
    open += look.undecided, places += look.places;
    if (look.undecided > 0) more = std::max(more, look.more_runs.value_or(0));
  }
  if (open == 0) return "";
  return fmt::format("{} of {} values are not yet shown to be within their margin: {}", open, places,
                     more_runs_text(more > 0 ? std::optional(more) : std::nullopt));
}

/// Values that pass because their equals spread as far, though they are slower than the margin allows.
std::string spread_note(const FleetAcceptance& acceptance) {
  std::int64_t beyond = 0, passed = 0;
  const FleetLook* worst = nullptr;
  for (const FleetLook& look : acceptance.judged.looks) {
    beyond += look.beyond_margin, passed += look.passed;
    if (look.beyond_margin > 0 && (worst == nullptr || look.slowest > worst->slowest)) worst = &look;
  }
  if (worst == nullptr) return "";
  return fmt::format(
      "within the spread of their equals, but slower than the median by more than the margin of {}: {} of {} "
      "values that pass; worst: {} of {} {}s in {}, by {} at most, with a lasting spread of {} (robust "
      "standard deviation)",
      percent_text(acceptance.rules.margin), beyond, passed, worst->beyond_margin, worst->places,
      worst->level, worst->metric, percent_text(worst->slowest), percent_text(worst->lasting));
}

void add_judgement_notes(const FleetJudgement& judged, std::vector<std::string>& notes) {
  notes.push_back(power_of(judged));
  if (std::string open = open_text(judged); !open.empty()) notes.push_back(std::move(open));
  for (const FleetUnlike& one : judged.unlike) notes.push_back(unlike_text(one));
  if (!judged.too_fast.empty()) {
    const auto named = static_cast<std::ptrdiff_t>(std::min(most_fast_named, judged.too_fast.size()));
    notes.push_back(fmt::format("faster than their equals, which moves no limit: {} in all; {}",
                                judged.too_fast.size(),
                                fmt::join(judged.too_fast.begin(), judged.too_fast.begin() + named, "; ")));
  }
  if (!judged.small_blocks.empty())
    notes.push_back(fmt::format("without {} equals on as many hosts, so that they cannot be judged: {}",
                                least_equals, fmt::join(judged.small_blocks, ", ")));
  std::vector<std::string> too_few;
  std::ranges::transform(judged.too_few, std::back_inserter(too_few), &FleetIssue::text);
  if (!too_few.empty())
    notes.push_back(fmt::format("too few to be compared with each other: {}", fmt::join(too_few, ", ")));
}

void add_doubts(Table& table, const FleetAcceptance& acceptance) {
  const MeasuredFleet& measured = acceptance.measured;
  for (const FleetIssue& point : measured.doubted)
    add_evidence(table, "in doubt", point.unit, point.metric, doubt_text(point));
  for (const FleetIssue& point : measured.uneven)
    add_evidence(table, "in doubt", point.unit, point.metric, point.reason);
  for (const FleetClock& one : acceptance.judged.wrong_clocks)
    add_evidence(table, "in doubt", one.place, "", clock_text(one));
  for (const FleetFinding& one : acceptance.slow_under_load)
    add_evidence(table, "under load", one.place, one.metric, finding_text(one));
  for (const FleetIssue& doubt : measured.host_doubts) add_evidence(table, "in doubt", "", "", doubt.reason);
}

std::string shown_text(const FleetFinding& finding) {
  const std::string loss = percent_text(finding.loss) + " slower than its equals";
  const std::string runs = finding.runs < finding.of_runs
                               ? fmt::format("its last {} of {} runs", finding.runs, finding.of_runs)
                               : core::counted(static_cast<std::int64_t>(finding.runs), "run");
  const std::string shown = fmt::format("{} in {}", loss, runs);
  const std::string least = finding.lower ? ", at least " + percent_text(*finding.lower) : "";
  switch (finding.kind) {
    case FindingKind::unlike_equals:
      return shown + least;
    case FindingKind::beyond_site:
      return fmt::format("{}{}: the site tolerates {}", shown, least, percent_text(finding.limit));
    case FindingKind::some_runs:
      return fmt::format("{} in {} of its {} runs{}: {}", loss, finding.runs, finding.of_runs,
                         finding.runs == 1 && !finding.more_runs ? ", in another run by another metric" : "",
                         finding.more_runs ? fmt::format("{} more sound would clear it", *finding.more_runs)
                                           : "no number of sound runs makes up for them");
    case FindingKind::suspect:
      break;
  }
  return fmt::format("{}, which is not yet shown to last: {}", shown, more_runs_text(finding.more_runs));
}

/// Raises the margin to the site's: how the lanes of such a round meet differs from node to node, so that
/// smaller differences show nothing.
FleetRules rules_under_load(FleetRules rules) {
  rules.margin = std::max(rules.margin, rules.site_margin);
  return rules;
}

std::vector<FleetFinding> judge_under_load(std::span<const Fleet> rounds, const FleetRules& rules) {
  if (rounds.empty()) return {};
  FleetJudgement judged = judge_fleet(rounds.front(), rounds.subspan(1), rules_under_load(rules));
  std::erase_if(judged.findings, [](const FleetFinding& one) { return !one.is_fault(); });
  return std::move(judged.findings);
}

}  // namespace

FleetAcceptance accept(MeasuredFleet measured, const FleetRules& rules) {
  FleetJudgement judged = judge_fleet(measured.first, measured.again, rules);
  std::vector<FleetFinding> slow_under_load = judge_under_load(measured.under_load, rules);
  return {std::move(measured), rules, std::move(judged), std::move(slow_under_load)};
}

Table to_table(const FleetAcceptance& acceptance) {
  const MeasuredFleet& measured = acceptance.measured;
  const Fleet& fleet = measured.first;
  Table table{.title = fmt::format("{} {}s, {} points each", fleet.units.size(), fleet.unit_level,
                                   fleet.metrics.size()),
              .origin = measured.origin};
  using Kind = Column::Kind;
  table.columns = {{.name = "finding", .kind = Kind::word},
                   {.name = "unit", .kind = Kind::word},
                   {.name = "point"},
                   {.name = "evidence"}};
  for (const FleetIssue& point : measured.failed)
    add_evidence(table, "failed", point.unit, point.metric, point.reason);
  std::size_t faults = 0;
  for (const FleetFinding& one : acceptance.judged.findings) {
    faults += one.is_fault() ? 1 : 0;
    add_evidence(table, word_of_kind(one.kind), one.place, one.metric, finding_text(one));
  }
  add_doubts(table, acceptance);
  for (const FleetIssue& missing : measured.missing)
    add_evidence(table, "not measured", missing.unit, "", missing.text());
  for (const FleetIssue& gap : measured.gaps) add_evidence(table, "fewer rounds", gap.unit, "", gap.text());
  table.notes = {
      fmt::format("{}: {} slower than their equals, {} suspects, {} runs", to_string(acceptance.verdict()),
                  faults, acceptance.judged.findings.size() - faults, measured.again.size() + 1),
      margins_of(acceptance.rules)};
  if (std::string spread = spread_note(acceptance); !spread.empty()) table.notes.push_back(std::move(spread));
  add_judgement_notes(acceptance.judged, table.notes);
  if (measured.origin != "measured")
    table.notes.push_back(fmt::format("nothing here was measured: every value is {}", measured.origin));
  if (measured.together > 0)
    table.notes.push_back(
        fmt::format("{} points of a burn-in's rounds together are compared with each other only: a unit "
                    "slower than its equals by more than {} is open",
                    measured.together, percent_text(rules_under_load(acceptance.rules).margin)));
  return table;
}

std::string doubt_text(const FleetIssue& doubted) {
  return fmt::format("{} point{} not count: {}", doubted.points, doubted.points == 1 ? " does" : "s do",
                     doubted.reason);
}

std::string clock_text(const FleetClock& clock) {
  const std::string points = clock.points == clock.of_points
                                 ? "all of its " + core::counted(clock.points, "point")
                                 : fmt::format("{} of its {} points", clock.points, clock.of_points);
  return fmt::format("{:.1f} to {:.1f} % faster than its equals in {}", 100 * clock.least, 100 * clock.most,
                     points);
}

std::string unlike_text(const FleetUnlike& one) {
  if (2 * one.slower == one.places || one.run)
    return fmt::format("{} of {} {}s are slower than the rest in {}{}", one.slower, one.places, one.level,
                       one.metric, one.run ? fmt::format(", in run {}", *one.run) : "");
  return fmt::format("{} of {} {}s are unlike the rest in {}, {} of them slower", one.unlike, one.places,
                     one.level, one.metric, one.slower);
}

std::string percent_text(double fraction) { return fmt::format("{:.2f} %", 100 * fraction); }

std::string more_runs_text(const std::optional<std::int64_t>& more) {
  if (!more) return "no number of runs below 100 would decide";
  return "about " + core::counted(*more, "more run") + " would decide";
}

std::string finding_text(const FleetFinding& finding) {
  return shown_text(finding) +
         (finding.explained_by.empty() ? "" : "; " + finding.explained_by + " explains it");
}

}  // namespace assay::results

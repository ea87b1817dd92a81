// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

#include "harness/core/units.hpp"
#include "results/judge/links/slow_elements.hpp"

namespace assay::results {
namespace {

constexpr std::size_t least_lasting_runs = 3;  // with fewer, slowness is not yet shown to last
constexpr double certain = 0.95;

/// One element, in every metric that shows it.
struct Named {
  const SlowElement* best = nullptr;
  std::string metric;  // of `best`
  std::size_t runs = 0, metrics = 0;
};

std::map<std::string, Named> named_elements(const FabricLocation& location,
                                            std::span<const MetricRates> rates, double margin) {
  std::map<std::string, Named> all;
  for (std::size_t at = 0; at < rates.size(); ++at)
    for (const SlowElement& one : location.metrics[at].elements) {
      if (1 - one.upper <= margin) continue;
      Named& named = all[one.name];
      ++named.metrics;
      if (named.best != nullptr && named.best->gain >= one.gain) continue;
      named.best = &one, named.metric = rates[at].metric, named.runs = rates[at].runs;
    }
  return all;
}

/// Findings of the fleets that name the element.
struct Explained {
  std::size_t findings = 0, faults = 0;
};

Explained explained_by(const std::string& element, std::span<const FleetAcceptance> fleets) {
  Explained all;
  for (const FleetAcceptance& fleet : fleets)
    for (const FleetFinding& one : fleet.judged.findings)
      if (one.explained_by == element) ++all.findings, all.faults += one.is_fault() ? 1 : 0;
  return all;
}

Action action_for(const SlowElement& element, Verdict verdict) {
  const bool is_certain = element.next.empty() && element.probability >= certain;
  if (verdict != Verdict::fail || !is_certain) return Action::retest;
  return element.kind == "host" || element.kind == "machine" ? Action::drain : Action::reseat;
}

std::vector<std::string> evidence_of(const SlowElement& element) {
  std::vector<std::string> lines;
  if (!element.not_distinguished.empty())
    lines.push_back("these pairs cannot distinguish it from " + element.not_distinguished);
  for (const std::string& other : element.others) lines.push_back("or " + other);
  for (const std::string& pair : element.next) lines.push_back("measure next: " + pair);
  return lines;
}

VerdictRow row_of(const Named& named, const Explained& explained, double margin) {
  const SlowElement& element = *named.best;
  const bool lasts = named.runs >= least_lasting_runs || explained.faults > 0;
  VerdictRow row{.unit = element.name, .kind = element.kind, .metric = named.metric};
  row.verdict = lasts ? Verdict::fail : Verdict::inconclusive;
  row.value = Number{100 * element.factor, 100 * element.lower, 100 * element.upper};
  row.value_unit = "% of its rate";
  row.limit = VerdictLimit{.lowest = 100 * (1 - margin)};
  row.limit_source = "margin of this command, against what the fabric should do";
  row.n = static_cast<std::int64_t>(element.measurements);
  row.because = fmt::format(
      "keeps {:.1f} % of its rate ({:.1f} to {:.1f}), probability {:.3f}, by chance {:.1g}{}{}",
      100 * element.factor, 100 * element.lower, 100 * element.upper, element.probability, element.chance,
      named.metrics > 1 ? fmt::format("; {} metrics show it", named.metrics) : "",
      explained.findings > 0
          ? "; explains " + core::counted(static_cast<std::int64_t>(explained.findings), "finding")
          : "");
  row.evidence = evidence_of(element);
  row.meaning = lasts ? "pairs that cross it are slow, and no other element explains them as well"
                      : "slow in fewer than three runs, which is not yet shown to last";
  row.action = action_for(element, row.verdict);
  return row;
}

VerdictRow row_of_unknown(const FabricLocation& location) {
  return {.kind = "fabric",
          .metric = location.fabric,
          .verdict = Verdict::inconclusive,
          .because = fmt::format("the fabric has no host {}: expected each host of the records, in its key "
                                 "nodes or in --topology",
                                 fmt::join(location.unknown_hosts, ", ")),
          .meaning = "pairs of a host whose place is unknown say nothing of cables",
          .action = Action::configure};
}

std::string note_of(const FabricLocation& location, std::size_t elements) {
  std::string note = fmt::format(
      "{}: {} by {} flows, {} of known paths", location.fabric,
      elements == 0 ? "no element is shown to be slow"
                    : core::counted(static_cast<std::int64_t>(elements), "slow element") + " located",
      location.flows, location.known_paths);
  if (location.unseen_links > 0)
    note += fmt::format("; {} of {} links are crossed by none, and nothing is known of them",
                        location.unseen_links, location.links);
  if (!location.ports_left_out.empty())
    note += "; ports are recorded and left out: " + location.ports_left_out;
  for (const std::string& one : location.assumed) note += "; " + one;
  return note;
}

}  // namespace

Verdicts verdicts_of(const FabricLocation& location, std::span<const MetricRates> rates,
                     std::span<const FleetAcceptance> fleets, const FleetRules& rules) {
  Verdicts verdicts{.command = "accept", .subject = "fabric"};
  std::vector<Named> sorted;
  for (const auto& [name, named] : named_elements(location, rates, rules.margin)) sorted.push_back(named);
  std::ranges::stable_sort(sorted, std::greater(), [](const Named& one) { return one.best->gain; });
  for (const Named& named : sorted)
    verdicts.rows.push_back(row_of(named, explained_by(named.best->name, fleets), rules.margin));
  verdicts.notes = {note_of(location, sorted.size())};
  if (!location.unknown_hosts.empty()) verdicts.rows.push_back(row_of_unknown(location));
  settle(verdicts);
  return verdicts;
}

Table table_of_elements(const Verdicts& verdicts) {
  using Kind = Column::Kind;
  Table table{.title = "slow elements of the fabric",
              .notes = verdicts.notes,
              .columns = {{.name = "verdict", .kind = Kind::word},
                          {.name = "element", .kind = Kind::word},
                          {.name = "kind", .kind = Kind::word},
                          {.name = "evidence"},
                          {.name = "point"}}};
  for (const VerdictRow& row : verdicts.rows) {
    table.rows.push_back({std::string(word_of(row)), row.unit, row.kind, row.because, row.metric});
    for (const std::string& line : row.evidence) table.notes.push_back(row.unit + ": " + line);
  }
  return table;
}

}  // namespace assay::results

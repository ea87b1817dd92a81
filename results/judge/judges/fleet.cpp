// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The units of a fleet compared with their equals, and with what the site tolerates.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

#include "harness/core/error.hpp"
#include "results/judge/acceptance/acceptance.hpp"
#include "results/judge/judges.hpp"
#include "results/judge/links/link_attribution.hpp"

namespace assay::results {
namespace {

/// "h0" of "h0/gpu3".
std::set<std::string> hosts_of(const DigestGroup& group) {
  std::set<std::string> hosts;
  for (const UnitDigest& one : group.digests()) hosts.insert(one.unit.substr(0, one.unit.find('/')));
  return hosts;
}

/// Whether all units of the group are on one host though others measured the point: its GPUs cannot vouch for
/// each other, as what set the host apart may have changed them all.
bool vouches_for_itself(const std::vector<DigestGroup>& groups, const DigestGroup& group) {
  const std::set<std::string> hosts = hosts_of(group);
  return hosts.size() == 1 && std::ranges::any_of(groups, [&](const DigestGroup& other) {
           return other.point == group.point && hosts_of(other).size() > 1;
         });
}

/// Adds a unit without a digest, and one that has no equals because it runs another assay or library.
void add_unheld(const std::vector<DigestGroup>& groups, const DigestGroup& group, DigestFindings& findings) {
  const bool any = std::ranges::any_of(groups, [&](const DigestGroup& other) {
    return other.point == group.point && other.units() > fewest_agreeing;
  });
  if (!any) return;  // too small a fleet, which the judge of fleets says, or no digest at all
  for (const std::string& unit : group.units_without())
    findings.undecided.push_back(
        {.unit = unit, .reason = fmt::format("{} has no digest, others have one", group.point)});
  if (group.units() > fewest_agreeing) {
    if (vouches_for_itself(groups, group))
      findings.undecided.push_back(
          {.unit = *hosts_of(group).begin(),
           .reason = fmt::format("the digests of {} have no equals on another host of the same {}",
                                 group.point, group.hardware)});
    return;
  }
  std::set<std::string> alone;
  for (const UnitDigest& unit : group.digests()) alone.insert(unit.unit);
  for (const std::string& unit : alone)
    findings.undecided.push_back({.unit = unit,
                                  .reason = fmt::format("the digest of {} has no {} equals of the same {}",
                                                        group.point, fewest_agreeing, group.hardware)});
}

/// Points that exist to compare digests, and of which no unit has one.
void add_points_without(const std::vector<DigestGroup>& groups, const std::string& unit_level,
                        DigestFindings& findings) {
  std::map<std::string, std::size_t> with, without;
  for (const DigestGroup& group : groups) {
    if (group.unit_level != unit_level) continue;
    with[group.point] += group.units();
    without[group.point] += group.units_without().size();
  }
  for (const auto& [point, units] : without)
    if (units > 0 && with.at(point) == 0)
      findings.undecided.push_back(
          {.unit = point, .reason = fmt::format("none of {} units has a digest", units)});
}

/// Locates slow elements of the fabric and names them in the findings they explain. Nothing without a fabric.
std::optional<Judged> judge_elements(const Evidence& evidence, std::vector<FleetAcceptance>& accepted) {
  const auto fabrics = evidence.files_of("fabric"), topologies = evidence.files_of("topology");
  if (fabrics.empty() && topologies.empty()) return std::nullopt;
  if (fabrics.empty())
    core::usage_error("--topology: expected --fabric FILE with it, by whose rules paths are computed");
  if (!evidence.models.locate)
    throw std::runtime_error("fabric: there is no model to locate slow elements by");
  const std::vector<MetricRates> rates = pair_rates(evidence.store, evidence.order.filter);
  const FabricFiles files{fabrics.front(),
                          topologies.empty() ? std::nullopt : std::optional(topologies.front())};
  const FabricLocation location = evidence.models.locate(files, rates);
  name_elements(location, rates, accepted);
  Verdicts verdicts = verdicts_of(location, rates, accepted, evidence.order.rules);
  Table table = table_of_elements(verdicts);
  const bool only_notes = verdicts.rows.empty();
  return Judged{std::move(verdicts), std::move(table), only_notes};
}

void excuse_small_fleets(const Evidence& evidence, std::vector<FleetAcceptance>& accepted) {
  const bool any_small = std::ranges::any_of(
      accepted, [](const FleetAcceptance& one) { return !one.judged.small_blocks.empty(); });
  if (!any_small || !limits_judge_every_point(evidence)) return;
  for (FleetAcceptance& one : accepted) one.has_limits = true;
}

/// Excused where all of it is judged by limits alone.
Judged judged(const FleetAcceptance& accepted) {
  Verdicts verdicts = verdicts_of(accepted);
  const bool is_excused = accepted.has_limits && verdicts.verdict == Verdict::not_run;
  return {std::move(verdicts), to_table(accepted), is_excused};
}

std::vector<Judged> judge_fleets(const Evidence& evidence) {
  std::vector<Judged> all;
  if (!evidence.order.accept) return all;
  FleetPlaces places;
  for (const EvidenceFile& file : evidence.files_of("places"))
    places = file.content ? places_in(*file.content, file.name) : read_places(file.name);
  std::vector<MeasuredFleet> fleets = read_fleet(evidence.store, evidence.order.filter, places);
  add_digest_findings(evidence.store, fleets);
  std::vector<FleetAcceptance> fleets_accepted = accept_all(std::move(fleets), evidence.order.rules);
  excuse_small_fleets(evidence, fleets_accepted);
  if (auto elements = judge_elements(evidence, fleets_accepted)) all.push_back(std::move(*elements));
  for (const FleetAcceptance& accepted : fleets_accepted) all.push_back(judged(accepted));
  return all;
}

}  // namespace

DigestFindings judge_digests(const std::vector<DigestGroup>& groups, const std::string& unit_level) {
  DigestFindings findings;
  for (const DigestGroup& group : groups) {
    if (group.unit_level != unit_level) continue;
    std::set<std::pair<std::string, std::string>> named;  // a unit may give its digest in many runs
    for (const UnitDigest& unit : group.digests())
      if (verdict_of(group, unit) == DigestVerdict::differs && named.emplace(unit.unit, unit.digest).second)
        findings.faults.push_back(
            {unit.unit, group.point,
             fmt::format("digest {} {}, {}", unit.digest, explain(group, unit), group.hardware)});
    const bool differ = std::ranges::any_of(
        group.digests(), [&](const UnitDigest& one) { return one.digest != group.digests().front().digest; });
    if (differ && !group.majority())
      findings.undecided.push_back(
          {.unit = group.point,
           .reason = fmt::format("no majority among the digests of {} equals", group.units())});
    add_unheld(groups, group, findings);
  }
  add_points_without(groups, unit_level, findings);
  return findings;
}

void add_digest_findings(const Store& store, std::vector<MeasuredFleet>& fleets) {
  std::vector<StoredRun> runs = whole_runs(store);
  std::ranges::reverse(runs);
  std::vector<DigestGroup> groups = digest_groups(store, runs, "*.corruption");
  std::ranges::move(digest_groups(store, runs, "collectives.training.*"), std::back_inserter(groups));
  for (MeasuredFleet& fleet : fleets) {
    DigestFindings findings = judge_digests(groups, fleet.first.unit_level);
    std::ranges::move(findings.faults, std::back_inserter(fleet.failed));
    std::ranges::move(findings.undecided, std::back_inserter(fleet.missing));
  }
}

Judge fleet_judge() {
  return {
      "accept",
      {{.kind = JudgeInput::Kind::data_files,
        .name = "places",
        .flag = "--places",
        .about = "where hosts, GPUs and ports are (CSV: host,rack,switch ... or host,gpu,port,rail ...)",
        .called = "the places of hosts",
        .only_one = true},
       {.kind = JudgeInput::Kind::data_files,
        .name = "fabric",
        .flag = "--fabric",
        .about =
            "who is wired to whom (TOML, docs/fabric.md), to name the cable, switch or host of slow pairs",
        .called = "the fabric",
        .only_one = true},
       {.kind = JudgeInput::Kind::data_files,
        .name = "topology",
        .flag = "--topology",
        .about = "with --fabric, instead of its own: ibnetdiscover, lldp or slurm",
        .called = "the topology of the fabric",
        .only_one = true,
        .tagged = true}},
      judge_fleets};
}

}  // namespace assay::results

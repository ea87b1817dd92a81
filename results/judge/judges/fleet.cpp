// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The units of a fleet held against their equals, and against what the site tolerates.
#include "results/judge/acceptance.hpp"
#include "results/judge/digests.hpp"
#include "results/judge/judges.hpp"

namespace assay::results {
namespace {

std::vector<Judged> judge_fleets(const Evidence& evidence) {
  std::vector<Judged> all;
  if (!evidence.order.accept) return all;
  FleetPlaces places;
  for (const std::string& file : evidence.files_of("places")) places = read_places(file);
  std::vector<MeasuredFleet> fleets = read_fleet(evidence.store, evidence.order.filter, places);
  add_digest_findings(evidence.store, fleets);
  for (const MeasuredFleet& fleet : fleets) {
    const FleetAcceptance accepted = accept(fleet, evidence.order.rules);
    all.push_back({verdicts_of(accepted), to_table(accepted)});
  }
  return all;
}

}  // namespace

Judge fleet_judge() {
  return {
      "accept",
      {{.kind = JudgeInput::Kind::data_files,
        .name = "places",
        .flag = "--places",
        .about = "where hosts, GPUs and ports stand (CSV: host,rack,switch ... or host,gpu,port,rail ...)",
        .called = "the places of hosts",
        .otherwise = "",
        .only_one = true}},
      judge_fleets};
}

}  // namespace assay::results

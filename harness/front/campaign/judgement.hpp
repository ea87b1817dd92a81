// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A campaign's evidence judged: what nodes said of themselves, and every judge over the records of all.
#pragma once

#include <string>
#include <vector>

#include "harness/front/campaign/nodes/roster.hpp"
#include "harness/front/campaign/site.hpp"
#include "results/judge/verdict/verdicts.hpp"

namespace assay::campaign {

struct CampaignJudgement {
  results::Verdicts verdicts;
  std::string text;  // tables for people
};

/// Imports what is new into the campaign's store, and judges. Hosts are compared with each other where there
/// are enough (results/judge/fleet/fleet_judgement.hpp), with errors that are shared over the stage's
/// retests. Writes nodes.json, which a bundle holds, and verdicts.json.
CampaignJudgement judge_campaign(const Site& site, const Stage& stage, const Roster& roster,
                                 const std::vector<results::VerdictRow>& fabric);

/// Nodes to measure again: those that are not decided yet (results/judge/links/measure_again.hpp), with sound
/// partners. Empty where all is decided, or no number of runs is in sight.
struct Retest {
  std::vector<std::string> suspects, partners, partners_in_pairs;
};
Retest retest_of(const Site& site, const Stage& stage, const Roster& roster);

/// report.html and bundle.tar; returns lines for people.
std::string write_report_and_bundle(const Site& site, const Stage& stage, const Roster& roster,
                                    const results::Verdicts& verdicts);

std::filesystem::path store_of(const Site& site);

}  // namespace assay::campaign

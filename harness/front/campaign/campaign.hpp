// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// `assay campaign`: the stages of a campaign on many nodes, from a first look to verdicts, report and bundle
// in one folder. A node that is lost is named, and the others continue.
#pragma once

#include <atomic>
#include <filesystem>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/front/campaign/fit_stage.hpp"
#include "harness/front/suite/processes/launcher.hpp"
#include "results/judge/judges.hpp"

namespace assay::campaign {

struct CampaignOptions {
  std::string campaign = {};          // path or name; empty when resuming
  std::filesystem::path folder = {};  // <folder>/<id> holds all of a campaign
  std::string id = {};                // empty: a new one, or the latest when resuming
  bool resume = false;
  std::string nodes = {}, host_file = {};
  std::string expectation = {};        // file for assay check --expect
  std::optional<std::string> as = {};  // "h100x8": show_campaign() counts for such nodes
  suite::LauncherFlags launcher = {};
  std::string program = {};             // assay as nodes see it; empty: this program
  std::filesystem::path programs = {};  // of the modules, if not in the folder of assay
  double silence_s = 120;               // after which a node is lost
  results::JudgeOrder order = {};
  std::map<std::string, std::vector<std::string>> files = {};  // of judges, by input
  results::Models models = {};
  FitCoefficients fit = {};
};

struct CampaignOutcome {
  int exit_code = 0;  // the verdict's, or 4: interrupted
  std::string id;
  results::Verdicts verdicts;
};

/// Throws a usage Error on bad input, before anything runs. `signals` counts interrupts, `out` takes what
/// people read.
CampaignOutcome run_campaign(const CampaignOptions& options, const std::atomic<int>& signals,
                             std::ostream& out);

struct CampaignSize {
  std::size_t nodes = 0;
  double round_s = 0;  // at most, of one run of all stages on each node
};

/// Prints nodes, stages, the command of each and the time that it takes, and runs nothing.
CampaignSize show_campaign(const CampaignOptions& options, const std::atomic<int>& signals,
                           std::ostream& out);

}  // namespace assay::campaign

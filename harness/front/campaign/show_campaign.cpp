// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// `assay campaign --dry-run`: everything that would be started, and how long it takes.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <ostream>
#include <sstream>
#include <string>

#include "harness/core/text/shell_words.hpp"
#include "harness/core/units.hpp"
#include "harness/front/campaign/campaign.hpp"
#include "harness/front/campaign/estimate.hpp"
#include "harness/front/campaign/group_run.hpp"
#include "harness/front/campaign/site.hpp"
#include "harness/front/suite/processes/launcher.hpp"

namespace assay::campaign {
namespace {

std::string command_text(const std::string& program, const std::vector<std::string>& words) {
  std::vector<std::string> command{program};
  command.insert(command.end(), words.begin(), words.end());
  return core::shell_text(command);
}

class Shown {
 public:
  Shown(const Site& site, const std::atomic<int>& signals, std::ostream& out)
      : site_(site), node_(assumed_nodes(site)), signals_(signals), out_(out) {
    if (node_) out_ << "counted " << suite::to_text(*node_) << "\n";
  }

  void stage(const Stage& stage) {
    out_ << fmt::format("\n{} ({})\n", stage.name, stage.where);
    if (stage.kind == StageKind::judge) {
      out_ << fmt::format("  judge all of it; {} retests of what is not decided at most\n", stage.retests);
      if (first_verdict_s_ == 0) first_verdict_s_ = seconds_;
      return;
    }
    if (stage.kind == StageKind::fit) {
      out_ << "  fit coefficients to one node and the groups that it was in\n";
      return;
    }
    const Estimate one = estimate_of(site_, stage, node_, signals_);
    double seconds = one.seconds * stage.work.runs;
    if (stage.kind == StageKind::nodes) {
      nodes_commands(stage);
      round_s_ += one.seconds;
    } else {
      seconds *= static_cast<double>(groups_commands(stage));
    }
    const double node_hours = seconds * static_cast<double>(site_.nodes.size()) / 3600;
    out_ << fmt::format("  {} points, at most {} on each node, {:.2f} node-hours\n",
                        one.points * stage.work.runs, core::format_seconds(seconds), node_hours);
    std::istringstream absences(machine::to_text(one.left_out));
    for (std::string absence; std::getline(absences, absence);)
      out_ << fmt::format("  counted on this host: {}\n", absence);
    seconds_ += seconds;
  }

  CampaignSize end() {
    if (first_verdict_s_ > 0)
      out_ << fmt::format("\nfirst verdict after at most {}\n", core::format_seconds(first_verdict_s_));
    out_ << fmt::format("all stages: at most {}, {:.2f} node-hours, retests not counted\n",
                        core::format_seconds(seconds_),
                        seconds_ * static_cast<double>(site_.nodes.size()) / 3600);
    return {.nodes = site_.nodes.size(), .round_s = round_s_};
  }

 private:
  void nodes_commands(const Stage& stage) {
    for (int run = 1; run <= stage.work.runs; ++run)
      for (const Step& step : order_of(stage, run, site_.extras()).steps)
        out_ << fmt::format("  on each node: {}\n", command_text(site_.program, step.words));
  }

  /// Number of rounds.
  std::size_t groups_commands(const Stage& stage) {
    if (stage.kind == StageKind::grow) return grow_commands(stage);
    const auto rounds = groups_of(stage, site_.nodes);
    for (std::size_t round = 0; round < rounds.size(); ++round)
      for (int run = 1; run <= stage.work.runs; ++run)
        for (const Group& group : rounds[round])
          out_ << fmt::format("  round {}: {}\n", round + 1,
                              core::shell_text(group_command(site_, stage, run, group, false)));
    if (rounds.empty()) out_ << "  these nodes form no group\n";
    return rounds.size();
  }

  /// Number of tests where nothing fails.
  std::size_t grow_commands(const Stage& stage) {
    const int passes = passes_needed(stage.sound_set);
    out_ << fmt::format("  test 1: {}\n  {} tests if all pass, more for each defect\n",
                        core::shell_text(group_command(site_, stage, 1, site_.nodes, false)), passes);
    return static_cast<std::size_t>(passes);
  }

  const Site& site_;
  std::optional<suite::AssumedNode> node_;
  const std::atomic<int>& signals_;
  std::ostream& out_;
  double seconds_ = 0, first_verdict_s_ = 0, round_s_ = 0;
};

}  // namespace

CampaignSize show_campaign(const CampaignOptions& options, const std::atomic<int>& signals,
                           std::ostream& out) {
  const Site site = site_of(options);
  refuse_impossible_stages(site);
  out << fmt::format("campaign {}: {}\n", site.campaign.name, site.campaign.about);
  out << fmt::format("nodes: {}\n", fmt::join(site.nodes, " "));
  Shown shown(site, signals, out);
  for (const Stage& stage : site.campaign.stages) shown.stage(stage);
  return shown.end();
}

}  // namespace assay::campaign

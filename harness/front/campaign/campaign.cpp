// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/campaign/campaign.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>
#include <ostream>

#include "harness/core/files/whole_file.hpp"
#include "harness/core/process/exit_code.hpp"
#include "harness/core/text/log_lines.hpp"
#include "harness/core/units.hpp"
#include "harness/front/campaign/estimate.hpp"
#include "harness/front/campaign/fabric_stage.hpp"
#include "harness/front/campaign/grow/grow_stage.hpp"
#include "harness/front/campaign/judgement.hpp"
#include "harness/front/campaign/nodes/ask_nodes.hpp"
#include "harness/front/campaign/nodes/groups.hpp"
#include "harness/front/campaign/nodes/node_agent.hpp"
#include "harness/front/campaign/nodes/roster.hpp"
#include "harness/front/campaign/progress.hpp"
#include "harness/front/campaign/site.hpp"
#include "harness/front/suite/kept_plan.hpp"
#include "harness/front/suite/run_lock.hpp"
#include "harness/front/suite/text_in.hpp"

namespace assay::campaign {
namespace {

namespace fs = std::filesystem;

constexpr double lock_patience_s = 60;

/// Nodes of earlier starts of this campaign, a name a line.
std::vector<std::string> with_earlier_nodes(const Site& site) {
  std::vector<std::string> all = site.nodes;
  std::ifstream kept(site.folder / "nodes.txt");
  for (std::string node; std::getline(kept, node);)
    if (std::ranges::find(all, node) == all.end()) all.push_back(node);
  return all;
}

class Coordinator {
 public:
  Coordinator(Site site, const std::atomic<int>& signals, std::ostream& out)
      : site_(std::move(site)),
        signals_(signals),
        out_(out),
        all_nodes_(with_earlier_nodes(site_)),
        roster_(all_nodes_) {}

  CampaignOutcome run() {
    keep();
    out_ << fmt::format("campaign {}: {} on {}", site_.id, site_.campaign.name,
                        core::counted(std::ssize(site_.nodes), "node"))
         << core::LogFields{{"campaign", site_.id}, {"nodes", std::int64_t{std::ssize(site_.nodes)}}} << "\n";
    look();
    for (const Stage& stage : site_.campaign.stages)
      if (signals_ == 0) run_stage(stage);
    if (signals_ == 0 && (site_.campaign.stages.back().kind != StageKind::judge)) judge(last_judge());
    if (signals_ > 0) return interrupted();
    out_ << write_report_and_bundle(site_, last_judge(), roster_, outcome_.verdicts);
    const std::string verdict(to_string(outcome_.verdicts.verdict));
    out_ << fmt::format("verdict  {}", verdict)
         << core::LogFields{{"campaign", site_.id}, {"verdict", verdict}} << "\n";
    outcome_.id = site_.id;
    outcome_.exit_code = exit_code_of(outcome_.verdicts.verdict);
    return outcome_;
  }

 private:
  /// Keeps what a resume and nodes need: the campaign, its nodes, and a word that only this folder holds.
  void keep() {
    fs::create_directories(site_.nodes_folder());
    const auto write = [&](const char* name, const std::string& text) {
      core::write_whole_file((site_.folder / name).string(), text);
    };
    nonce_ = suite::new_run_name();
    write("nodes.txt", fmt::format("{}\n", fmt::join(all_nodes_, "\n")));
    write("nonce", nonce_);
    if (!site_.options.resume) keep_campaign(site_.campaign, site_.folder.string());
  }

  NodeAnswers ask(const std::vector<std::string>& nodes, Order order, double expected_s,
                  std::size_t nodes_a_launcher = 0) {
    order.nodes_folder = site_.nodes_folder().string();
    order.nonce = nonce_;
    Progress progress(order.stage, expected_s, out_);
    const Asking asking{.launcher = site_.launcher,
                        .program = site_.program,
                        .nodes_folder = site_.nodes_folder(),
                        .silence_s = site_.options.silence_s,
                        .nodes_a_launcher = nodes_a_launcher,
                        .progress = [&](const NodeAnswers& answers) { progress.show(answers); }};
    return ask_nodes(asking, nodes, order, signals_);
  }

  /// A node whose process was killed continues where it stopped, and one whose files did not arrive sends
  /// them. A launcher may start none where one node is down, or end all where one fails: each start has fewer
  /// nodes, at last one.
  NodeAnswers ask_again_if_need_be(const std::vector<std::string>& nodes, const Order& order,
                                   double expected_s) {
    constexpr std::size_t parts = 8;
    NodeAnswers answers = ask(nodes, order, expected_s);
    const bool alone = site_.launcher.engine == suite::Engine::local;
    std::size_t size = alone ? 1 : nodes.size();
    for (bool more = true; more && signals_ == 0; more = size > 1) {
      const std::vector<std::string> open = answers.incomplete();
      if (open.empty() || (alone && order.steps.empty())) break;
      size = std::min((size + parts - 1) / parts, open.size());
      out_ << fmt::format("{}: asking {} again\n", order.stage, names_text(open));
      answers.take_over(ask(open, order, expected_s, size));
    }
    return answers;
  }

  static std::string names_text(const std::vector<std::string>& nodes) {
    constexpr std::size_t shown = 8;
    if (nodes.size() <= shown) return fmt::format("{}", fmt::join(nodes, ", "));
    return fmt::format("{} and {} more", fmt::join(nodes.begin(), nodes.begin() + shown, ", "),
                       nodes.size() - shown);
  }

  void look() {
    const NodeAnswers answers = ask_again_if_need_be(site_.nodes, {.stage = "look"}, 0);
    if (signals_ > 0) return;
    roster_.take_look(answers);
    for (const auto& [node, state] : answers.states())
      if (state.end && !state.end->shared) site_.apart.insert(node);
    site_.rails = roster_.usual_rails();
    for (const std::string& node : all_nodes_)
      if (std::ranges::find(site_.nodes, node) == site_.nodes.end())
        roster_.leave_out(node, "not among the nodes of this start");
    for (const std::string& stranger : answers.strangers())
      out_ << fmt::format("{} answered and is not one of the nodes\n", stranger);
    for (const auto& [node, record] : roster_.nodes())
      if (!record.left_out.empty()) out_ << fmt::format("{}: {}\n", node, record.left_out);
  }

  void run_stage(const Stage& stage) {
    if (stage.kind == StageKind::judge) return judge_and_retest(stage);
    if (stage.kind == StageKind::fit) return fit(stage);
    if (stage.kind == StageKind::grow) return grow(stage);
    for (int run = 1; run <= stage.work.runs && signals_ == 0; ++run) run_once(stage, run, roster_.present());
  }

  void run_once(const Stage& stage, int run, const std::vector<std::string>& nodes) {
    if (nodes.empty()) return;
    if (stage.kind == StageKind::fabric) {
      std::ranges::move(run_fabric_stage(site_, stage, run, nodes, signals_, out_),
                        std::back_inserter(stage_rows_));
      return;
    }
    measure_nodes(order_of(stage, run, site_.extras()), nodes, stage);
  }

  /// Takes the outcomes that an earlier start collected whole, also of nodes that are no longer there;
  /// returns the nodes that must still be asked.
  std::vector<std::string> take_collected(const std::string& stage_run,
                                          const std::vector<std::string>& nodes) {
    std::vector<std::string> rest;
    for (const std::string& node : nodes) {
      const auto kept = outcome_from(suite::text_in(site_.nodes_folder() / node / outcome_file(stage_run)));
      if (kept)
        roster_.take_outcome(node, stage_run, *kept);
      else
        rest.push_back(node);
    }
    return rest;
  }

  void measure_nodes(const Order& order, const std::vector<std::string>& nodes, const Stage& stage) {
    const std::vector<std::string> rest = take_collected(order.stage, nodes);
    if (rest.empty()) return;
    out_ << fmt::format("{}: {}\n", order.stage, core::counted(std::ssize(rest), "node"));
    out_.flush();
    const double expected_s = estimate_of(site_, stage, assumed_nodes(site_), signals_).seconds;
    const NodeAnswers answers = ask_again_if_need_be(rest, order, expected_s);
    if (signals_ == 0) roster_.take_stage(order.stage, answers);
  }

  void grow(const Stage& stage) {
    std::ranges::move(run_grow_stage(site_, stage, roster_.present(), signals_, out_),
                      std::back_inserter(stage_rows_));
  }

  void fit(const Stage& stage) {
    out_ << fmt::format("{}: coefficients\n", stage.name);
    out_.flush();
    std::ranges::move(run_fit_stage(site_, stage, roster_.present(), out_), std::back_inserter(stage_rows_));
  }

  void judge(const Stage& stage) {
    const CampaignJudgement judgement = judge_campaign(site_, stage, roster_, stage_rows_);
    out_ << fmt::format("{}: {}\n{}", stage.name.empty() ? "judge" : stage.name,
                        to_string(judgement.verdicts.verdict), judgement.text);
    out_.flush();
    outcome_.verdicts = judgement.verdicts;
  }

  /// Suspects are measured again, each together with nodes that are proven, until all is decided or the
  /// number of runs that the stage allows is reached.
  void judge_and_retest(const Stage& stage) {
    judge(stage);
    for (int retest = 1; retest <= stage.retests && signals_ == 0; ++retest) {
      const Retest nodes = retest_of(site_, stage, roster_);
      if (nodes.suspects.empty()) return;
      out_ << fmt::format("retest {} of {} at most: {} not decided, {} sound with them\n", retest,
                          stage.retests, nodes.suspects.size(), nodes.partners.size());
      for (const Stage& earlier : site_.campaign.stages) {
        if (&earlier == &stage) break;
        measure_again(earlier, earlier.work.runs + retest, nodes);
      }
      if (signals_ == 0) judge(stage);
    }
  }

  void measure_again(const Stage& stage, int run, const Retest& nodes) {
    if (!is_measured_again(stage)) return;
    if (stage.kind == StageKind::fabric) {
      std::ranges::move(
          measure_groups(site_, stage, run, retest_groups_of(stage, nodes.suspects, nodes.partners_in_pairs),
                         signals_, out_),
          std::back_inserter(stage_rows_));
      return;
    }
    std::vector<std::string> measured = nodes.suspects;
    measured.insert(measured.end(), nodes.partners.begin(), nodes.partners.end());
    run_once(stage, run, measured);
  }

  const Stage& last_judge() const {
    static const Stage none{.name = "", .kind = StageKind::judge};
    for (auto stage = site_.campaign.stages.rbegin(); stage != site_.campaign.stages.rend(); ++stage)
      if (stage->kind == StageKind::judge) return *stage;
    return none;
  }

  CampaignOutcome interrupted() {
    out_ << fmt::format("interrupted: continue with `assay campaign --resume --campaign-id {} --out {}`\n",
                        site_.id, site_.folder.parent_path().string());
    outcome_.id = site_.id;
    outcome_.exit_code = core::exit_code::interrupted;
    return outcome_;
  }

  Site site_;
  const std::atomic<int>& signals_;
  std::ostream& out_;
  std::vector<std::string> all_nodes_;
  Roster roster_;
  std::string nonce_;
  std::vector<results::VerdictRow> stage_rows_;  // of stages between nodes and of fits
  CampaignOutcome outcome_;
};

}  // namespace

CampaignOutcome run_campaign(const CampaignOptions& options, const std::atomic<int>& signals,
                             std::ostream& out) {
  Site site = site_of(options);
  refuse_impossible_stages(site);
  suite::forget_own_rank();
  suite::hand_on_team_key(site.launcher);
  const suite::RunLock lock(site.folder, lock_patience_s, signals);
  return Coordinator(std::move(site), signals, out).run();
}

}  // namespace assay::campaign

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/campaign/judgement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "harness/core/files/whole_file.hpp"
#include "harness/core/version.hpp"
#include "harness/front/campaign/collected.hpp"
#include "harness/front/campaign/nodes/groups.hpp"
#include "results/bundle/judgement.hpp"
#include "results/bundle/stored_lines.hpp"
#include "results/judge/fleet/repeated_looks.hpp"
#include "results/judge/links/link_attribution.hpp"
#include "results/judge/links/measure_again.hpp"
#include "results/report/fleet.hpp"
#include "results/store/store.hpp"
#include "results/store/stored_points.hpp"

namespace assay::campaign {
namespace {

namespace fs = std::filesystem;
using results::Verdict;
using results::VerdictRow;

constexpr std::size_t rows_shown = 40;

using InputFiles = std::map<std::string, std::vector<std::string>, std::less<>>;

/// Input files of the judges: from the command line and the stage, and the campaign's own rows.
InputFiles inputs_of(const Site& site, const Stage& stage) {
  InputFiles files;
  for (const auto& [input, names] : site.options.files)
    for (const std::string& name : names) files[input].push_back(name);
  for (const std::string& name : stage.limits) files["limits"].push_back(name);
  if (const auto fabric = fabric_of(site, stage)) {
    files["fabric"] = {fabric->fabric.name};
    if (fabric->topology) files["topology"] = {fabric->topology->name};
  }
  files["checks"].push_back((site.folder / "nodes.json").string());
  return files;
}

std::size_t hosts_with_records(const Roster& roster) {
  return static_cast<std::size_t>(std::ranges::count_if(roster.nodes(), [](const auto& one) {
    return std::ranges::any_of(one.second.outcomes, [](const auto& outcome) {
      return std::ranges::any_of(outcome.second.steps,
                                 [](const StepEnd& step) { return step.step != "check"; });
    });
  }));
}

/// Hosts that are too few cannot be compared with each other; their own checks and burn-ins count.
bool compares_hosts(const Roster& roster) { return hosts_with_records(roster) >= results::least_equals; }

/// Looks after the rounds of earlier stages, and after each retest.
results::Looks looks_of(const Site& site, const Stage& stage) {
  int first = 0;
  for (const Stage& earlier : site.campaign.stages) {
    if (earlier.name == stage.name) break;
    if (is_measured_again(earlier))
      first = first == 0 ? earlier.work.runs : std::min(first, earlier.work.runs);
  }
  const auto rounds = static_cast<std::size_t>(std::max(first, 1));
  return {rounds, rounds + static_cast<std::size_t>(stage.retests)};
}

results::JudgeOrder order_of_judges(const Site& site, const Stage& stage, const Roster& roster) {
  results::JudgeOrder order = site.options.order;
  order.accept = compares_hosts(roster);
  order.rules = results::rules_of_each_look(order.rules, looks_of(site, stage));
  return order;
}

std::string looks_note(const Site& site, const Stage& stage) {
  const results::Looks looks = looks_of(site, stage);
  const results::FleetRules& rules = site.options.order.rules;
  return fmt::format(
      "decided hosts are not measured again; over all looks, after {} to {} rounds, a sound fleet fails with "
      "probability {} at most, and one with a place at its margin passes with {} at most",
      looks.first, looks.last, results::percent_text(rules.family_error),
      results::percent_text(rules.pass_error));
}

results::Verdicts verdicts_of_nodes(const Site& site, const Stage& stage, const Roster& roster,
                                    const std::vector<VerdictRow>& fabric) {
  results::Verdicts verdicts{.command = "campaign", .subject = site.campaign.name};
  verdicts.rows = roster.rows();
  verdicts.rows.append(node_verdicts(roster, site.nodes_folder()));
  verdicts.rows.append(fabric);
  if (!compares_hosts(roster))
    verdicts.notes.push_back(
        fmt::format("{} hosts were measured: not compared with each other, which takes {}",
                    hosts_with_records(roster), results::least_equals));
  else if (stage.retests > 0)
    verdicts.notes.push_back(looks_note(site, stage));
  settle(verdicts);
  return verdicts;
}

std::string text_of_rows(const results::Verdicts& verdicts) {
  std::size_t bad = 0;
  std::string text;
  for (std::size_t at = 0; at < verdicts.rows.size(); ++at) {
    const results::VerdictMark mark = verdicts.rows.mark(at);
    if (mark.verdict == Verdict::pass || mark.excused || ++bad > rows_shown) continue;
    const VerdictRow row = verdicts.rows[at];
    text += fmt::format("{}  {}  {}: {}{}\n", word_of(row), row.unit.empty() ? "all" : row.unit, row.metric,
                        row.because, row.action ? fmt::format(" -> {}", to_string(row.action)) : "");
  }
  if (bad > rows_shown) text += fmt::format("... {} more in verdicts.json\n", bad - rows_shown);
  for (const std::string& note : verdicts.notes)
    if (verdicts.notes.size() <= rows_shown) text += note + "\n";
  return text;
}

}  // namespace

fs::path store_of(const Site& site) { return site.folder / "store.sqlite"; }

namespace {

results::Verdicts ask_all(const Site& site, const Stage& stage, const Roster& roster,
                          const results::Store& store) {
  results::Verdicts verdicts{.command = "campaign", .subject = site.campaign.name};
  results::Evidence evidence{store, order_of_judges(site, stage, roster)};
  for (const auto& [input, names] : inputs_of(site, stage))
    for (const std::string& name : names) evidence.files[input].push_back({.name = name});
  evidence.models = site.options.models;
  verdicts.runs = results::judged_runs(store);
  for (results::Judged& part : results::ask_judges(evidence, results::Unjudgeable::is_open))
    results::append(verdicts, std::move(part));
  return verdicts;
}

/// True if something was judged; that nodes answered, and are alike, judges none of them.
bool judged_something(const results::Verdicts& verdicts) {
  for (std::size_t at = 0; at < verdicts.rows.size(); ++at)
    if (verdicts.rows.mark(at).verdict != Verdict::not_run &&
        !verdicts.rows[at].metric.starts_with("campaign."))
      return true;
  return false;
}

VerdictRow nothing_judged(const Roster& roster) {
  return {.unit = "",
          .kind = "campaign",
          .metric = "campaign.judged",
          .verdict = Verdict::inconclusive,
          .because = fmt::format(
              "nothing was judged: {} hosts were measured, of which {} are needed to compare them, "
              "and no check, burn-in or limit judged one",
              hosts_with_records(roster), results::least_equals),
          .meaning = "what was not judged is not accepted",
          .action = results::Action::configure};
}

}  // namespace

CampaignJudgement judge_campaign(const Site& site, const Stage& stage, const Roster& roster,
                                 const std::vector<VerdictRow>& fabric) {
  results::Verdicts of_nodes = verdicts_of_nodes(site, stage, roster, fabric);
  results::Store store(store_of(site));
  const std::vector<fs::path> journals = journals_in(site.folder);
  for (const results::ImportSummary& summary : store.import_journals(journals))
    for (const results::JournalProblem& problem : summary.problems)
      of_nodes.notes.push_back(
          fmt::format("{}:{}: damaged line skipped: {}", problem.file.string(), problem.line, problem.what));
  const bool is_measured = !results::all_runs(store).empty();
  const auto judged = [&] {
    results::write_verdicts((site.folder / "nodes.json").string(), of_nodes);
    return is_measured ? ask_all(site, stage, roster, store) : of_nodes;
  };
  CampaignJudgement judgement{.verdicts = judged(), .text = {}};
  if (!judged_something(judgement.verdicts)) {
    of_nodes.rows.append(std::vector{nothing_judged(roster)});
    settle(of_nodes);
    judgement.verdicts = judged();
  }
  judgement.text = text_of_rows(judgement.verdicts);
  results::write_verdicts((site.folder / "verdicts.json").string(), judgement.verdicts);
  return judgement;
}

Retest retest_of(const Site& site, const Stage& stage, const Roster& roster) {
  if (!compares_hosts(roster)) return {};
  std::set<std::string> open;
  const results::Store store(store_of(site));
  for (const results::FleetAcceptance& acceptance :
       results::accept_all(results::read_fleet(store, site.options.order.filter, {}),
                           order_of_judges(site, stage, roster).rules))
    open.merge(results::open_hosts_of(acceptance));
  Retest retest;
  for (const std::string& node : roster.present()) {
    const auto& hello = roster.nodes().at(node).hello;
    const bool is_open = open.contains(node) || (hello && open.contains(hello->host));
    (is_open ? retest.suspects : retest.partners_in_pairs).push_back(node);
  }
  const auto first = [&](bool in_pairs) {
    std::vector<std::string> partners = retest.partners_in_pairs;
    partners.resize(std::min(results::partners_of(retest.suspects.size(), in_pairs), partners.size()));
    return partners;
  };
  retest.partners = first(false);
  retest.partners_in_pairs = first(true);
  return retest;
}

std::string write_report_and_bundle(const Site& site, const Stage& stage, const Roster& roster,
                                    const results::Verdicts& verdicts) {
  const fs::path report = site.folder / "report.html", bundle = site.folder / "bundle.tar";
  std::string text = fmt::format("verdicts {}\n", (site.folder / "verdicts.json").string());
  const results::Store store(store_of(site));
  const std::vector<results::MeasuredFleet> fleets = [&] {
    try {
      return results::read_fleet(store, site.options.order.filter, {});
    } catch (const std::runtime_error&) {
      return std::vector<results::MeasuredFleet>{};  // nothing was measured, and the verdicts say so
    }
  }();
  if (!fleets.empty()) {
    core::write_whole_file(report.string(), results::fleet_report_html(results::occasion_of(store), fleets,
                                                                       {.verdicts = {verdicts}}));
    text += fmt::format("report   {}\n", report.string());
  }
  results::BundledEvidence evidence;
  evidence.assay_version = core::version();
  evidence.source_revision = core::source_revision();
  evidence.order = order_of_judges(site, stage, roster);
  evidence.records = results::lines_of_runs(store, {});
  evidence.damage = results::damage_of_runs(store, {});
  for (const auto& [input, names] : inputs_of(site, stage))
    for (const std::string& name : names) evidence.files[input].push_back(results::member_from(input, name));
  const results::Judgement judgement = results::judge(evidence, site.options.models);
  evidence.verdicts = judgement.json();
  evidence.text = judgement.text;
  std::string seal;
  core::write_whole_file(bundle.string(),
                         [&](const core::ByteSink& sink) { seal = results::pack(evidence, sink); });
  return text + fmt::format("bundle   {}\nseal     {}\n", bundle.string(), seal);
}

}  // namespace assay::campaign

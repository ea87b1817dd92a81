// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/suite/processes/plan_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iostream>
#include <ostream>
#include <set>
#include <sstream>

#include "harness/core/error.hpp"
#include "harness/core/files/input_file.hpp"
#include "harness/core/process/exit_code.hpp"
#include "harness/core/text/log_lines.hpp"
#include "harness/core/text/shell_words.hpp"
#include "harness/core/units.hpp"
#include "harness/front/suite/cuda_start.hpp"
#include "harness/front/suite/kept_plan.hpp"
#include "harness/front/suite/processes/case_list.hpp"
#include "harness/front/suite/processes/module_run.hpp"
#include "harness/front/suite/run_lock.hpp"
#include "harness/plan/plan.hpp"

namespace assay::suite {
namespace {

using core::usage_error;

Variables variables_of_this_process() {
  return [](const char* name) -> const char* { return std::getenv(name); };
}

struct Planned {
  ModuleRequest request;
  ModuleShare share;
};

/// A module that cannot be run does not stop the others; without it the run is not a pass.
void go_without(const std::exception& error, RunOutcome& outcome) {
  std::cerr << fmt::format("assay: {}\n", error.what());
  outcome.exit_code = worse_exit(outcome.exit_code, core::exit_code::inconclusive);
}

/// Points that failed and that no module of the run measures stay as they are.
void report_gone(const RunOptions& options, const std::vector<Planned>& modules,
                 const std::vector<std::string>& gone, RunOutcome& outcome) {
  long again = 0;
  for (const Planned& planned : modules) again += planned.share.points;
  const long lacking = options.only_count - again;
  if (lacking <= 0) return;
  std::cerr << fmt::format(
      "assay: {} of the {} points are not in the plan of this run now, and stay as they are{}{}\n", lacking,
      options.only_count, gone.empty() ? "" : ": the first is ", gone.empty() ? "" : gone.front());
  outcome.exit_code = worse_exit(outcome.exit_code, core::exit_code::inconclusive);
}

std::vector<Planned> count_all(const RunOptions& options, RunOutcome& outcome,
                               const std::vector<ModuleProgram>& modules, const ModuleRequest& every_module,
                               const std::atomic<int>& signals) {
  std::vector<Planned> all;
  std::vector<std::string> gone;  // of the points that alone were to run
  for (const ModuleProgram& module : modules) {
    ModuleRequest request = every_module;
    request.module = module;
    try {
      const auto share = count_points(request, options.resume && options.only.empty(), signals);
      if (share) gone.insert(gone.end(), share->gone.begin(), share->gone.end());
      if (share && share->planned > 0) all.push_back({std::move(request), *share});
    } catch (const core::Error& error) {
      if (error.kind() == core::ErrorKind::usage) throw;
      go_without(error, outcome);
    }
  }
  if (!options.only.empty() && signals == 0) report_gone(options, all, gone, outcome);
  if (all.empty() && options.only.empty() && signals == 0 && outcome.exit_code == core::exit_code::pass)
    usage_error("nothing to run: plan and filters select no point of any module" +
                filter_without_case(options.filters, modules));
  return all;
}

void run_one(const Planned& planned, const PlaceInRun& place, RunOutcome& outcome,
             const std::atomic<int>& signals) {
  try {
    const ModuleEnd end = run_module_to_end(planned.request, planned.share, place, signals);
    // Its records say what is absent here; others measure what is not.
    const bool is_left_out = planned.share.is_left_out() && end.exit_code == core::exit_code::inconclusive;
    if (!is_left_out) outcome.exit_code = worse_exit(outcome.exit_code, end.exit_code);
  } catch (const std::exception& error) {
    go_without(error, outcome);
  }
}

PlaceInRun start_of(const std::vector<Planned>& modules) {
  PlaceInRun place;
  for (const Planned& planned : modules) {
    place.total += planned.share.points - planned.share.left_out_ahead;
    place.budget_after_s += planned.share.budget_s;
  }
  return place;
}

machine::LeftOut left_out_of(const std::vector<Planned>& modules) {
  machine::LeftOut all;
  for (const Planned& planned : modules)
    for (const auto& [absence, points] : planned.share.left_out) all[absence] += points;
  return all;
}

void announce(const std::string& run_id, const PlaceInRun& place, const std::vector<Planned>& modules,
              std::ostream& out) {
  out << fmt::format("run {}: {} points, at most {} of measuring", run_id, place.total,
                     core::format_seconds(place.budget_after_s))
      << core::LogFields{{"run", run_id},
                         {"points", std::int64_t{place.total}},
                         {"budget_s", place.budget_after_s}}
      << "\n";
  out << machine::to_text(left_out_of(modules));
  out.flush();
}

/// Makes the outcome inconclusive if hardware was required that this machine or build lacks, or if nothing
/// remains; else what is lacking is only left out.
void judge_absence(const RunOptions& options, const std::vector<Planned>& modules, RunOutcome& outcome) {
  const auto is_no_pass = [&outcome](const std::string& why) {
    std::cerr << fmt::format("assay: {}\n", why);
    outcome.exit_code = worse_exit(outcome.exit_code, core::exit_code::inconclusive);
  };
  if (!modules.empty() &&
      std::ranges::all_of(modules, [](const Planned& planned) { return planned.share.is_left_out(); }))
    is_no_pass("this build can measure no point of this run on this machine");
  if (options.require.empty()) return;
  const machine::Machine machine = machine::look();
  const machine::LeftOut left_out = left_out_of(modules);
  for (const machine::Hardware hardware : options.require) {
    const std::string flag = "--require " + machine::to_string(hardware);
    if (const std::string why = machine::built_without(hardware); left_out.contains(why))
      is_no_pass(fmt::format("{}: assay was {}", flag, why));
    else if (!machine.offers(hardware))
      is_no_pass(
          fmt::format("{}: this machine has {} that can be used", flag, machine::absence_text(hardware)));
  }
}

std::string run_name_of(const RunOptions& options) {
  refuse_as_folder_name(options.run_id);
  return !options.run_id.empty() ? options.run_id
         : options.resume        ? latest_with(options.folder, plan_file_name, "journal.jsonl", "run")
                                 : new_run_name();
}

/// A run that was refused has no journal to continue.
void refuse_taken(const RunOptions& options, const std::string& run_id) {
  if (!options.resume && core::is_there((options.folder / run_id / "journal.jsonl").string()))
    usage_error(fmt::format("{}: this run exists (expected --resume, or another --run-id)",
                            (options.folder / run_id).string()));
}

std::string run_id_of(const RunOptions& options) {
  std::string run_id = run_name_of(options);
  refuse_taken(options, run_id);
  return run_id;
}

/// An axis that no module's points have is a typing error, and would be ignored in silence.
void refuse_unused_axes(const RunOptions& options, const std::vector<Planned>& modules) {
  std::set<std::string> axes;
  for (const Planned& planned : modules) axes.insert(planned.share.axes.begin(), planned.share.axes.end());
  for (const std::string& text : options.axes)
    if (const std::string axis = text.substr(0, text.find('=')); !axes.contains(axis))
      usage_error(fmt::format("--axis {}: no case of this run has such an axis (there are: {})", axis,
                              fmt::join(axes, " ")));
}

void run_all(const std::vector<Planned>& modules, PlaceInRun place, RunOutcome& outcome,
             const std::atomic<int>& signals) {
  for (const Planned& planned : modules) {
    if (signals > 0) break;
    place.budget_after_s -= planned.share.budget_s;
    run_one(planned, place, outcome, signals);
    place.before += planned.share.points - planned.share.left_out_ahead;
  }
  if (signals > 0) outcome.exit_code = core::exit_code::interrupted;
}

}  // namespace

int worse_exit(int a, int b) {
  constexpr std::array order{core::exit_code::pass, core::exit_code::inconclusive, core::exit_code::fail,
                             core::exit_code::usage, core::exit_code::interrupted};  // from best to worst
  const auto rank = [&](int code) { return std::ranges::find(order, code) - order.begin(); };
  return rank(a) >= rank(b) ? a : b;
}

RunOutcome run_plan(const RunOptions& options, const std::atomic<int>& signals, std::ostream& out) {
  const Launcher launcher = launcher_from(options.launcher, variables_of_this_process());
  forget_own_rank();
  hand_on_team_key(launcher);
  RunOutcome outcome;
  outcome.run_id = run_id_of(options);
  outcome.journal = options.folder / outcome.run_id / "journal.jsonl";
  const plan::Plan plan = plan_for(options, outcome.run_id);
  refuse_unknown_modules(plan);
  static_cast<void>(
      chosen_modules(options.programs_folder, options.modules));  // refused before a folder is made
  const RunLock lock(options.folder / outcome.run_id, options.slack_s + options.interrupted_s, signals);
  refuse_taken(options, outcome.run_id);  // by a run that ended just now
  const ModuleRequest every_module{.module = {},
                                   .run_id = outcome.run_id,
                                   .journal = outcome.journal,
                                   .flags = keep_flags(options, outcome.run_id, plan),
                                   .resume = options.resume,
                                   .only = options.only,
                                   .slack_s = options.slack_s,
                                   .interrupted_s = options.interrupted_s,
                                   .launcher = launcher,
                                   .run_lock = lock.descriptor()};
  prepare_cuda_start(out);
  const std::vector<Planned> modules = count_all(
      options, outcome, chosen_modules(options.programs_folder, keep_modules(options, outcome.run_id)),
      every_module, signals);
  if (signals == 0 && outcome.exit_code == core::exit_code::pass) refuse_unused_axes(options, modules);
  const PlaceInRun place = start_of(modules);
  announce(outcome.run_id, place, modules, out);
  judge_absence(options, modules, outcome);
  run_all(modules, place, outcome, signals);
  outcome.measured = std::filesystem::exists(outcome.journal);
  return outcome;
}

PlanSize size_of_plan(const RunOptions& options, const std::atomic<int>& signals) {
  ModuleRequest every_module{
      .module = {}, .run_id = "size", .journal = options.folder / "none.jsonl", .flags = {}};
  every_module.flags = {"--plan", options.plan.empty() ? "quick" : options.plan};
  std::stringstream words(words_of(options));
  for (std::string word; std::getline(words, word);) every_module.flags.push_back(word);
  if (options.assumed)
    for (const std::string& word : words_of(*options.assumed)) every_module.flags.push_back(word);
  RunOutcome ignored;
  const auto modules = count_all(options, ignored, chosen_modules(options.programs_folder, options.modules),
                                 every_module, signals);
  const PlaceInRun all = start_of(modules);
  PlanSize size{.points = all.total, .budget_s = all.budget_after_s, .left_out = left_out_of(modules)};
  for (const Planned& planned : modules)
    size.modules.push_back({planned.request.module.name, planned.share.points - planned.share.left_out_ahead,
                            planned.share.budget_s});
  return size;
}

void show_commands(const RunOptions& options, std::ostream& out) {
  ModuleRequest request{.module = {}, .run_id = run_id_of(options), .journal = {}, .flags = {}};
  request.launcher = launcher_from(options.launcher, variables_of_this_process());
  request.journal = options.folder / request.run_id / "journal.jsonl";
  const plan::Plan plan = plan_for(options, request.run_id);
  refuse_unknown_modules(plan);
  request.flags = {"--plan", !options.plan.empty() ? options.plan
                             : options.resume      ? plan_copy(options, request.run_id).string()
                                                   : "quick"};
  std::stringstream words(words_of(options));
  for (std::string word; std::getline(words, word);) request.flags.push_back(word);
  for (const ModuleProgram& module : chosen_modules(options.programs_folder, options.modules)) {
    request.module = module;
    if (names_module(plan, module.name))
      out << core::shell_text(run_command(request.launcher, module, module_words(request))) << "\n";
  }
}

}  // namespace assay::suite

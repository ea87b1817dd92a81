// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/suite/burn_in/burn_in.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <ostream>

#include "harness/core/error.hpp"
#include "harness/core/process/exit_code.hpp"
#include "harness/core/text/log_lines.hpp"
#include "harness/core/units.hpp"
#include "harness/front/suite/burn_in/burn_in_damage.hpp"
#include "harness/front/suite/burn_in/burn_in_health.hpp"
#include "harness/front/suite/burn_in/burn_in_round.hpp"
#include "harness/front/suite/burn_in/burn_in_verdicts.hpp"
#include "harness/front/suite/cuda_start.hpp"
#include "harness/front/suite/kept_plan.hpp"
#include "harness/front/suite/processes/child.hpp"
#include "harness/front/suite/run_lock.hpp"
#include "harness/machine/pretended_node.hpp"
#include "results/record/journal.hpp"

namespace assay::suite {
namespace {

using core::usage_error;
namespace entry_word = results::entry_word;
namespace fs = std::filesystem;

constexpr double sampler_grace_s = 2;  // it reads once more when it is asked to end
constexpr int cycles_without_progress = 3;

std::string id_of(const RunOptions& options) {
  refuse_as_folder_name(options.run_id);
  const std::string id = !options.run_id.empty() ? options.run_id
                         : options.resume
                             ? latest_with(options.folder, "timeline.jsonl", plan_file_name, "burn-in")
                             : new_run_name();
  const fs::path timeline = options.folder / id / "timeline.jsonl";
  if (!options.resume && fs::exists(timeline))
    usage_error(fmt::format("{}: this burn-in exists (expected --resume, or another --run-id)",
                            (options.folder / id).string()));
  if (options.resume && !fs::exists(timeline))
    usage_error(fmt::format("{}: no burn-in to resume", (options.folder / id).string()));
  return id;
}

BurnInEnd end_of(const BurnInOptions& options, const BurnInSoFar& so_far) {
  const BurnInEnd& asked = options.end;
  if (!options.run.resume && asked.for_s <= 0 && asked.rounds <= 0 && asked.dose.empty())
    usage_error("no end is given (expected --for TIME, --dose DOSE or --rounds N)");
  BurnInEnd end = so_far.end;
  if (asked.for_s > 0) end.for_s = asked.for_s;
  if (asked.rounds > 0) end.rounds = asked.rounds;
  if (!asked.dose.empty()) end.dose = asked.dose;
  return end;
}

/// Readings while the modules run, from a separate process: a driver that hangs costs them alone.
class Sampler {
 public:
  Sampler(const BurnInSurroundings& surroundings, const fs::path& timeline, double at_s) {
    if (surroundings.sampler) child_.emplace(surroundings.sampler(timeline, at_s), Surroundings{});
  }
  /// Names its process where that could not be ended.
  std::string end() {
    if (!child_) return "";
    child_->kill_after(sampler_grace_s);
    return child_->wait().left_behind;
  }

 private:
  std::optional<Child> child_;
};

/// The progress of doses, to find those that will never be reached.
class Progress {
 public:
  /// To be called after each cycle of rounds. Returns doses that are missing and not reported, that did not
  /// grow for several cycles, or that events exclude; empty while all can be reached.
  std::vector<results::MissingDose> out_of_reach(const std::vector<results::UnitDose>& doses,
                                                 const results::DoseTargets& targets) {
    std::vector<results::MissingDose> hopeless;
    for (const results::MissingDose& lack : missing(doses, targets)) {
      const auto dose = std::ranges::find_if(doses, [&](const results::UnitDose& one) {
        return one.kind == lack.kind && one.unit == lack.unit;
      });
      const bool known = dose != doses.end() && dose->amount;
      if (!known || is_refuted(*dose, targets.at(lack.kind)) || stands_still(*dose)) hopeless.push_back(lack);
    }
    return hopeless;
  }

 private:
  bool stands_still(const results::UnitDose& dose) {
    const double amount = dose.proven() ? *dose.amount : 0;
    auto& [before, cycles] = seen_[{dose.kind, dose.unit}];
    cycles = amount > before ? 0 : cycles + 1;
    before = amount;
    return cycles >= cycles_without_progress;
  }

  std::map<std::pair<results::DoseKind, std::string>, std::pair<double, int>> seen_;
};

/// The run that each journal begins with.
std::vector<results::JudgedRun> runs_in(const std::vector<fs::path>& journals) {
  std::vector<results::JudgedRun> runs;
  for (const fs::path& journal : journals) {
    std::string line;
    std::getline(std::ifstream(journal) >> std::ws, line);
    try {
      runs.push_back(
          {std::visit([](const auto& record) { return record.run_id; }, results::from_line(line))});
    } catch (const std::runtime_error&) {
      // damage_rows reports damaged lines.
    }
  }
  return runs;
}

class BurnIn {
 public:
  BurnIn(const BurnInOptions& options, const BurnInSurroundings& surroundings,
         const std::atomic<int>& signals, std::ostream& out)
      : options_(options), surroundings_(surroundings), signals_(signals), out_(out) {}

  BurnInOutcome run() {
    prepare();
    if (modules_.empty()) return interrupted_before();
    const BurnInLog log(outcome_.timeline, surroundings_.now_s, so_far_.at_s);
    note_session(log);
    BurnInHealth health(log, surroundings_.check, options_.check_every_s, so_far_.looks);
    BurnInRound round({every_module_, outcome_.id, folder_, end_.for_s}, log, health, signals_);
    if (!so_far_.round_ended) {
      round.report_unheard(modules_, is_together(so_far_.round), so_far_);
      so_far_ = so_far(results::read_timeline(outcome_.timeline).entries);
    }
    Sampler sampler(surroundings_, outcome_.timeline, so_far_.at_s);
    run_rounds(round);
    if (const std::string left_behind = sampler.end(); !left_behind.empty())
      out_ << fmt::format("the readings of this node gave no answer: {}\n", left_behind);
    conclude();
    return outcome_;
  }

 private:
  void prepare() {
    const RunOptions& run = options_.run;
    const Launcher launcher =
        launcher_from(run.launcher, [](const char* name) -> const char* { return std::getenv(name); });
    forget_own_rank();
    hand_on_team_key(launcher);
    outcome_.id = id_of(run);
    folder_ = run.folder / outcome_.id;
    outcome_.timeline = folder_ / "timeline.jsonl";
    if (run.resume) so_far_ = so_far(results::read_timeline(outcome_.timeline).entries);
    end_ = end_of(options_, so_far_);
    outcome_.targets = end_.dose;
    const plan::Plan plan = plan_for(run, outcome_.id);
    refuse_unknown_modules(plan);
    static_cast<void>(chosen_modules(run.programs_folder, run.modules));
    lock_.emplace(folder_, run.slack_s + run.interrupted_s, signals_);
    static_cast<void>(id_of(run));  // one of this name may have ended just now
    every_module_.run_lock = lock_->descriptor();
    every_module_.run_id = outcome_.id;
    every_module_.flags = keep_flags(run, outcome_.id, plan);
    every_module_.slack_s = run.slack_s;
    every_module_.interrupted_s = run.interrupted_s;
    every_module_.launcher = launcher;
    prepare_cuda_start(out_);
    count_modules();
  }

  void count_modules() {
    const RunOptions& run = options_.run;
    for (const ModuleProgram& module : chosen_modules(run.programs_folder, keep_modules(run, outcome_.id))) {
      if (signals_ > 0) return;
      ModuleRequest request = every_module_;
      request.module = module;
      request.journal = folder_ / "none.jsonl";  // a fresh one
      try {
        const auto share = count_points(request, false, signals_);
        if (share && !share->is_left_out()) modules_.push_back({module, *share});
      } catch (const core::Error& error) {
        if (error.kind() == core::ErrorKind::usage) throw;
        without_.emplace_back(module.name, error.what());
      }
    }
    if (modules_.empty() && !without_.empty() && signals_ == 0)
      throw core::Error(core::ErrorKind::system,
                        fmt::format("{}: {}", without_.front().first, without_.front().second));
    if (modules_.empty() && signals_ == 0)
      usage_error("nothing to run: plan and filters select no point of any module");
  }

  /// Ends as interrupted; findings of earlier sessions still count.
  BurnInOutcome interrupted_before() {
    if (options_.run.resume) conclude();
    outcome_.exit_code = core::exit_code::interrupted;
    return outcome_;
  }

  void note_session(const BurnInLog& log) const {
    results::Fields fields = fields_of(end_);
    std::string names;
    for (const PlannedModule& planned : modules_) names += planned.module.name + " ";
    fields.emplace_back("modules", names);
    log.note("session", outcome_.id, options_.run.resume ? entry_word::resumed : entry_word::began,
             std::move(fields));
    for (const auto& [module, why] : without_)
      log.note("module", module, results::Answer{entry_word::no_answer, why});
  }

  bool is_together(std::int64_t number) const { return number % 2 == 0 && modules_.size() > 1; }

  void run_rounds(BurnInRound& round) {
    std::int64_t number = so_far_.round_ended ? so_far_.round + 1 : so_far_.round;
    BurnInSoFar goes_on = so_far_.round_ended ? BurnInSoFar{} : so_far_;
    bool all_done = done(number - 1, doses_of(results::read_timeline(outcome_.timeline).entries));
    while (!all_done && !round.over() && round.run(number, modules_, is_together(number), goes_on)) {
      goes_on = {};
      all_done = done(number, report_doses(number));
      ++number;
    }
  }

  bool done(std::int64_t rounds, const std::vector<results::UnitDose>& doses) {
    if (end_.rounds > 0 && rounds >= end_.rounds) return true;
    if (end_.dose.empty() || rounds == 0) return false;
    if (missing(doses, end_.dose).empty()) return true;
    const bool cycle = rounds % 2 == 0 || modules_.size() == 1;
    if (!cycle || end_.for_s > 0) return false;
    const std::vector<results::MissingDose> hopeless = progress_.out_of_reach(doses, end_.dose);
    for (const results::MissingDose& lack : hopeless)
      out_ << fmt::format("{}{}{} will not be reached here: {}\n", lack.unit, lack.unit.empty() ? "" : " ",
                          to_string(lack.kind), lack.why);
    return !hopeless.empty();
  }

  std::vector<results::UnitDose> report_doses(std::int64_t number) {
    const auto timeline = results::read_timeline(outcome_.timeline).entries;
    out_ << fmt::format("round {} {} ended after {}", number, is_together(number) ? "together" : "turn",
                        core::format_seconds(timeline.back().at_s))
         << core::LogFields{{"round", number}, {"elapsed_s", timeline.back().at_s}} << "\n";
    auto doses = doses_of(timeline);
    for (const results::UnitDose& dose : doses)
      out_ << fmt::format("  {} {}: {}\n", dose.unit, to_string(dose.kind), describe(dose));
    out_.flush();
    return doses;
  }

  void conclude() {
    for (const auto& entry : fs::directory_iterator(folder_))
      if (entry.path().extension() == ".jsonl" && entry.path() != outcome_.timeline)
        outcome_.journals.push_back(entry.path());
    std::ranges::sort(outcome_.journals);
    const results::Timeline timeline = results::read_timeline(outcome_.timeline);
    outcome_.doses = doses_of(timeline.entries);
    outcome_.verdicts = verdicts_of(timeline.entries, outcome_.doses, end_.dose);
    outcome_.verdicts.rows.append(damage_rows(outcome_.timeline, timeline, outcome_.journals));
    settle(outcome_.verdicts);
    if (machine::is_pretended()) outcome_.verdicts.subject = "a simulated node";
    outcome_.verdicts.runs = runs_in(outcome_.journals);
    outcome_.exit_code =
        signals_ > 0 ? core::exit_code::interrupted : exit_code_of(outcome_.verdicts.verdict);
  }

  const BurnInOptions& options_;
  const BurnInSurroundings& surroundings_;
  const std::atomic<int>& signals_;
  std::ostream& out_;
  BurnInOutcome outcome_;
  fs::path folder_;
  BurnInSoFar so_far_;
  BurnInEnd end_;
  ModuleRequest every_module_;
  std::optional<RunLock> lock_;
  std::vector<PlannedModule> modules_;
  std::vector<std::pair<std::string, std::string>> without_;
  Progress progress_;
};

}  // namespace

BurnInOutcome run_burn_in(const BurnInOptions& options, const BurnInSurroundings& surroundings,
                          const std::atomic<int>& signals, std::ostream& out) {
  return BurnIn(options, surroundings, signals, out).run();
}

}  // namespace assay::suite

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "harness/core/measure/clock.hpp"
#include "harness/core/process/exit_code.hpp"
#include "harness/core/text/log_lines.hpp"
#include "harness/core/units.hpp"
#include "harness/front/cli/command.hpp"
#include "harness/front/cli/flags/file_name.hpp"
#include "harness/front/cli/flags/log_option.hpp"
#include "harness/front/cli/flags/number_range.hpp"
#include "harness/front/cli/flags/open_store.hpp"
#include "harness/front/cli/flags/run_flags.hpp"
#include "harness/front/cli/output/render_table.hpp"
#include "harness/front/cli/tasks/burn_in_watchers.hpp"
#include "harness/front/cli/tasks/interrupt_count.hpp"
#include "harness/front/suite/burn_in/burn_in.hpp"
#include "harness/front/suite/burn_in/levels.hpp"
#include "harness/machine/pretended_node.hpp"
#include "results/store/store.hpp"

namespace assay::cli {
namespace {

constexpr double look_limit_s = 120;

struct BurnInFlags {
  suite::BurnInOptions options;
  std::string for_time, dose, level, verdicts;
  LookFlags look;
  SampleFlags sample;
  bool only_look = false;
  DryRunFlags dry_run = {};
};

std::vector<std::string> own_command(const std::vector<std::string>& words) {
  std::vector<std::string> command{std::filesystem::read_symlink("/proc/self/exe").string(), "burn-in"};
  command.insert(command.end(), words.begin(), words.end());
  return command;
}

constexpr const char* default_plan = "burn-in";  // it loads every part

/// Everything after the rounds: the records go into the store, verdicts and dose are printed.
void conclude(const BurnInFlags& flags, const suite::BurnInOutcome& outcome) {
  const std::filesystem::path& folder = flags.options.run.folder;
  const std::filesystem::path store_path = store_in(folder);
  results::Verdicts shown = outcome.verdicts;
  name_origin(shown, machine::is_pretended() ? "simulated" : "measured");
  if (!flags.verdicts.empty()) write_verdicts(flags.verdicts, shown);
  shown.notes.clear();  // the doses, which have a table of their own
  std::cout << "\n"
            << render_table(to_table(shown), "text") << "\n"
            << render_table(to_table(outcome.doses, outcome.targets), "text")
            << fmt::format("\ntimeline  {}\nstore     {}\n", outcome.timeline.string(), store_path.string());
  std::cout.flush();
  results::Store store(store_path);  // last: the findings are printed even if the store fails
  for (const std::filesystem::path& journal : outcome.journals) import_journal(store, journal);
  if (outcome.exit_code == core::exit_code::interrupted)
    std::cout << fmt::format("interrupted: continue with `assay burn-in --resume --out {}`\n",
                             folder.string());
}

/// Prints the size of a round and how many are begun.
int print_burn_in(const suite::BurnInOptions& options, const DryRunFlags& dry_run) {
  const suite::PlanSize round = print_size(options.run, dry_run, std::cout);
  const suite::BurnInEnd& end = options.end;
  std::string rounds = end.rounds > 0 ? core::counted(end.rounds, "round") : "rounds";
  if (end.for_s > 0) rounds += fmt::format(", none begun after {}", core::format_seconds(end.for_s));
  if (!end.dose.empty()) rounds += ", until every unit has its dose";
  double seconds = end.for_s;
  if (end.rounds > 0) {
    const double all_s = static_cast<double>(end.rounds) * round.budget_s;
    seconds = end.for_s > 0 ? std::min(all_s, end.for_s) : all_s;
  }
  std::cout << rounds << (seconds > 0 ? ", at most " + core::format_seconds(seconds) : ", at most unknown")
            << "\n";
  return core::exit_code::pass;
}

int burn_in(BurnInFlags flags) {
  suite::BurnInOptions& options = flags.options;
  if (!flags.for_time.empty()) options.end.for_s = core::parse_duration_s(flags.for_time, "--for");
  if (!flags.dose.empty()) options.end.dose = results::read_dose_targets(flags.dose);
  const suite::Level* const level = flags.level.empty() ? nullptr : &suite::find_level(flags.level);
  if (level != nullptr) suite::take_level(*level, options);
  if (options.run.plan.empty() && !options.run.resume) options.run.plan = default_plan;
  if (flags.dry_run.asked) return print_burn_in(options, flags.dry_run);
  if (flags.look.logbook.empty()) flags.look.logbook = (options.run.folder / "health.json").string();
  refuse_bad_look(flags.look);
  refuse_other_than_store(store_in(options.run.folder));
  std::filesystem::create_directories(options.run.folder);
  core::SteadyClock clock;
  suite::BurnInSurroundings surroundings;
  surroundings.now_s = [&] { return clock.seconds(); };
  const std::atomic<int>& signals = count_interrupts();
  surroundings.check = [command = own_command(look_words(flags.look)), &signals] {
    return findings_of(command, look_limit_s, signals);
  };
  surroundings.sampler = [&](const std::filesystem::path& timeline, double at_s) {
    return own_command(sample_words({timeline.string(), at_s, flags.sample.every_s}));
  };
  if (level != nullptr)
    core::status_stream() << suite::announcement(*level, suite::size_of_plan(options.run, signals))
                          << std::endl;
  const suite::BurnInOutcome outcome =
      suite::run_burn_in(options, surroundings, signals, core::status_stream());
  if (!std::filesystem::exists(outcome.timeline)) return outcome.exit_code;
  try {
    conclude(flags, outcome);
  } catch (const std::exception& error) {
    std::cerr << fmt::format("assay: {} (the measurements are next to {})\n", error.what(),
                             outcome.timeline.string());
    return suite::worse_exit(outcome.exit_code, core::exit_code::inconclusive);
  }
  return outcome.exit_code;
}

void add_end(CLI::App& app, BurnInFlags& flags) {
  std::string names;
  for (const suite::Level& level : suite::levels())
    names += fmt::format("{}{} ({:g} min)", names.empty() ? "" : ", ", level.name, level.minutes);
  app.add_option("--level", flags.level, "plan and end by name: " + names)->type_name("NAME");
  app.add_option("--for", flags.for_time, "duration, e.g. 12h, 90m, 20s; the current point finishes")
      ->type_name("TIME");
  app.add_option("--dose", flags.dose,
                 "until every unit received it, e.g. bit_error_rate=1e-15,joules=2e7, or a TOML file; also "
                 "corruption_per_byte, thermal_cycles, mtbf_h")
      ->type_name("DOSE|FILE");
  app.add_option("--rounds", flags.options.end.rounds, "number of rounds at most")
      ->check(CLI::PositiveNumber)
      ->type_name("N");
}

void add_watch(CLI::App& app, BurnInFlags& flags) {
  app.add_option("--check-every", flags.options.check_every_s, "interval of health checks while modules run")
      ->check(number_between(0.0, 86400.0))
      ->type_name("SECONDS")
      ->capture_default_str();
  app.add_option("--sample-every", flags.sample.every_s,
                 "interval of readings of temperature, energy and links")
      ->check(number_between(0.1, 3600.0))
      ->type_name("SECONDS")
      ->capture_default_str();
  add_file(app, "--expect", flags.look.expect,
           "what this type of machine must have (TOML; docs/reference/files.md)");
  app.add_option("--without", flags.look.without, "leave this check out; the verdict says so")
      ->type_name("CHECK");
  add_file(app, "--logbook", flags.look.logbook, "default: health.json in --out");
  add_file(app, "--verdicts", flags.verdicts, "write the verdicts to this file too (JSON)");
  app.add_flag("--look", flags.only_look)->group("");
  app.add_option("--sample-into", flags.sample.into)->group("");
  app.add_option("--sample-from", flags.sample.from_s)->group("");
}

}  // namespace

Command burn_in_command(CLI::App& parent) {
  const auto flags = std::make_shared<BurnInFlags>();
  suite::RunOptions* options = &flags->options.run;
  options->folder = default_folder;
  options->programs_folder = suite::own_folder();
  CLI::App* app = parent.add_subcommand(
      "burn-in", "Run modules in rounds, alone and together, until a time or a dose, and judge every unit");
  add_end(*app, *flags);
  add_selection(*app, *options, default_plan);
  add_dry_run(*app, flags->dry_run, "points and time of a round, and how many");
  add_launcher_options(*app, options->launcher);
  add_file(*app, "--out", options->folder, "folder of burn-ins, runs and store", "FOLDER")
      ->capture_default_str();
  app->add_flag("--resume", options->resume, "continue the latest burn-in (or --run-id), its time and dose");
  app->get_option("--dry-run")->excludes(app->get_option("--resume"));
  app->add_option("--run-id", options->run_id, "name of the burn-in (default: from time and host)")
      ->type_name("ID");
  add_patience(*app, *options);
  add_watch(*app, *flags);
  add_log_option(*app);
  app->footer("Ctrl-C once finishes the point, reports the dose and exits with 4; twice exits at once.");
  return {app, [flags] {
            if (flags->only_look) return look_once(flags->look);
            if (!flags->sample.into.empty()) return sample_until_stopped(flags->sample);
            return burn_in(*flags);
          }};
}

}  // namespace assay::cli

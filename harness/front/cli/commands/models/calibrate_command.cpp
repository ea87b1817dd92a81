// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iostream>

#include "harness/core/error.hpp"
#include "harness/core/process/exit_code.hpp"
#include "harness/front/cli/command.hpp"
#include "harness/front/cli/flags/file_name.hpp"
#include "harness/front/cli/flags/open_store.hpp"
#include "harness/front/cli/flags/run_flags.hpp"
#include "harness/front/cli/tasks/block_check.hpp"
#include "harness/front/cli/tasks/interrupt_count.hpp"
#include "harness/front/cli/tasks/write_fit_all.hpp"
#include "harness/front/suite/kept_plan.hpp"
#include "harness/front/suite/processes/plan_run.hpp"
#include "results/store/store.hpp"

namespace assay::cli {
namespace {

struct CalibrateFlags {
  suite::RunOptions run;
  std::string plan = "calibration", block = "calibration-block";
  std::string id, output;
  answers::FitChoices choices;
  bool resume = false;
};

/// Measures a plan, or the rest of it, and puts its records into the store. Returns the exit code.
int measure(const CalibrateFlags& flags, const std::string& plan, const std::string& run_id) {
  suite::RunOptions options = flags.run;
  options.run_id = run_id;
  options.resume = flags.resume && std::filesystem::exists(options.folder / run_id / "journal.jsonl");
  if (!options.resume) options.plan = plan;
  const suite::RunOutcome outcome = suite::run_plan(options, count_interrupts(), std::cout);
  if (outcome.measured) {
    results::Store store(store_in(options.folder));
    import_journal(store, outcome.journal);
  }
  return outcome.exit_code;
}

int interrupted(const CalibrateFlags& flags) {
  std::cout << fmt::format("interrupted: continue with the same options and `--resume --id {}`\n", flags.id);
  return core::exit_code::interrupted;
}

int calibrate(CalibrateFlags flags) {
  if (flags.resume && flags.id.empty())
    core::usage_error("--resume: expected --id, the calibration to continue");
  if (flags.id.empty()) flags.id = suite::new_run_name();
  const std::filesystem::path folder = flags.run.folder;
  if (flags.output.empty()) flags.output = (folder / (flags.id + ".json")).string();
  refuse_other_than_store(store_in(folder));
  const std::string main_run = flags.id, block_run = flags.id + "-block";
  const int measured = measure(flags, flags.plan, main_run);
  if (measured == core::exit_code::interrupted) return interrupted(flags);
  static_cast<void>(
      write_fit_all(answers::runs_of_store(store_in(folder), {main_run}), flags.choices, flags.output));
  const int block = measure(flags, flags.block, block_run);
  if (block == core::exit_code::interrupted) return interrupted(flags);
  check_block(flags.output, answers::runs_of_store(store_in(folder), {block_run}));
  std::cout << fmt::format("\ncoefficients  {}\n", flags.output);
  return suite::worse_exit(measured, block);
}

}  // namespace

Command calibrate_command(CLI::App& parent) {
  const auto flags = std::make_shared<CalibrateFlags>();
  suite::RunOptions& run = flags->run;
  run.folder = default_folder;
  run.programs_folder = suite::own_folder();
  CLI::App* app = parent.add_subcommand(
      "calibrate", "Measure this node, fit everything a model needs into one file, and test it on a block");
  add_file(*app, "--out", run.folder, "folder of runs, store and coefficients", "FOLDER")
      ->capture_default_str();
  add_file(*app, "-o,--output", flags->output, "file of coefficients (default: ID.json in --out)");
  add_file(*app, "--plan", flags->plan, "measured for the fits", "FILE|NAME")->capture_default_str();
  add_file(*app, "--block", flags->block, "what the fits must predict", "FILE|NAME")->capture_default_str();
  app->add_option("--id", flags->id, "name of the calibration and its runs (default: from time and host)")
      ->type_name("ID");
  app->add_flag("--resume", flags->resume, "continue the calibration --id");
  app->add_option("--multiprocessors", flags->choices.multiprocessors,
                  "of the GPU (default: what the rows say, else 132 as an H100 SXM has)")
      ->check(CLI::Range(1, 100000).description(""));
  add_launcher_options(*app, run.launcher);
  add_patience(*app, run);
  app->footer("assay list --plans lists the built-in plans. Ctrl-C once exits with 4; --resume continues.");
  return {app, [flags] { return calibrate(*flags); }};
}

}  // namespace assay::cli

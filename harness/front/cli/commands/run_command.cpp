// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iostream>

#include "harness/core/error.hpp"
#include "harness/core/files/whole_file.hpp"
#include "harness/core/process/exit_code.hpp"
#include "harness/core/text/log_lines.hpp"
#include "harness/front/cli/command.hpp"
#include "harness/front/cli/flags/file_name.hpp"
#include "harness/front/cli/flags/log_option.hpp"
#include "harness/front/cli/flags/open_store.hpp"
#include "harness/front/cli/flags/run_flags.hpp"
#include "harness/front/cli/tasks/failed_again.hpp"
#include "harness/front/cli/tasks/interrupt_count.hpp"
#include "harness/front/suite/processes/plan_run.hpp"
#include "results/report/report.hpp"
#include "results/show/card.hpp"
#include "results/store/store.hpp"

namespace assay::cli {
namespace {

/// Everything after the measuring: the records go into the store, the report is written, the card is shown.
void conclude(const suite::RunOptions& options, const suite::RunOutcome& outcome) {
  const std::filesystem::path store_path = store_in(options.folder);
  const std::filesystem::path report_path = outcome.journal.parent_path() / "report.html";
  results::Store store(store_path);
  import_journal(store, outcome.journal);
  const results::RunPoints measured(store, outcome.run_id);
  core::write_whole_file(report_path, results::report_html(measured));
  std::cout << "\n"
            << results::node_card(measured)
            << fmt::format("\njournal  {}\nstore    {}\nreport   {}\n", outcome.journal.string(),
                           store_path.string(), report_path.string());
  if (outcome.exit_code == core::exit_code::interrupted)
    std::cout << fmt::format("interrupted: continue with `assay run --resume --out {}`\n",
                             options.folder.string());
}

struct RunFlags {
  suite::RunOptions run;
  FailedAgain failed = {};
  bool show_commands = false;
  DryRunFlags dry_run = {};
};

int run(const RunFlags& flags) {
  suite::RunOptions options = flags.run;
  if (flags.failed.asked &&
      (flags.show_commands || !options.axes.empty() || !options.benchmark_filter.empty()))
    core::usage_error("run: --failed excludes --show-commands, --axis and --benchmark_filter");
  if (flags.show_commands) {
    suite::show_commands(options, std::cout);
    return core::exit_code::pass;
  }
  if (flags.dry_run.asked) {
    if (flags.failed.asked || options.resume)
      core::usage_error("run: --dry-run excludes --failed and --resume");
    print_size(options, flags.dry_run, std::cout);
    return core::exit_code::pass;
  }
  refuse_other_than_store(store_in(options.folder));
  if (flags.failed.asked && !only_failed(flags.failed, options, core::status_stream()))
    return core::exit_code::pass;
  const suite::RunOutcome outcome = suite::run_plan(options, count_interrupts(), core::status_stream());
  if (!outcome.measured) return outcome.exit_code;
  try {
    conclude(options, outcome);
  } catch (const std::exception& error) {
    std::cerr << fmt::format("assay: {} (what was measured is in {})\n", error.what(),
                             outcome.journal.string());
    return suite::worse_exit(outcome.exit_code, core::exit_code::inconclusive);
  }
  return outcome.exit_code;
}

}  // namespace

Command run_command(CLI::App& parent) {
  const auto flags = std::make_shared<RunFlags>();
  suite::RunOptions* options = &flags->run;
  options->folder = default_folder;
  options->programs_folder = suite::own_folder();
  CLI::App* app = parent.add_subcommand("run", "Measure every point of a plan, one module after another");
  add_selection(*app, *options, "quick");
  app->add_option("--benchmark_filter", options->benchmark_filter,
                  "only points whose Google Benchmark name matches; a leading '-' excludes")
      ->type_name("REGEX");
  add_file(*app, suite::workload_flag, options->workload,
           "training step (assay workload -o) of as many ranks as run, for collectives.workload.*file",
           "FILE");
  add_launcher_options(*app, options->launcher);
  app->add_flag("--show-commands", flags->show_commands, "print each module's command and exit");
  add_dry_run(*app, flags->dry_run, "points and time of each module");
  add_file(*app, "--out", options->folder, "folder of runs, store and reports", "FOLDER")
      ->capture_default_str();
  app->add_flag("--resume", options->resume, "continue the latest run (or --run-id)");
  add_failed_flags(*app, flags->failed);
  app->add_option("--run-id", options->run_id, "name of the run (default: from time and host)")
      ->type_name("ID");
  app->add_option_function<std::vector<std::string>>(
         "--require",
         [options](const std::vector<std::string>& words) {
           for (const std::string& word : words) options->require.push_back(*machine::hardware_from(word));
         },
         "hardware without which the run exits with 3, e.g. gpu,rdma")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember({"gpu", "rdma"}))
      ->type_name("NAMES");
  add_patience(*app, *options);
  add_log_option(*app);
  app->add_option("--relay", options->launcher.relay)->group("");
  // CLI11 prints several flags that one flag excludes in no fixed order.
  app->get_option("--failed")->excludes(app->get_option("--resume"));
  app->footer("Ctrl-C once finishes the sample and exits with 4; twice exits at once.");
  return {app, [flags] { return run(*flags); }};
}

}  // namespace assay::cli

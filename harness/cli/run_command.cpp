// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <iostream>

#include "harness/cli/command.hpp"
#include "harness/cli/interrupt_count.hpp"
#include "harness/core/exit_code.hpp"
#include "harness/plan/plan.hpp"
#include "harness/suite/campaign.hpp"
#include "results/card.hpp"
#include "results/report.hpp"
#include "results/store.hpp"

namespace assay::cli {
namespace {

/// Everything after the measuring: the records go into the store, the report is written, the card is shown.
void conclude(const suite::CampaignOptions& options, const suite::CampaignOutcome& outcome) {
  const std::filesystem::path store_path = options.folder / "store.sqlite";
  const std::filesystem::path report_path = outcome.journal.parent_path() / "report.html";
  results::Store store(store_path);
  for (const results::JournalProblem& problem : store.import_journal(outcome.journal).problems)
    std::cerr << fmt::format("{}:{}: damaged line passed over: {}\n", problem.file.string(), problem.line,
                             problem.what);
  results::write_report(store, outcome.run_id, report_path);
  std::cout << "\n"
            << results::node_card(store, outcome.run_id)
            << fmt::format("\njournal  {}\nstore    {}\nreport   {}\n", outcome.journal.string(),
                           store_path.string(), report_path.string());
  if (outcome.exit_code == core::exit_code::interrupted)
    std::cout << fmt::format("interrupted: go on with `assay run --resume --out {}`\n",
                             options.folder.string());
}

struct RunFlags {
  suite::CampaignOptions campaign;
  bool show_commands = false;
};

int run(const RunFlags& flags) {
  const suite::CampaignOptions& options = flags.campaign;
  if (flags.show_commands) {
    suite::show_commands(options, std::cout);
    return core::exit_code::pass;
  }
  const suite::CampaignOutcome outcome = suite::run_campaign(options, count_interrupts(), std::cout);
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

/// Which points run.
void add_selection(CLI::App& app, suite::CampaignOptions& options) {
  app.add_option(
         "--plan", options.plan,
         fmt::format("a TOML file, or one of: {} (default: quick; with --resume: the plan of that run)",
                     fmt::join(plan::built_in_plans(), " ")))
      ->type_name("FILE|NAME");
  app.add_option("--filter", options.filters,
                 "only cases, or case/point, that match this glob, e.g. 'memory.*'; can be repeated")
      ->allow_extra_args(false)
      ->type_name("GLOB");
  app.add_option("--axis", options.axes, "other values for an axis, e.g. --axis threads=1,2; can be repeated")
      ->allow_extra_args(false)
      ->type_name("NAME=VALUES");
}

/// Who starts the ranks of rooms that measure between several processes.
void add_launcher_options(CLI::App& app, RunFlags& flags) {
  suite::LauncherFlags& launcher = flags.campaign.launcher;
  CLI::Option* hosts = app.add_option_function<std::string>(
      "--hosts", [](const std::string& names) { setenv("ASSAY_RDMA_HOSTS", names.c_str(), 1); },
      "hosts that run `assay-rdma serve`, to measure the fabric between them and this one, e.g. h1,h2:18541");
  hosts->type_name("HOST,...");
  app.add_option(
         "--launcher", launcher.engine,
         "what starts the ranks of rdma and collectives: the rooms themselves on this host (local), or an "
         "engine of the cluster; other rooms run here")
      ->check(CLI::IsMember({"local", "mpirun", "srun"}))
      ->capture_default_str()
      ->excludes(hosts);
  app.add_option("--ranks", launcher.ranks,
                 "how many ranks (default: the tasks of the Slurm allocation; local: as the room has it)")
      ->check(CLI::PositiveNumber)
      ->type_name("N");
  app.add_option(
         "--launcher-args", launcher.words,
         "more arguments for the launcher, in quotes, e.g. --launcher-args=\"--mpi=pmix\"; can be repeated")
      ->join()
      ->type_name("WORDS");
  app.add_flag("--show-commands", flags.show_commands,
               "print the command of each room that the plan names, and run nothing");
}

}  // namespace

Command run_command(CLI::App& parent) {
  const auto flags = std::make_shared<RunFlags>();
  suite::CampaignOptions* options = &flags->campaign;
  options->folder = default_folder;
  options->rooms_folder = suite::own_folder();
  CLI::App* app = parent.add_subcommand("run", "Measure: every point of a plan, one room after the other");
  add_selection(*app, *options);
  add_launcher_options(*app, *flags);
  app->add_option("--out", options->folder, "folder for runs, the store and reports")
      ->type_name("FOLDER")
      ->capture_default_str();
  app->add_flag("--resume", options->resume,
                "go on with the latest run (or --run-id): run what it still lacks");
  app->add_option("--run-id", options->run_id, "name of the run (default: made from time and host)")
      ->type_name("ID");
  app->add_option("--silence", options->slack_s,
                  "seconds beyond five times its budget after which a silent point is recorded as timeout")
      ->type_name("SECONDS")
      ->capture_default_str();
  app->add_option("--rooms", options->rooms_folder, "folder with the rooms' programs")->group("");
  app->footer("Ctrl-C once finishes the sample, writes, and exits with 4; twice ends at once.");
  return {app, [flags] { return run(*flags); }};
}

}  // namespace assay::cli

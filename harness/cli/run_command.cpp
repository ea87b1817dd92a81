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

int run(const suite::CampaignOptions& options) {
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

void add_launch_options(CLI::App& app, suite::Launch& launch) {
  app.add_option("--launcher", launch.launcher,
                 "who starts the ranks of the collectives room: local (the room itself), mpirun or srun")
      ->type_name("NAME")
      ->capture_default_str();
  app.add_option("--ranks", launch.ranks, "how many ranks (default: the room's own, or srun's)")
      ->type_name("N");
  app.add_option("--launcher-args", launch.words,
                 "more words for the launcher, e.g. --launcher-args=--mpi=pmix; can be repeated")
      ->allow_extra_args(false)
      ->type_name("WORD");
}

}  // namespace

Command run_command(CLI::App& parent) {
  const auto options = std::make_shared<suite::CampaignOptions>();
  options->folder = default_folder;
  options->rooms_folder = suite::own_folder();
  CLI::App* app = parent.add_subcommand("run", "Measure: every point of a plan, one room after the other");
  app->add_option(
         "--plan", options->plan,
         fmt::format("a TOML file, or one of: {} (default: quick; with --resume: the plan of that run)",
                     fmt::join(plan::built_in_plans(), " ")))
      ->type_name("FILE|NAME");
  app->add_option("--filter", options->filters,
                  "only cases, or case/point, that match this glob, e.g. 'memory.*'; can be repeated")
      ->allow_extra_args(false)
      ->type_name("GLOB");
  app->add_option("--axis", options->axes,
                  "other values for an axis, e.g. --axis threads=1,2; can be repeated")
      ->allow_extra_args(false)
      ->type_name("NAME=VALUES");
  app->add_option_function<std::string>(
         "--hosts", [](const std::string& hosts) { setenv("ASSAY_RDMA_HOSTS", hosts.c_str(), 1); },
         "hosts that run `assay-rdma serve`, to measure the fabric between them and this one, e.g. "
         "h1,h2:18541")
      ->type_name("HOST,...");
  add_launch_options(*app, options->launch);
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
  return {app, [options] { return run(*options); }};
}

}  // namespace assay::cli

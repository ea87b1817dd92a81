// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <iostream>

#include "harness/core/error.hpp"
#include "harness/core/process/exit_code.hpp"
#include "harness/core/text/log_lines.hpp"
#include "harness/front/answers/or_bad_input.hpp"
#include "harness/front/campaign/campaign.hpp"
#include "harness/front/campaign/campaign_file.hpp"
#include "harness/front/campaign/nodes/node_agent.hpp"
#include "harness/front/cli/command.hpp"
#include "harness/front/cli/flags/file_name.hpp"
#include "harness/front/cli/flags/judge_flags.hpp"
#include "harness/front/cli/flags/log_option.hpp"
#include "harness/front/cli/flags/number_range.hpp"
#include "harness/front/cli/flags/open_store.hpp"
#include "harness/front/cli/flags/run_flags.hpp"
#include "harness/front/cli/models/models.hpp"
#include "harness/front/cli/output/rounds_needed_output.hpp"
#include "harness/front/cli/tasks/campaign_fit.hpp"
#include "harness/front/cli/tasks/interrupt_count.hpp"
#include "results/planning/measured_noise.hpp"

namespace assay::cli {
namespace {

struct CampaignFlags {
  campaign::CampaignOptions options;
  JudgeFlags judges;
  std::string on_node, first_rounds;
  DryRunFlags dry_run = {};
};

int show(const CampaignFlags& flags) {
  const campaign::CampaignSize size = campaign::show_campaign(flags.options, count_interrupts(), std::cout);
  if (flags.first_rounds.empty()) return core::exit_code::pass;
  const results::FleetRules rules = flags.options.order.rules;
  const results::Store store = open_store_to_judge(flags.first_rounds);
  std::vector<results::PlannedFleet> fleets = answers::or_bad_input(
      [&] { return results::planned_as_measured(store, flags.options.order.filter, rules); });
  for (results::PlannedFleet& fleet : fleets) fleet.hosts = static_cast<int>(size.nodes);
  std::cout << "\n";
  return print_rounds_needed(fleets, rules, {.loss = 2 * rules.margin}, size.round_s / 60, "text");
}

int run(CampaignFlags flags) {
  campaign::CampaignOptions& options = flags.options;
  if (options.campaign.empty() != options.resume)
    core::usage_error(fmt::format("expected a campaign, or --resume: a TOML file, or one of: {}",
                                  fmt::join(campaign::built_in_campaigns(), " ")));
  options.order = order_from(flags.judges);
  options.files = flags.judges.files;
  options.models = models_for_judges();
  options.fit = fit_campaign;
  const std::atomic<int>& signals = count_interrupts();
  if (flags.dry_run.asked) {
    options.as = flags.dry_run.as;
    return show(flags);
  }
  return campaign::run_campaign(options, signals, core::status_stream()).exit_code;
}

int on_node(const CampaignFlags& flags) {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  return campaign::carry_out(campaign::order_from(flags.on_node), self, count_interrupts(), std::cout);
}

void add_flags(CLI::App& app, CampaignFlags& flags) {
  campaign::CampaignOptions& options = flags.options;
  app.add_option("campaign", options.campaign,
                 fmt::format("TOML file, or one of: {}", fmt::join(campaign::built_in_campaigns(), " ")))
      ->type_name("FILE|NAME");
  add_file(app, "--out", options.folder, "folder of campaigns, one folder each", "FOLDER")
      ->capture_default_str();
  app.add_option("--campaign-id", options.id,
                 "name of the campaign's folder (default: from name, time and host)")
      ->type_name("ID");
  app.add_flag("--resume", options.resume,
               "continue the latest campaign (or --campaign-id), on the nodes given now");
  add_dry_run(app, flags.dry_run, "every command, points, time and node-hours");
  add_file(app, "--first-rounds", flags.first_rounds,
           "with --dry-run: store of the first rounds; prints how many decide, at their noise")
      ->needs("--dry-run");
  app.add_option("--nodes", options.nodes,
                 "names of nodes (default: those of the Slurm allocation, else this host)")
      ->type_name("NODE,...");
  add_file(app, "--hostfile", options.host_file, "the same from a file, a name a line");
  add_file(app, "--expect", options.expectation, "what each node must have (TOML; docs/reference/files.md)");
  app.add_option("--silence", options.silence_s, "seconds without an answer after which a node is lost")
      ->check(number_between(1.0, 86400.0))
      ->type_name("SECONDS")
      ->capture_default_str();
  add_launcher_options(app, options.launcher);
  app.get_option("--ranks")->group("");  // stages say how many
  add_judge_flags(app, flags.judges);
  add_log_option(app);
  app.add_option("--on-node", flags.on_node)->group("");
  app.add_option("--node-program", options.program)->group("");
  app.add_option("--programs", options.programs)->group("");
}

}  // namespace

Command campaign_command(CLI::App& parent) {
  const auto flags = std::make_shared<CampaignFlags>();
  flags->options.folder = "assay-campaigns";
  CLI::App* app = parent.add_subcommand(
      "campaign", "Take nodes from nothing to a verdict: check, measure each, measure between them, judge");
  add_flags(*app, *flags);
  app->footer(
      "Writes verdicts.json, report.html, bundle.tar, store.sqlite and a fit's coefficients.json into one "
      "folder. Exit code: the verdict's.\n"
      "Ctrl-C once ends the stage and exits with 4; --resume continues.");
  return {app, [flags] { return flags->on_node.empty() ? run(*flags) : on_node(*flags); }};
}

}  // namespace assay::cli

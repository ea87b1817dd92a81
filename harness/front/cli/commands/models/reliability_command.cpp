// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iostream>
#include <nlohmann/json.hpp>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/core/files/whole_file.hpp"
#include "harness/core/process/exit_code.hpp"
#include "harness/core/text/json_text.hpp"
#include "harness/front/answers/reliability_answer.hpp"
#include "harness/front/cli/command.hpp"
#include "harness/front/cli/flags/file_name.hpp"
#include "harness/front/cli/flags/number_range.hpp"
#include "harness/front/cli/tasks/fleet_history.hpp"
#include "model/reliability/fleet.hpp"

namespace assay::cli {
namespace {

using model::reliability::FleetHistory;
using model::reliability::OffenderRule;
using model::reliability::Rates;

struct ReliabilityFlags : answers::ReliabilityQuestion {
  std::string output;
  std::vector<std::string> logbooks, stores;
  OffenderRule rule;
  bool json = false;
};

std::optional<FleetHistory> fleet_of(const ReliabilityFlags& flags) {
  if (!flags.logbooks.empty()) return fleet_of_logbooks(flags.logbooks);
  if (!flags.stores.empty()) return fleet_of_stores(flags.stores);
  if (!flags.output.empty())
    core::usage_error("reliability: -o writes the rates of --rates-from-logbooks or --rates-from-store");
  return {};
}

/// Refuses flags that only a fleet has, where none is asked for.
void refuse_fleet_flags(const CLI::App& app) {
  for (const char* flag : {"--rma", "--rma-days", "--by-chance"})
    if (app.count(flag) > 0)
      core::usage_error(
          fmt::format("reliability: {}: expected --rates-from-logbooks or --rates-from-store", flag));
}

/// Refuses flags that only a job has, where only a fleet is asked for.
void refuse_job_flags(const CLI::App& app) {
  for (const char* flag : {"--repair", "--probability", "--service", "--rank-spread", "--rank-spread-from",
                           "--slower", "--run-days", "--interval", "--stall", "--write", "--detect",
                           "--diagnose", "--recovery", "--checkpoint", "--front-end"})
    if (app.count(flag) > 0)
      core::usage_error(fmt::format("reliability: {}: expected --gpus, of the job", flag));
}

Rates rates_of(const ReliabilityFlags& flags, const std::optional<FleetHistory>& fleet) {
  if (fleet) {
    const std::string toml = rates_toml(*fleet, flags.output.empty() ? "this fleet" : flags.output);
    if (!flags.output.empty()) core::write_whole_file(flags.output, toml);
    return model::reliability::parse_rates(toml, fleet->source);
  }
  return answers::rates_of(flags);
}

/// Prints the reliability of the fleet, where its records are read, and of a job, where one is asked for.
int reliability(const CLI::App& app, const ReliabilityFlags& flags) {
  const std::optional<FleetHistory> fleet = fleet_of(flags);
  if (!fleet) refuse_fleet_flags(app);
  if (fleet && flags.gpus == 0) refuse_job_flags(app);
  answers::refuse_lonely(flags);
  const Rates rates = rates_of(flags, fleet);
  if (app.count("--service") > 0 && !rates.early_life)
    core::usage_error(
        fmt::format("reliability: --service: expected [early_life] in the rates of {}", rates.name));
  nlohmann::ordered_json json;
  std::string text;
  if (fleet) text = to_text(*fleet, flags.rule) + "\n";
  if (fleet && flags.gpus == 0) {
    text += rates_text(rates);
    json = {{"origin", "measured"}, {"rates", rates_json(rates)}};
  } else {
    answers::JobAnswer job = answers::job_answer(flags, rates);
    text += job.text;
    json = std::move(job.json);
  }
  if (fleet) json["fleet"] = to_json(*fleet, flags.rule);
  std::cout << (flags.json ? core::json_text(json, 2) + "\n" : text);
  return core::exit_code::pass;
}

void add_fleet_flags(CLI::App& app, ReliabilityFlags& flags) {
  CLI::Option* logbooks = add_file(
      app, "--rates-from-logbooks", flags.logbooks,
      "rates and repeat offenders of what assay check and burn-in saw of each node", "FILE|FOLDER...");
  CLI::Option* stores = add_file(app, "--rates-from-store", flags.stores,
                                 "the same of burn-ins' time under load and failures", "STORE...");
  CLI::Option* output = add_file(app, "-o,--output", flags.output, "write these rates, for --rates");
  for (const char* other : {"--rates", "--mtbf"}) {
    logbooks->excludes(app.get_option(other));
    stores->excludes(app.get_option(other));
    output->excludes(app.get_option(other));
  }
  logbooks->excludes(stores);
  app.add_option("--rma", flags.rule.failures, "failures of one part, after which it is to go")
      ->check(number_between(1, 1e6))
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--rma-days", flags.rule.within_days, "within so many days")
      ->check(number_between(0, 1e5))
      ->type_name("DAYS")
      ->capture_default_str();
  app.add_option("--by-chance", flags.rule.by_chance,
                 "repeats: chance that any sound part of a kind is named one")
      ->check(number_between(1e-9, 0.5))
      ->type_name("P")
      ->capture_default_str();
}

void add_job_flags(CLI::App& app, ReliabilityFlags& flags) {
  CLI::Option* rates = add_file(app, "--rates", flags.rates, "failures by component, TOML", "FILE");
  CLI::Option* gpus =
      app.add_option("--gpus", flags.gpus, "of the job")->check(number_between(1, 1e9))->type_name("N");
  app.add_option("--mtbf", flags.mean_time, "of the whole job, instead of both")
      ->excludes(rates)
      ->excludes(gpus)
      ->type_name("TIME");
  app.add_option("--repair", flags.repair, "time until a node is back")
      ->type_name("TIME")
      ->capture_default_str();
  app.add_option("--probability", flags.probability, "that a spare node is there")
      ->check(number_between(0.0001, 0.999999999))
      ->type_name("P")
      ->capture_default_str();
  app.add_option("--service", flags.service, "after a burn-in; needs [early_life] in --rates")
      ->type_name("TIME")
      ->capture_default_str();
}

void add_loss_flags(CLI::App& app, ReliabilityFlags& flags) {
  CLI::Option* spread =
      app.add_option("--rank-spread", flags.spread, "standard deviation of ranks' step times")
          ->check(number_between(0, 100))
          ->type_name("PERCENT");
  add_file(app, "--rank-spread-from", flags.spread_store,
           "the same, of ranks' times in collectives as measured", "STORE")
      ->excludes(spread);
  app.add_option("--slower", flags.slower, "of one rank")
      ->check(number_between(0, 1e4))
      ->type_name("PERCENT");
  CLI::Option* run_days = app.add_option("--run-days", flags.run_days, "for silent corruption")
                              ->check(number_between(0.001, 1e5))
                              ->type_name("DAYS");
  app.add_option("--probe-hours", flags.probe_hours, "between probes for it")
      ->check(number_between(0.001, 1e5))
      ->needs(run_days)
      ->type_name("HOURS");
  for (const char* of_nodes :
       {"--repair", "--probability", "--service", "--rank-spread", "--rank-spread-from", "--run-days"})
    app.get_option(of_nodes)->excludes(app.get_option("--mtbf"));
}

void add_checkpoint_flags(CLI::App& app, ReliabilityFlags& flags) {
  app.add_option("--interval", flags.interval, "between checkpoints; default: the best")->type_name("TIME");
  CLI::Option* stall = app.add_option("--stall", flags.stall, "that a checkpoint costs the job")
                           ->type_name("TIME")
                           ->capture_default_str();
  CLI::Option* write =
      app.add_option("--write", flags.write, "from then until it can be restored")->type_name("TIME");
  app.add_option("--detect", flags.detect, "from a failure until it is noticed")->type_name("TIME");
  app.add_option("--diagnose", flags.diagnose, "from then until the failed part is known")->type_name("TIME");
  app.add_option("--recovery", flags.recovery, "from then to computing, without a measured restore")
      ->type_name("TIME")
      ->capture_default_str();
  add_file(app, "--checkpoint", flags.checkpoint, "stall, write and restore as measured", "STORE")
      ->excludes(stall)
      ->excludes(write);
  app.add_option("--run", flags.run, "of the store; default: the latest")->type_name("ID");
  app.add_option("--state", flags.state, "that a GPU saves, with --checkpoint or --front-end")
      ->type_name("BYTES");
  app.add_option("--front-end", flags.front_end_gbit_per_s,
                 "network of a node for checkpoints, data and logs")
      ->check(number_between(1e-3, 1e6))
      ->type_name("GBIT/S");
  app.add_option("--ingest", flags.ingest, "data that a GPU reads a second, over it")
      ->type_name("BYTES")
      ->capture_default_str();
  app.add_option("--logs", flags.logs, "that a node writes a second, over it")
      ->type_name("BYTES")
      ->capture_default_str();
}

}  // namespace

Command reliability_command(CLI::App& parent) {
  const auto flags = std::make_shared<ReliabilityFlags>();
  CLI::App* app = parent.add_subcommand(
      "reliability", "What failures cost a job: time between them, checkpoint interval, spares");
  add_job_flags(*app, *flags);
  add_loss_flags(*app, *flags);
  add_fleet_flags(*app, *flags);
  add_checkpoint_flags(*app, *flags);
  app->add_flag("--json", flags->json, "print JSON");
  return {app, [app, flags] { return reliability(*app, *flags); }};
}

}  // namespace assay::cli

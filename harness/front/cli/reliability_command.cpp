// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <nlohmann/json.hpp>

#include "harness/core/exit_code.hpp"
#include "harness/core/units.hpp"
#include "harness/front/cli/command.hpp"
#include "harness/front/cli/file_name.hpp"
#include "model/reliability/job.hpp"

namespace assay::cli {
namespace {

struct ReliabilityFlags {
  std::string rates, interval, stall = "5s", write = "", recovery = "5m", repair = "2d";
  double gpus = 0, spares_suffice = 0.99, spread = 0, slower = 0, run_days = 0, probe_hours = 0;
  bool json = false;
};

double seconds_of(const std::string& text, const char* flag) {
  return text.empty() ? 0 : core::parse_duration_s(text, flag);
}

model::reliability::JobRequest request_of(const ReliabilityFlags& flags) {
  model::reliability::JobRequest request{.gpus = flags.gpus,
                                         .stall_s = seconds_of(flags.stall, "--stall"),
                                         .durable_after_s = seconds_of(flags.write, "--write"),
                                         .checkpoint_source = "assumed",
                                         .recovery_s = seconds_of(flags.recovery, "--recovery"),
                                         .repair_days = seconds_of(flags.repair, "--repair") / 86400,
                                         .spare_probability = flags.spares_suffice,
                                         .rank_spread = flags.spread / 100,
                                         .slower = flags.slower / 100,
                                         .run_days = flags.run_days,
                                         .probe_hours = flags.probe_hours};
  if (!flags.interval.empty()) request.interval_s = seconds_of(flags.interval, "--interval");
  return request;
}

}  // namespace

Command reliability_command(CLI::App& parent) {
  const auto flags = std::make_shared<ReliabilityFlags>();
  CLI::App* app = parent.add_subcommand(
      "reliability", "What failures cost a job: time between them, checkpoint interval, spares");
  app->add_option("--gpus", flags->gpus, "GPUs of the job")->required();
  app->add_option("--rates", flags->rates, "failures by component, TOML")->required()->type_name("FILE");
  app->add_option("--interval", flags->interval, "between checkpoints (default: the best)");
  app->add_option("--stall", flags->stall, "of the job at a checkpoint")->capture_default_str();
  app->add_option("--write", flags->write, "from the stall's end until the checkpoint can be restored");
  app->add_option("--recovery", flags->recovery, "from a failure to computing")->capture_default_str();
  app->add_option("--repair", flags->repair, "of a node")->capture_default_str();
  app->add_option("--spares-suffice", flags->spares_suffice, "with this probability")
      ->check(CLI::Range(0.0001, 0.999999999).description(""))
      ->capture_default_str();
  app->add_option("--rank-spread", flags->spread, "of step times of ranks, %")
      ->check(CLI::Range(0.0, 100.0).description(""));
  app->add_option("--slower", flags->slower, "one rank, by %")
      ->check(CLI::Range(0.0, 10000.0).description(""));
  app->add_option("--run-days", flags->run_days, "of a run that silent corruption may spoil")
      ->check(CLI::Range(0.0, 100000.0).description(""));
  app->add_option("--probe-hours", flags->probe_hours, "between probes for it")
      ->check(CLI::Range(0.0, 100000.0).description(""));
  app->add_flag("--json", flags->json, "print JSON");
  return {app, [flags] {
            const model::reliability::Rates rates = model::reliability::read_rates(flags->rates);
            const model::reliability::JobRequest request = request_of(*flags);
            const model::reliability::JobReliability answer = reliability_of(rates, request);
            if (flags->json)
              std::cout << to_json(rates, request, answer).dump(2) << "\n";
            else
              std::cout << to_text(rates, request, answer);
            return core::exit_code::pass;
          }};
}

}  // namespace assay::cli

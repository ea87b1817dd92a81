// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// assay fabric counters: which cables of an InfiniBand subnet make errors.
#include <iostream>
#include <memory>

#include "harness/core/process/exit_code.hpp"
#include "harness/front/answers/fabric/counters_answer.hpp"
#include "harness/front/cli/command.hpp"
#include "harness/front/cli/flags/file_name.hpp"
#include "harness/front/cli/flags/number_range.hpp"
#include "harness/front/cli/flags/ports_flag.hpp"

namespace assay::cli {

Command fabric_counters_command(CLI::App& group) {
  struct CountersFlags : answers::CountersQuestion {
    bool json = false;
  };
  const auto flags = std::make_shared<CountersFlags>();
  CLI::App* app = group.add_subcommand("counters", "Error rates of a subnet's cables, with intervals");
  app->add_option("--topology", flags->topology, "the cables")->type_name("ibnetdiscover=FILE")->required();
  add_ports(*app, flags->ports);
  add_file(*app, "--before", flags->before, "counters: of ibqueryerrors, perfquery, or ibdiagnet's db_csv",
           "FILE")
      ->required();
  add_file(*app, "--after", flags->after, "the same, read later", "FILE")->required();
  app->add_option("--seconds", flags->seconds, "between the readings")
      ->type_name("S")
      ->check(number_between(1e-3, 1e9))
      ->required();
  app->add_option("--bit-error-rate", flags->bit_error_rate, "most symbol errors a bit")
      ->type_name("RATE")
      ->check(number_between(1e-30, 1))
      ->capture_default_str();
  app->add_option("--gbit-per-s", flags->gbit_per_s, "rate of cables that the list does not state")
      ->check(number_between(1, 1e5))
      ->capture_default_str();
  add_file(*app, "--located", flags->located, "mark suspects of assay fabric locate --json", "FILE");
  app->add_flag("--json", flags->json, "print every number as JSON");
  app->footer(
      "Exit code 0: every cable is below the rate. 1: one is above it, or went down. 3: undecided or "
      "unknown.");
  return {app, [flags] {
            const answers::CountersAnswer answer = answers::judge_counters(*flags);
            std::cout << (flags->json ? answer.json : answer.text);
            if (!answer.holds) return core::exit_code::inconclusive;
            return *answer.holds ? core::exit_code::pass : core::exit_code::fail;
          }};
}

}  // namespace assay::cli

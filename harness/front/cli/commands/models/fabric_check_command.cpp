// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// assay fabric check: a site's cables against a plan.
#include <iostream>
#include <memory>

#include "harness/core/process/exit_code.hpp"
#include "harness/front/answers/fabric/check_answer.hpp"
#include "harness/front/cli/command.hpp"
#include "harness/front/cli/flags/file_name.hpp"
#include "harness/front/cli/flags/ports_flag.hpp"

namespace assay::cli {

Command fabric_check_command(CLI::App& group) {
  struct CheckFlags : answers::CheckQuestion {
    bool json = false;
  };
  const auto flags = std::make_shared<CheckFlags>();
  CLI::App* app =
      group.add_subcommand("check", "A site's cables against a plan, whatever both call switches");
  add_file(*app, "plan", flags->plan, "a fabric file: preset or links (TOML)", "PLAN")->required();
  app->add_option("site", flags->site, "a fabric file, or ibnetdiscover=FILE, lldp=FILE, slurm=FILE")
      ->type_name("SITE")
      ->required();
  add_ports(*app, flags->ports);
  app->add_option("--starts", flags->starts, "most starts of the search")
      ->type_name("N")
      ->check(CLI::Range(1, 100000).description(""))
      ->capture_default_str();
  app->add_option("--seed", flags->seed, "of the search")->type_name("N")->capture_default_str();
  app->add_flag("--json", flags->json, "print every number as JSON");
  app->footer("Exit code 0: every cable is as planned. 1: not so.");
  return {app, [flags] {
            const answers::CheckAnswer answer = answers::check_wiring(*flags);
            std::cout << (flags->json ? answer.json : answer.text);
            return answer.holds ? core::exit_code::pass : core::exit_code::fail;
          }};
}

}  // namespace assay::cli

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// assay fabric locate: which element of a fabric explains its slow pairs.
#include <iostream>
#include <memory>

#include "harness/core/process/exit_code.hpp"
#include "harness/front/answers/fabric/locate_answer.hpp"
#include "harness/front/answers/fabric/naming_file.hpp"
#include "harness/front/cli/command.hpp"
#include "harness/front/cli/flags/file_name.hpp"
#include "harness/front/cli/flags/ports_flag.hpp"

namespace assay::cli {
namespace {

struct LocateFlags : answers::LocateQuestion {
  bool json = false;
};

int run_locate(const LocateFlags& flags) {
  const answers::LocateAnswer answer = answers::locate(flags);
  std::cout << (flags.json ? answer.json : answer.text);
  if (answer.any_slow) return core::exit_code::fail;
  return answer.all_crossed ? core::exit_code::pass : core::exit_code::inconclusive;
}

}  // namespace

Command fabric_locate_command(CLI::App& group) {
  const auto flags = std::make_shared<LocateFlags>();
  CLI::App* app = group.add_subcommand("locate", "Which link, cable, switch or host explains slow pairs");
  add_file(*app, "fabric", flags->fabric.file, "who is wired to whom, and by which rules (TOML)", "FABRIC")
      ->required();
  add_file(*app, "--pairs", flags->pairs, "measured pairs (CSV)");
  app->add_option("--store", flags->store, "measured pairs, patterns or collectives")->type_name("FILE");
  app->add_option("--run", flags->run, "of the store; default: the latest; of collectives, all")
      ->type_name("ID");
  app->add_option("--cases", flags->cases, "of the store: rdma.* by flow, collectives.* as a whole")
      ->type_name("GLOB")
      ->capture_default_str();
  app->add_option("--topology", flags->topology, "instead of FABRIC's: ibnetdiscover, lldp or slurm")
      ->type_name("KIND=FILE");
  add_ports(*app, flags->ports);
  app->add_option("--set", flags->set, "replace a key of FABRIC: routing.hash=crc32")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  app->add_option("--ran", flags->ran,
                  "whether pairs of a round ran at once; auto: together where rounds are")
      ->check(CLI::IsMember({"auto", "alone", "together"}))
      ->capture_default_str();
  app->add_option("--queue-pair-rule", flags->rule,
                  "what a slow queue pair does to its flow; auto: what explains more")
      ->check(CLI::IsMember({"auto", "slowest", "average"}))
      ->capture_default_str();
  app->add_option("--hosts-per-machine", flags->hosts_per_machine,
                  "hosts in a row that are ports of one machine; default: host.gpus of FABRIC")
      ->type_name("N");
  app->add_option("--next", flags->next, "pairs to measure next, where several elements are possible")
      ->check(CLI::Range(0, 1000).description(""))
      ->type_name("N")
      ->capture_default_str();
  app->add_flag("--json", flags->json, "print every number as JSON");
  app->footer(
      "Exit code 0: no element is shown to be slow. 1: one is. 3: none is, but links were not crossed.");
  return {app,
          [flags] { return answers::naming_file(flags->fabric.file, [&] { return run_locate(*flags); }); }};
}

}  // namespace assay::cli

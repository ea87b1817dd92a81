// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// assay fabric routes: what the forwarding tables of an InfiniBand subnet do to traffic.
#include <iostream>
#include <memory>

#include "harness/core/files/whole_file.hpp"
#include "harness/core/process/exit_code.hpp"
#include "harness/front/answers/fabric/naming_file.hpp"
#include "harness/front/answers/routes_answer.hpp"
#include "harness/front/cli/command.hpp"
#include "harness/front/cli/flags/file_name.hpp"
#include "harness/front/cli/flags/number_range.hpp"

namespace assay::cli {
namespace {

struct RoutesFlags : answers::RoutesQuestion {
  std::string format = "text", loads;
};

int judge(const RoutesFlags& flags) {
  const answers::RoutesAnswer answer = answers::judge_routes(flags);
  if (!flags.loads.empty()) core::write_whole_file(flags.loads, answer.loads);
  std::cout << (flags.format == "json" ? answer.json : answer.text);
  if (!answer.holds) return core::exit_code::inconclusive;
  return *answer.holds ? core::exit_code::pass : core::exit_code::fail;
}

void add_limits(CLI::App& app, RoutesFlags& flags) {
  app.add_option("--shift-at-most", flags.shift_at_most, "paths on the busiest cable by any shift")
      ->type_name("N");
  app.add_option("--all-to-all-at-most", flags.all_to_all_at_most,
                 "times as long as over hosts' own cables alone: 1.5")
      ->type_name("TIMES")
      ->check(number_between(1, 1e6));
}

}  // namespace

Command fabric_routes_command(CLI::App& group) {
  const auto flags = std::make_shared<RoutesFlags>();
  flags->patterns = {"ring", "shift1", "all_to_all"};
  CLI::App* app = group.add_subcommand("routes", "What a subnet's forwarding tables do to traffic");
  add_file(*app, "fabric", flags->fabric, "with routing by tables, of assay fabric read --routes (TOML)",
           "FABRIC")
      ->required();
  app->add_option("--set", flags->set, "replace a key of FABRIC: routing.file=ftree.dump")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  app->add_option("--permutations", flags->permutations, "drawn at random")
      ->type_name("N")
      ->check(CLI::Range(0, 1000000).description(""))
      ->capture_default_str();
  app->add_option("--seed", flags->seed, "of permutations")->type_name("N")->capture_default_str();
  app->add_option("--threads", flags->threads, "change no digit")
      ->type_name("N")
      ->check(CLI::Range(1, 1024).description(""))
      ->capture_default_str();
  add_limits(*app, *flags);
  add_file(*app, "--loads", flags->loads, "write paths on each cable between switches here (CSV)", "FILE");
  app->add_option("--pattern", flags->patterns, "of --loads: ring, shift6, all_to_all")
      ->type_name("PATTERN")
      ->allow_extra_args(false)
      ->capture_default_str();
  app->add_option("--format", flags->format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  app->footer(
      "Exit code 0: every pair has a way, and limits hold. 1: not so. 3: buffers can wait in a circle, "
      "unless "
      "service levels part them.");
  return {app, [flags] { return answers::naming_file(flags->fabric, [&] { return judge(*flags); }); }};
}

}  // namespace assay::cli

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// assay fabric routes: what the forwarding tables of an InfiniBand subnet do to traffic.
#include <iostream>
#include <memory>

#include "harness/core/files/whole_file.hpp"
#include "harness/core/process/exit_code.hpp"
#include "harness/front/answers/fabric/naming_file.hpp"
#include "harness/front/answers/routes/routes_answer.hpp"
#include "harness/front/cli/command.hpp"
#include "harness/front/cli/flags/file_name.hpp"
#include "harness/front/cli/flags/number_range.hpp"
#include "harness/front/cli/output/render_table.hpp"
#include "harness/front/cli/tasks/try_engines.hpp"

namespace assay::cli {
namespace {

struct RoutesFlags : answers::RoutesQuestion {
  std::string format = "text", loads;
  std::vector<std::string> engines;
};

/// The fabric's own tables first; nothing where the programs lack, which is said.
std::vector<answers::TriedEngine> tried_engines(const RoutesFlags& flags, const answers::EngineRow& own) {
  if (flags.engines.empty()) return {};
  if (const std::string lacking = lacking_for_engines(); !lacking.empty()) {
    std::cerr << "assay: --try: skipped: not installed: " << lacking << "\n";
    return {};
  }
  std::vector<answers::TriedEngine> all = {{.engine = "as read", .row = own}};
  for (answers::TriedEngine& one : try_engines(flags, flags.engines)) all.push_back(std::move(one));
  return all;
}

int judge(const RoutesFlags& flags) {
  const answers::RoutesAnswer answer = answers::judge_routes(flags);
  if (!flags.loads.empty()) core::write_whole_file(flags.loads, answer.loads);
  const std::vector<answers::TriedEngine> tried = tried_engines(flags, answer.row);
  if (flags.format == "json")
    std::cout << (tried.empty() ? answer.json : answers::with_engines(answer.json, tried));
  else
    std::cout << answer.text;
  if (flags.format != "json" && !tried.empty())
    std::cout << "\n"
              << answers::engine_sentence(tried) << "\n\n"
              << render_table(answers::engine_table(tried), "text");
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
  app.add_option("--lost-at-most", flags.lost_at_most, "likewise, whichever cable is lost")
      ->type_name("TIMES")
      ->check(number_between(1, 1e6));
}

void add_levels(CLI::App& app, RoutesFlags& flags) {
  add_file(app, "--path-sls", flags.path_levels,
           "service levels of paths: opensm-path-records.dump, or of saquery PR", "FILE");
  add_file(app, "--sl2vl", flags.lane_maps, "their virtual lanes at switches: opensm-sl2vl.dump", "FILE");
}

void add_engines(CLI::App& app, RoutesFlags& flags) {
  app.add_option("--try", flags.engines,
                 "engines of opensm, which computes their tables on the net by ibsim: ftree,updn,dfsssp")
      ->type_name("ENGINE,...")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember({"minhop", "updn", "dnup", "ftree", "lash", "dor", "dfsssp", "sssp", "nue"})
                  .description(""));
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
  add_levels(*app, *flags);
  add_engines(*app, *flags);
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

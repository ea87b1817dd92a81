// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "harness/core/calendar.hpp"
#include "harness/core/error.hpp"
#include "harness/core/files/whole_file.hpp"
#include "harness/core/process/exit_code.hpp"
#include "harness/front/answers/margin.hpp"
#include "harness/front/answers/or_bad_input.hpp"
#include "harness/front/cli/command.hpp"
#include "harness/front/cli/flags/file_name.hpp"
#include "harness/front/cli/flags/open_store.hpp"
#include "harness/front/cli/output/render_table.hpp"
#include "results/judge/limits/fleet_limits.hpp"

namespace assay::cli {
namespace {

struct LimitsFlags {
  std::string store, output, signed_by, filter, machine, format = "text", below = "10%";
  bool is_template = false;
  results::QuantileRules rules;
};

/// NaN is none, too.
void refuse_other_than_share(const char* flag, double share) {
  if (!(share >= 0.5 && share <= 0.9999))
    core::usage_error(fmt::format("{} {:g}: expected a share from 0.5 to 0.9999", flag, share));
}

int limits(const LimitsFlags& flags) {
  if (!flags.is_template && std::ranges::all_of(flags.signed_by, [](char one) { return one == ' '; }))
    core::usage_error("--signed-by: expected a person's name, or --template for loose limits of few nodes");
  refuse_other_than_share("--coverage", flags.rules.coverage);
  refuse_other_than_share("--confidence", flags.rules.confidence);
  const results::Store store = open_store_to_judge(flags.store);
  results::FleetLimits fleet = answers::or_bad_input(
      [&] { return results::limits_of_fleet(store, flags.filter, flags.machine, flags.rules); });
  if (flags.is_template) fleet.below = answers::margin_from("--below", flags.below);
  std::cout << render_table(to_table(fleet), flags.format);
  const auto lacking = std::ranges::count_if(
      fleet.limits, [&](const results::FleetLimit& limit) { return !fleet.value_of(limit); });
  if (lacking == std::ssize(fleet.limits)) {
    std::cerr << fmt::format("assay: no point has a limit: {} is not written{}\n", flags.output,
                             flags.is_template ? "" : "; --template makes loose limits of few nodes");
    return core::exit_code::inconclusive;
  }
  core::write_whole_file(flags.output, flags.is_template ? limits_template(fleet)
                                                         : signed_limits(fleet, flags.signed_by,
                                                                         core::iso_time_now().substr(0, 10)));
  return lacking == 0 ? core::exit_code::pass : core::exit_code::inconclusive;
}

}  // namespace

Command limits_command(CLI::App& parent) {
  const auto flags = std::make_shared<LimitsFlags>();
  CLI::App* app = parent.add_subcommand("limits", "Make a limits file of what a fleet's nodes reach");
  add_file(*app, "--from-store", flags->store, "records of the fleet, bad nodes included")->required();
  add_file(*app, "--output,-o", flags->output, "limits file for accept --limits")->required();
  CLI::Option* name =
      app->add_option("--signed-by", flags->signed_by, "name of the person who answers for the limits")
          ->type_name("NAME");
  CLI::Option* loose = app->add_flag("--template", flags->is_template,
                                     "loose, unsigned limits by the median of few nodes, or of one")
                           ->excludes(name);
  app->add_option("--below", flags->below, "with --template: how much worse than the median is accepted")
      ->type_name("SHARE")
      ->capture_default_str()
      ->needs(loose);
  app->add_option("--coverage", flags->rules.coverage, "share of sound nodes within each limit")
      ->type_name("SHARE")
      ->capture_default_str();
  app->add_option("--confidence", flags->rules.confidence, "probability of that")
      ->type_name("SHARE")
      ->capture_default_str();
  app->add_option("--filter", flags->filter, "glob over cases, or case/point")->type_name("GLOB");
  app->add_option("--machine", flags->machine, "one type of machine of several, e.g. '8 x NVIDIA H100*'")
      ->type_name("GLOB");
  add_format_option(*app, flags->format);
  app->footer(
      "Exit code 0: a limit for each point. 3: a point lacks nodes, or its nodes are no single population.");
  return {app, [flags] { return limits(*flags); }};
}

}  // namespace assay::cli

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include "harness/core/error.hpp"
#include "harness/front/answers/margin.hpp"
#include "harness/front/answers/or_bad_input.hpp"
#include "harness/front/cli/command.hpp"
#include "harness/front/cli/flags/file_name.hpp"
#include "harness/front/cli/flags/fleet_margins.hpp"
#include "harness/front/cli/flags/number_range.hpp"
#include "harness/front/cli/flags/open_store.hpp"
#include "harness/front/cli/output/render_table.hpp"
#include "harness/front/cli/output/rounds_needed_output.hpp"
#include "results/planning/measured_noise.hpp"

namespace assay::cli {
namespace {

struct PlanRunsFlags {
  int hosts = 0, gpus = 8, points = 8;
  std::string noise, spread, loss, store, filter, format = "text";
  std::optional<double> minutes;
  FleetMarginFlags margins;
  results::PlanningRules planning;
};

/// As many equal points as asked for.
results::PlannedFleet planned_by(const PlanRunsFlags& flags) {
  if (flags.hosts == 0 || flags.noise.empty())
    core::usage_error("plan-runs: expected --fleet and --noise, or --from-store");
  const results::PointNoise noise{
      .changing = answers::margin_from("--noise", flags.noise),
      .lasting = flags.spread.empty() ? 0 : answers::margin_from("--spread", flags.spread)};
  return {.hosts = flags.hosts,
          .units_per_host = flags.gpus,
          .points = std::vector(static_cast<std::size_t>(flags.points), noise)};
}

std::vector<results::PlannedFleet> fleets_of(const PlanRunsFlags& flags, const results::FleetRules& rules) {
  if (flags.store.empty()) return {planned_by(flags)};
  const results::Store store = open_store_to_judge(flags.store);
  return answers::or_bad_input([&] { return results::planned_as_measured(store, flags.filter, rules); });
}

int plan_runs(PlanRunsFlags flags) {
  const results::FleetRules rules = fleet_rules_from(flags.margins);
  flags.planning.loss = flags.loss.empty() ? 2 * rules.margin : answers::margin_from("--loss", flags.loss);
  return print_rounds_needed(fleets_of(flags, rules), rules, flags.planning, flags.minutes, flags.format);
}

void add_fleet_flags(CLI::App& app, PlanRunsFlags& flags) {
  CLI::Option* fleet = app.add_option("--fleet", flags.hosts, "hosts to accept")
                           ->check(number_between(8, 5000))
                           ->type_name("HOSTS");
  app.add_option("--gpus", flags.gpus, "of each host")
      ->check(number_between(1, 16))
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--points", flags.points, "measured on each GPU in a round")
      ->check(number_between(1, 100))
      ->type_name("N")
      ->capture_default_str();
  CLI::Option* noise =
      app.add_option("--noise", flags.noise, "of one point from round to round (CV)")->type_name("SHARE");
  app.add_option("--spread", flags.spread,
                 "between GPUs in every round, such as silicon's (CV; default: none)")
      ->type_name("SHARE");
  CLI::Option* store = add_file(app, "--from-store", flags.store,
                                "hosts, points and noise as a fleet's first rounds show them");
  store->excludes(fleet)->excludes(noise);
  app.add_option("--filter", flags.filter, "with --from-store: glob over cases, or case/point")
      ->needs(store)
      ->type_name("GLOB");
}

void add_answer_flags(CLI::App& app, PlanRunsFlags& flags) {
  add_fleet_margins(app, flags.margins);
  app.add_option("--loss", flags.loss, "of a GPU that has to fail (default: twice the margin)")
      ->type_name("SHARE");
  app.add_option("--power", flags.planning.power, "share of fleets that have to be decided")
      ->check(number_between(0.5, 0.99))
      ->type_name("SHARE")
      ->capture_default_str();
  app.add_option("--minutes", flags.minutes, "that one round takes")
      ->check(number_between(0.01, 1e5))
      ->type_name("MINUTES");
  app.add_option("--most-rounds", flags.planning.most_rounds, "to try")
      ->check(number_between(3, 60))
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--simulated", flags.planning.fleets, "fleets of each kind, for each number of rounds")
      ->check(number_between(10, 10'000))
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--seed", flags.planning.seed, "of the simulated noise")->capture_default_str();
  add_format_option(app, flags.format);
}

}  // namespace

Command plan_runs_command(CLI::App& parent) {
  const auto flags = std::make_shared<PlanRunsFlags>();
  CLI::App* app = parent.add_subcommand("plan-runs", "How many rounds decide whether a fleet is accepted");
  add_fleet_flags(*app, *flags);
  add_answer_flags(*app, *flags);
  app->footer(
      "Judges simulated fleets, sound and with one slow GPU, as assay accept does. Exit code 3: no number "
      "decides.");
  return {app, [flags] { return plan_runs(*flags); }};
}

}  // namespace assay::cli

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iostream>

#include "harness/cli/command.hpp"
#include "harness/cli/open_store.hpp"
#include "harness/cli/render_table.hpp"
#include "harness/core/error.hpp"
#include "harness/core/exit_code.hpp"
#include "results/judge/acceptance.hpp"
#include "results/judge/digests.hpp"

namespace assay::cli {
namespace {

struct AcceptFlags {
  std::string store, filter, places, format = "text";
  results::FleetRules rules;
};

int exit_code_of(results::Acceptance verdict) {
  if (verdict == results::Acceptance::refused) return core::exit_code::fail;
  return verdict == results::Acceptance::accepted ? core::exit_code::pass : core::exit_code::inconclusive;
}

std::vector<results::MeasuredFleet> fleets_of(const AcceptFlags& flags) {
  const results::Store store = open_existing_store(flags.store);
  try {
    const auto places = flags.places.empty() ? results::FleetPlaces{} : results::read_places(flags.places);
    std::vector<results::MeasuredFleet> fleets = results::read_fleet(store, flags.filter, places);
    results::add_digest_findings(store, fleets);
    return fleets;
  } catch (const std::runtime_error& error) {
    core::usage_error(error.what());
  }
}

int accept(const AcceptFlags& flags) {
  results::Acceptance gravest = results::Acceptance::accepted;
  for (const results::MeasuredFleet& fleet : fleets_of(flags)) {
    const results::FleetAcceptance judged = results::accept(fleet, flags.rules);
    std::cout << render_table(results::to_table(judged), flags.format);
    const auto verdict = judged.verdict();
    if (verdict == results::Acceptance::refused || gravest == results::Acceptance::accepted)
      gravest = verdict;
  }
  return exit_code_of(gravest);
}

}  // namespace

Command accept_command(CLI::App& parent) {
  const auto flags = std::make_shared<AcceptFlags>();
  CLI::App* app = parent.add_subcommand("accept",
                                        "Is any unit of this fleet slower than its equals: suspects of a "
                                        "first look, faults that fresh measurements confirm");
  add_store_option(*app, flags->store);
  app->add_option("--filter", flags->filter, "only cases, or case/point, that match this glob")
      ->type_name("GLOB");
  app->add_option("--places", flags->places, "where hosts stand (CSV: host,rack,switch ...)")
      ->type_name("FILE");
  app->add_option("--margin", flags->rules.margin, "a confirmed loss below this is no fault")
      ->check(CLI::Range(0.0001, 0.9))
      ->capture_default_str();
  app->add_option("--suspects", flags->rules.most_suspects,
                  "share of units that a point sends to a second look")
      ->check(CLI::Range(0.0001, 0.5))
      ->capture_default_str();
  add_format_option(*app, flags->format);
  return {app, [flags] { return accept(*flags); }};
}

}  // namespace assay::cli

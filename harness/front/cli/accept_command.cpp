// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <utility>
#include <variant>

#include "harness/front/cli/command.hpp"
#include "harness/front/cli/file_name.hpp"
#include "harness/front/cli/fleet_margins.hpp"
#include "harness/front/cli/margin.hpp"
#include "harness/front/cli/model_limits.hpp"
#include "harness/front/cli/open_store.hpp"
#include "harness/front/cli/or_bad_input.hpp"
#include "harness/front/cli/verdict_output.hpp"
#include "results/judge/absolute_limits.hpp"
#include "results/judge/acceptance.hpp"
#include "results/judge/digests.hpp"
#include "results/judge/fleet_doubts.hpp"
#include "results/judge/judged_runs.hpp"
#include "results/judge/store_doubts.hpp"

namespace assay::cli {
namespace {

struct AcceptFlags {
  std::string store, filter, places, model_margin = "10%";
  std::vector<std::string> limits, coefficients;
  FleetMarginFlags margins;
  VerdictOutput output;
};

/// What one judge said, for people and for programs.
struct Judged {
  results::Verdicts verdicts;
  results::Table table;
};

std::vector<Judged> against_equals(const results::Store& store, const AcceptFlags& flags,
                                   const results::FleetRules& rules) {
  const auto places = flags.places.empty() ? results::FleetPlaces{} : results::read_places(flags.places);
  std::vector<results::MeasuredFleet> fleets = results::read_fleet(store, flags.filter, places);
  results::add_digest_findings(store, fleets);
  std::vector<Judged> all;
  for (const results::MeasuredFleet& fleet : fleets) {
    const results::FleetAcceptance judged = results::accept(fleet, rules);
    all.push_back({results::verdicts_of(judged), results::to_table(judged)});
  }
  return all;
}

/// For people only what does not pass.
Judged with_table(results::Verdicts verdicts) {
  results::Table table = results::to_table(verdicts);
  std::erase_if(table.rows, [](const auto& row) {
    return std::get<std::string>(row.front()) == results::to_string(results::Verdict::pass);
  });
  return {std::move(verdicts), std::move(table)};
}

Judged against_limits(const results::Store& store, const AcceptFlags& flags) {
  std::vector<results::LimitsFile> files;
  for (const std::string& file : flags.limits) files.push_back(results::read_limits(file));
  return with_table(results::judge_limits(store, flags.filter, files));
}

/// Of records that are no sound evidence.
std::optional<Judged> doubts_about(const results::Store& store) {
  results::Verdicts doubts = results::judge_store(store, "accept");
  if (doubts.rows.empty()) return std::nullopt;
  return with_table(std::move(doubts));
}

/// What was judged and of which runs.
struct JudgedStore {
  std::vector<Judged> parts;
  std::vector<results::JudgedRun> runs;
};

JudgedStore judge(const AcceptFlags& flags) {
  const double model_margin = margin_from("--model-margin", flags.model_margin);
  const results::FleetRules rules = fleet_rules_from(flags.margins);
  const results::Store store = open_store_to_judge(flags.store);
  return or_bad_input([&] {
    std::vector<Judged> all = against_equals(store, flags, rules);
    if (auto doubts = doubts_about(store)) all.push_back(std::move(*doubts));
    if (auto doubts = results::fleet_doubts(store); !doubts.rows.empty())
      all.push_back(with_table(std::move(doubts)));
    if (!flags.limits.empty()) all.push_back(against_limits(store, flags));
    if (!flags.coefficients.empty())
      all.push_back(with_table(judge_by_model(store, flags.filter, flags.coefficients, model_margin)));
    return JudgedStore{std::move(all), results::judged_runs(store)};
  });
}

int accept(const AcceptFlags& flags) {
  results::Verdicts whole{.command = "accept"};
  std::vector<results::Table> tables;
  JudgedStore judged = judge(flags);
  whole.runs = std::move(judged.runs);
  for (Judged& one : judged.parts) {
    tables.push_back(std::move(one.table));
    results::append(whole, std::move(one.verdicts));
  }
  return tell(whole, tables, flags.output);
}

}  // namespace

Command accept_command(CLI::App& parent) {
  const auto flags = std::make_shared<AcceptFlags>();
  CLI::App* app =
      parent.add_subcommand("accept",
                            "Is any unit of this fleet slower than its equals: shown to be, shown "
                            "not to be, or how many more runs would decide");
  add_store_option(*app, flags->store);
  app->add_option("--filter", flags->filter, "only cases, or case/point, that match this glob")
      ->type_name("GLOB");
  app->add_option("--places", flags->places,
                  "where hosts, GPUs and ports stand (CSV: host,rack,switch ... or host,gpu,port,rail ...)")
      ->check(file_name())
      ->type_name("FILE");
  add_fleet_margins(*app, flags->margins);
  app->add_option("--limits", flags->limits,
                  "absolute limits of a type of machine (TOML; docs/reference/files.md)")
      ->check(file_name())
      ->type_name("FILE")
      ->check(file_name())
      ->allow_extra_args(false);
  app->add_option("--coefficients", flags->coefficients,
                  "of assay fit: what they predict limits times; may be repeated")
      ->check(file_name())
      ->type_name("FILE")
      ->allow_extra_args(false);
  app->add_option("--model-margin", flags->model_margin, "how much longer than predicted is accepted")
      ->capture_default_str()
      ->type_name("SHARE");
  add_verdict_options(*app, flags->output);
  return {app, [flags] { return accept(*flags); }};
}

}  // namespace assay::cli

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <list>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "harness/core/error.hpp"
#include "harness/core/process/exit_code.hpp"
#include "harness/front/cli/command.hpp"
#include "harness/front/cli/flags/file_name.hpp"
#include "harness/front/cli/flags/open_store.hpp"
#include "harness/front/cli/output/claims_table.hpp"
#include "harness/front/cli/output/render_table.hpp"
#include "harness/front/cli/tasks/claim_sources.hpp"
#include "model/claims/claims_file.hpp"
#include "model/claims/tested_claim.hpp"

namespace assay::cli {
namespace {

using model::claims::Claim;
using model::claims::TestedClaim;

struct ClaimsFlags {
  std::vector<std::string> ids;
  std::string examples, store, format = "text";
  bool list = false, scenarios = false, summary = false;
};

/// The runs of a store, each opened once.
struct SiteRecords {
  explicit SiteRecords(const std::string& file) : store(open_existing_store(file)) {
    for (const results::StoredRun& run : results::all_runs(store)) runs.emplace_back(store, run.run_id);
  }
  results::Store store;
  std::list<results::RunPoints> runs;
};

void quote_commands(results::Table& table) {
  for (auto& row : table.rows) row.back() = "`" + std::get<std::string>(row.back()) + "`";
}

std::vector<TestedClaim> test(const ClaimsFlags& flags, const std::vector<Claim>& chosen) {
  ClaimCommands commands(examples_folder(flags.examples));
  std::optional<SiteRecords> site;
  if (!flags.store.empty()) site.emplace(flags.store);
  model::claims::Sources sources{
      .ask = [&](const std::string& command) { return commands.answer(command); },
      .measure = [&](const std::string& command) { return commands.measure(command); },
      .runs = {},
      .threads = std::thread::hardware_concurrency()};
  if (site)
    for (const results::RunPoints& run : site->runs) sources.runs.push_back(&run);
  return model::claims::test_claims(chosen, sources);
}

std::vector<Claim> chosen_by(const ClaimsFlags& flags) {
  std::vector<Claim> chosen = model::claims::shipped_claims(flags.ids);
  if (flags.scenarios) std::erase_if(chosen, [](const Claim& claim) { return !claim.scenario; });
  if (chosen.empty()) core::usage_error("claims: --scenarios: none of the rows that are named is one");
  return chosen;
}

/// Numbers by source, and the rows that do not agree, with their commands.
std::string summary_of(const std::vector<TestedClaim>& tested, const ClaimsFlags& flags) {
  std::vector<TestedClaim> others = tested;
  std::erase_if(others, [](const TestedClaim& claim) { return claim.agrees(); });
  results::Table table = claims_table(others, true);
  table.title = "Claims that do not agree";
  if (flags.format == "markdown") quote_commands(table);
  return render_table(claim_sources_table(tested), flags.format) + "\n" + render_table(table, flags.format);
}

/// With commands, but in a table for a terminal that shows all rows: they are wide.
results::Table table_of(const std::vector<TestedClaim>& tested, const ClaimsFlags& flags) {
  const bool commands = !flags.ids.empty() || !is_text(flags.format);
  results::Table table = flags.scenarios ? scenarios_table(tested) : claims_table(tested, commands);
  if ((commands || flags.scenarios) && flags.format == "markdown") quote_commands(table);
  return table;
}

int claims(const ClaimsFlags& flags) {
  const std::vector<Claim> chosen = chosen_by(flags);
  if (flags.list) {
    std::cout << render_table(claim_ids_table(chosen), flags.format);
    return core::exit_code::pass;
  }
  const std::vector<TestedClaim> tested = test(flags, chosen);
  std::cout << (flags.summary ? summary_of(tested, flags)
                              : render_table(table_of(tested, flags), flags.format));
  const auto is_wrong = [](const TestedClaim& each) { return each.found() ? !each.holds() : each.failed(); };
  if (std::ranges::any_of(tested, is_wrong)) return core::exit_code::fail;
  return std::ranges::all_of(tested, &TestedClaim::found) ? core::exit_code::pass
                                                          : core::exit_code::inconclusive;
}

}  // namespace

Command claims_command(CLI::App& parent) {
  const auto flags = std::make_shared<ClaimsFlags>();
  CLI::App* app = parent.add_subcommand("claims", "Test published claims: what they say, what comes out");
  app->add_option("ids", flags->ids, "some of them: D26, or the name of a row")->type_name("ID");
  add_file(*app, "--store", flags->store, "records of a site, for the claims that only hardware answers");
  app->add_flag("--list", flags->list, "the ids, their rows and the tests that hold them; runs nothing");
  app->add_flag("--scenarios", flags->scenarios,
                "only those of fabrics, by number: what is printed, expected, simulated");
  app->add_flag("--summary", flags->summary, "numbers by source, and the rows that do not agree in full");
  add_file(*app, "--examples", flags->examples, "folder of the files that the claims' commands read", "DIR");
  add_format_option(*app, flags->format);
  app->footer(
      "Exit code 0: all come out as expected. 1: one does not, or its command failed. 3: one could not be "
      "tested.");
  return {app, [flags] { return claims(*flags); }};
}

}  // namespace assay::cli

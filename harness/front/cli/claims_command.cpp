// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "harness/core/error.hpp"
#include "harness/core/exit_code.hpp"
#include "harness/front/cli/command.hpp"
#include "harness/front/cli/file_name.hpp"
#include "harness/front/cli/render_table.hpp"
#include "harness/front/suite/child.hpp"
#include "harness/front/suite/modules.hpp"
#include "model/claims/claims_file.hpp"
#include "model/claims/tested_claim.hpp"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;
using model::claims::Claim;
using model::claims::TestedClaim;

struct ClaimsFlags {
  std::vector<std::string> ids;
  std::string examples, format = "text";
};

/// Files that the commands of claims name: as installed, or in the source tree.
fs::path examples_folder(const std::string& named) {
  const fs::path installed = suite::own_folder().parent_path() / "share" / "assay" / "examples";
  for (const fs::path& folder :
       named.empty() ? std::vector{installed, fs::path("model/examples")} : std::vector{fs::path(named)})
    if (fs::is_directory(folder / "fabric")) return folder;
  core::usage_error(
      fmt::format("claims: {}: no folder of examples (--examples: share/assay/examples, or "
                  "model/examples of the sources)",
                  named.empty() ? installed.string() : named));
}

nlohmann::json ask_assay(const fs::path& examples, const std::string& command) {
  std::vector<std::string> argv = {"/usr/bin/env", "-C", examples.string(),
                                   (suite::own_folder() / "assay").string()};
  std::istringstream words(command);
  for (std::string word; words >> word;) argv.push_back(word);
  argv.emplace_back("--json");
  const suite::Output output = suite::run_and_read(argv);
  const int code = output.ending.exit_code;
  if (output.ending.signal != 0 || (code != core::exit_code::pass && code != core::exit_code::fail))
    core::usage_error(fmt::format("assay {} ended with {}", command, code));
  return nlohmann::json::parse(output.text);
}

/// All, or those with these ids, or of published claims with these.
std::vector<Claim> chosen_claims(const std::vector<std::string>& ids) {
  std::vector<Claim> all = model::claims::shipped_claims();
  if (ids.empty()) return all;
  std::vector<Claim> chosen;
  std::set<std::string> unknown(ids.begin(), ids.end());
  for (Claim& claim : all) {
    std::vector<std::string> names = claim.of;
    names.push_back(claim.id);
    const bool is_chosen = std::ranges::any_of(
        names, [&](const std::string& name) { return std::ranges::find(ids, name) != ids.end(); });
    for (const std::string& name : names) unknown.erase(name);
    if (is_chosen) chosen.push_back(std::move(claim));
  }
  if (!unknown.empty()) core::usage_error(fmt::format("claims: no claim '{}'", *unknown.begin()));
  return chosen;
}

std::string text_of(const model::claims::Expectation& expected) {
  if (!expected.most) return fmt::format("at least {:.6g}", *expected.least);
  if (!expected.least) return fmt::format("at most {:.6g}", *expected.most);
  if (*expected.least == *expected.most) return fmt::format("{:.6g}", *expected.least);
  return fmt::format("{:.4g} to {:.4g}", *expected.least, *expected.most);
}

std::string command_of(const model::claims::Quantity& quantity) {
  const std::string own = "assay " + quantity.command;
  return quantity.against.empty() ? own : own + "; over: assay " + quantity.against;
}

std::vector<results::Cell> row_of(const TestedClaim& tested) {
  const Claim& claim = *tested.claim;
  results::Cell found;
  if (tested.value) found = results::Number{.value = *tested.value};
  return {claim.id,
          fmt::format("{}", fmt::join(claim.of, " ")),
          claim.source,
          claim.says,
          text_of(claim.expected),
          found,
          claim.quantity.unit,
          claim.evidence,
          tested.verdict()};
}

/// `commands`: in a column; a reader of the table gets them by `assay claims ROW`.
results::Table table_of(const std::vector<TestedClaim>& tested, bool commands) {
  using Kind = results::Column::Kind;
  results::Table table{.title = "Published claims, and what assay finds"};
  for (const char* const name :
       {"row", "of", "source", "says", "expected", "found", "unit", "evidence", "verdict"})
    table.columns.push_back({.name = name});
  table.columns[5].kind = Kind::number;
  if (commands) table.columns.push_back({.name = "command"});
  for (const TestedClaim& one : tested) {
    table.rows.push_back(row_of(one));
    if (commands) table.rows.back().emplace_back(command_of(one.claim->quantity));
  }
  return table;
}

int claims(const ClaimsFlags& flags) {
  const std::vector<Claim> chosen = chosen_claims(flags.ids);
  const fs::path examples = examples_folder(flags.examples);
  const std::vector<TestedClaim> tested = model::claims::test_claims(
      chosen, [&](const std::string& command) { return ask_assay(examples, command); });
  const bool commands = !flags.ids.empty() || flags.format == "csv" || flags.format == "json";
  std::cout << render_table(table_of(tested, commands), flags.format);
  if (std::ranges::any_of(tested, [](const TestedClaim& each) { return !each.value; }))
    return core::exit_code::inconclusive;
  return std::ranges::all_of(tested, &TestedClaim::holds) ? core::exit_code::pass : core::exit_code::fail;
}

}  // namespace

Command claims_command(CLI::App& parent) {
  const auto flags = std::make_shared<ClaimsFlags>();
  CLI::App* app = parent.add_subcommand("claims", "Test published claims: what they say, what comes out");
  app->add_option("ids", flags->ids, "some of them: D26, or the name of a row")->type_name("ID");
  add_file(*app, "--examples", flags->examples, "folder of the files that the claims' commands read", "DIR");
  add_format_option(*app, flags->format);
  app->footer("Exit code 0: all come out as expected. 1: one does not. 3: one could not be tested.");
  return {app, [flags] { return claims(*flags); }};
}

}  // namespace assay::cli

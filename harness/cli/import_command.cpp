// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <iostream>

#include "harness/cli/command.hpp"
#include "harness/cli/open_store.hpp"
#include "harness/core/error.hpp"
#include "harness/core/exit_code.hpp"

namespace assay::cli {
namespace {

struct ImportFlags {
  std::vector<std::string> journals;
  std::string store;
};

/// Good lines go in; damaged ones are told one by one and make the exit code 3: what they held is not known.
int import(const ImportFlags& flags) {
  for (const std::string& journal : flags.journals)
    if (!std::filesystem::exists(journal)) core::usage_error(fmt::format("{}: no such journal", journal));
  results::Store store(flags.store);
  bool damaged = false;
  for (const std::string& journal : flags.journals) {
    const results::ImportSummary summary = store.import_journal(journal);
    for (const results::JournalProblem& problem : summary.problems)
      std::cerr << fmt::format("{}:{}: damaged line passed over: {}\n", problem.file.string(), problem.line,
                               problem.what);
    std::cout << fmt::format("{}: {} records added, {} already there, {} damaged\n", journal, summary.added,
                             summary.already_there, summary.problems.size());
    damaged = damaged || !summary.problems.empty();
  }
  return damaged ? core::exit_code::inconclusive : core::exit_code::pass;
}

}  // namespace

Command import_command(CLI::App& parent) {
  const auto flags = std::make_shared<ImportFlags>();
  CLI::App* app = parent.add_subcommand("import", "Read journals, of this node or of others, into the store");
  app->add_option("journals", flags->journals, "journal files")->required()->type_name("FILE...");
  add_store_option(*app, flags->store);
  return {app, [flags] { return import(*flags); }};
}

}  // namespace assay::cli

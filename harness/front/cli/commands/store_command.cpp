// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iostream>

#include "harness/core/process/exit_code.hpp"
#include "harness/front/cli/command.hpp"
#include "harness/front/cli/flags/open_store.hpp"
#include "results/store/remove_run.hpp"

namespace assay::cli {
namespace {

struct StoreFlags {
  std::string store;
  std::vector<std::string> runs;
};

int remove(const StoreFlags& flags) {
  results::Store store = open_existing_store(flags.store);
  const std::int64_t records = results::remove_runs(store, flags.runs);
  std::cout << fmt::format("{}: {} runs removed, with {} records\n", store.path().string(), flags.runs.size(),
                           records);
  return core::exit_code::pass;
}

}  // namespace

Command store_command(CLI::App& parent) {
  const auto flags = std::make_shared<StoreFlags>();
  CLI::App* app = parent.add_subcommand("store", "Care for a store");
  app->require_subcommand(1);
  CLI::App* removal = app->add_subcommand(
      "remove", "Remove runs from the store; their journals stay, and can be imported again");
  removal->add_option("--run", flags->runs, "run ids")->type_name("ID...")->required();
  add_store_option(*removal, flags->store);
  return {app, [flags] { return remove(*flags); }};
}

}  // namespace assay::cli

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/cli/flags/open_store.hpp"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <iostream>
#include <stdexcept>

#include "harness/core/error.hpp"
#include "harness/core/printable.hpp"
#include "harness/front/cli/command.hpp"
#include "harness/front/cli/flags/file_name.hpp"

namespace assay::cli {

std::filesystem::path store_in(const std::filesystem::path& folder) { return folder / "store.sqlite"; }

void add_store_option(CLI::App& app, std::string& store) {
  store = store_in(default_folder);
  add_file(app, "--store", store, "store of records")->capture_default_str();
}

results::Store open_store_to_judge(const std::string& path) {
  results::Store store = open_existing_store(path);
  store.verify();
  return store;
}

void import_journal(results::Store& store, const std::filesystem::path& journal) {
  for (const results::JournalProblem& problem : store.import_journal(journal).problems)
    std::cerr << core::printable_message(fmt::format("{}:{}: damaged line skipped: {}", problem.file.string(),
                                                     problem.line, problem.what)) +
                     "\n";
}

void refuse_other_than_store(const std::filesystem::path& path) try {
  if (std::filesystem::exists(path))
    results::Store(path, results::StoreMode::create, std::chrono::milliseconds(0));
} catch (const results::NoStore& error) {
  core::usage_error(error.what());
} catch (const std::runtime_error&) {
  // Held by another process.
}

}  // namespace assay::cli

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The store a command reads or writes.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>

#include "harness/front/answers/open_store.hpp"
#include "results/store/store.hpp"

namespace assay::cli {

/// The store of `folder`, in which `assay run` and `burn-in` put their records.
std::filesystem::path store_in(const std::filesystem::path& folder);

/// Adds --store; its default is the store that `assay run` writes.
void add_store_option(CLI::App& app, std::string& store);

using answers::open_existing_store;
using answers::open_store;

/// Calls open_existing_store() and verifies every page of the file: a verdict rests on all of it.
results::Store open_store_to_judge(const std::string& path);

/// Puts a journal into the store. Each damaged line is skipped and is a line on standard error.
void import_journal(results::Store& store, const std::filesystem::path& journal);

/// Throws a usage Error, before anything is measured, where the file at `path` is not a store of this
/// program. One that another process writes to passes; it is waited for when the measuring is over.
void refuse_other_than_store(const std::filesystem::path& path);

}  // namespace assay::cli

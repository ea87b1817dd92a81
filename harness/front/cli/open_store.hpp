// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The store a command reads or writes.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>

#include "results/store/store.hpp"

namespace assay::cli {

/// Where `assay run` and `burn-in` put their records.
std::filesystem::path store_in(const std::filesystem::path& folder);

/// Adds --store; its default is the store that `assay run` writes.
void add_store_option(CLI::App& app, std::string& store);

/// `create` also makes its folder. Throws a usage Error for what is not a store, and std::runtime_error where
/// another process holds it.
results::Store open_store(const std::string& path, results::StoreMode mode);

/// The same, and a usage Error when there is no such file or an empty one: reading must not create a store.
results::Store open_existing_store(const std::string& path);

/// The same, with every page of the file verified: a verdict rests on all of it.
results::Store open_store_to_judge(const std::string& path);

/// Puts a journal into the store. Each damaged line is skipped and is a line on standard error.
void import_journal(results::Store& store, const std::filesystem::path& journal);

/// Before anything is measured: throws a usage Error where the file at `path` is not a store of this
/// program. One that another process writes to passes; it is waited for when the measuring is over.
void refuse_other_than_store(const std::filesystem::path& path);

}  // namespace assay::cli

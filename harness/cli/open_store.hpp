// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The store a command reads or writes.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "results/store.hpp"

namespace assay::cli {

/// Adds --store; its default is the store that `assay run` writes.
void add_store_option(CLI::App& app, std::string& store);

/// `create` also makes its folder. Throws a usage Error for what is no store, and std::runtime_error where
/// another process holds it.
results::Store open_store(const std::string& path, results::StoreMode mode);

/// The same, and a usage Error when there is no such file or an empty one: reading must not create a store.
results::Store open_existing_store(const std::string& path);

}  // namespace assay::cli

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

namespace assay::cli {

/// `--log json`, of commands that run for long. It is in force from the moment it is parsed.
void add_log_option(CLI::App& app);

}  // namespace assay::cli

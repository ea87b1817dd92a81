// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The flags of every command that starts modules: which points, who starts the ranks, where it is kept.
#pragma once

#include <CLI/CLI.hpp>
#include <iosfwd>
#include <optional>
#include <string>

#include "harness/front/suite/processes/plan_run.hpp"

namespace assay::cli {

/// Adds the flags that select points. `default_plan` is for the help text.
void add_selection(CLI::App& app, suite::RunOptions& options, const std::string& default_plan);

struct DryRunFlags {
  bool asked = false;
  std::optional<std::string> as;  // "h100x8"; nothing: this machine
};

/// Adds --dry-run, which prints `what` and measures nothing, and --as.
void add_dry_run(CLI::App& app, DryRunFlags& flags, const std::string& what);

/// Prints points and time of each module of the plan in one round, and returns its size. Throws a usage Error
/// as size_of_plan() does.
suite::PlanSize print_size(suite::RunOptions options, const DryRunFlags& flags, std::ostream& out);

/// Adds the flags for what starts the ranks of modules that measure between several processes.
void add_launcher_options(CLI::App& app, suite::LauncherFlags& launcher);

/// Adds the flags for how long a silent point is waited for, and for the modules' programs.
void add_patience(CLI::App& app, suite::RunOptions& options);

}  // namespace assay::cli

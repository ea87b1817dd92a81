// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A subcommand: describes its flags once, then runs and returns the exit code.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <vector>

namespace assay::cli {

struct Command {
  CLI::App* app = nullptr;
  std::function<int()> run;
};

/// Adds every subcommand, in the order of the help: the list in CMakeLists.txt, each NAME of which is a
/// function `Command NAME_command(CLI::App& parent)` of commands/.
std::vector<Command> add_commands(CLI::App& parent);

/// Commands of the group `fabric`.
Command fabric_check_command(CLI::App& group);
Command fabric_counters_command(CLI::App& group);
Command fabric_locate_command(CLI::App& group);
Command fabric_read_command(CLI::App& group);
Command fabric_routes_command(CLI::App& group);

/// The folder of runs and the store unless a flag says otherwise.
inline constexpr const char* default_folder = "assay-results";

}  // namespace assay::cli

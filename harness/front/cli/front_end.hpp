// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The command line of `assay`: which subcommands there are and what they take.
#pragma once

#include <CLI/CLI.hpp>
#include <vector>

#include "harness/front/cli/command.hpp"

namespace assay::cli {

struct FrontEnd {
  FrontEnd();

  CLI::App app;
  std::vector<Command> commands;
};

int front_end(int argc, char** argv);

}  // namespace assay::cli

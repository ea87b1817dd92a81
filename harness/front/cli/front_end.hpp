// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The command line of `assay`: which subcommands there are and what they take.
#pragma once

#include <string>
#include <vector>

namespace assay::cli {

int front_end(int argc, char** argv);

/// The help of `assay` and of each subcommand, as docs/reference/cli.md holds it.
std::string documentation();

}  // namespace assay::cli

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Verdicts as the reader of a command asked for them: a person, a test runner, a monitor, another program.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "results/judge/verdict/verdicts.hpp"
#include "results/table/long_table.hpp"

namespace assay::cli {

struct VerdictOutput {
  std::string format = "text", file;
};

/// Adds --format and --verdicts.
void add_verdict_options(CLI::App& app, VerdictOutput& output);

/// A core::ByteSink to standard output.
void print_piece(std::string_view piece);

/// Prints the tables for people in the formats text and markdown, the verdicts in the others, and writes the
/// file. Returns the exit code.
int print_verdicts(const results::Verdicts& verdicts, const std::vector<results::LongTable>& tables,
                   const VerdictOutput& output);

}  // namespace assay::cli

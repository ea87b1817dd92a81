// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Verdicts as the reader of a command asked for them: a person, a test runner, a monitor, another program.
#pragma once

#include <CLI/CLI.hpp>
#include <chrono>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "results/judge/exchange/tested_system.hpp"
#include "results/judge/verdict/verdicts.hpp"
#include "results/table/long_table.hpp"

namespace assay::cli {

struct VerdictOutput {
  std::string format = "text", file;
  std::chrono::system_clock::time_point started = std::chrono::system_clock::now();
};

/// Describes what was judged; asked only by formats that say it.
using DescribeSystem = std::function<results::TestedSystem()>;

/// Adds --format and --verdicts.
void add_verdict_options(CLI::App& app, VerdictOutput& output);

/// A core::ByteSink to standard output.
void print_piece(std::string_view piece);

/// Prints the tables for people in the formats text and markdown, the verdicts in the others, and writes the
/// file. Returns the exit code.
int print_verdicts(const results::Verdicts& verdicts, const std::vector<results::LongTable>& tables,
                   const VerdictOutput& output, const DescribeSystem& describe);

/// The machines of the verdicts' runs, as these stores have them.
results::TestedSystem system_of(const results::Verdicts& verdicts,
                                std::initializer_list<const results::Store*> stores);

}  // namespace assay::cli

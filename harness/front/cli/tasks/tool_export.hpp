// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// `assay export` to the tools that model training: which timings each gets, and what is reported
// besides its files.
#pragma once

#include <CLI/CLI.hpp>
#include <set>
#include <string>
#include <vector>

#include "model/exporters/exporters.hpp"

namespace assay::cli {

struct ToolFlags {
  std::string gemm_csv, collectives_csv, memory_csv;
  std::string filter;  // of the points of a run
  model::exporters::ExportRequest request;
};

void add_tool_options(CLI::App& app, ToolFlags& flags);

/// A line or two for each exporter, for --help.
std::string about_tools();

/// Throws a usage Error for an option given, one of add_tool_options() or the run, that `form`, an exporter's
/// or not, would ignore.
void refuse_unused(const std::string& form, const std::set<std::string>& given, bool of_run);

/// Throws a usage Error for more than one of a run, CSV files and --coefficients.
void refuse_two_sources(const std::string& form, const model::exporters::ExportRequest& request, bool of_run);

/// `form` is the name of an exporter. Reports coefficients, errors and notes on standard error.
std::vector<model::exporters::ExportedFile> tool_files(const std::string& form, const ToolFlags& flags,
                                                       const std::string& store, const std::string& run);

}  // namespace assay::cli

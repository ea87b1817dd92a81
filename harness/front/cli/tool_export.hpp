// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// `assay export` to the tools that model training: which timings each gets, and what is told beside its
// files.
#pragma once

#include <CLI/CLI.hpp>
#include <set>
#include <string>
#include <vector>

#include "model/exporters/exported.hpp"

namespace assay::cli {

struct ToolFlags {
  std::string gemm_csv, collectives_csv, memory_csv;
  std::string mode = "roofline";
  std::size_t tier = 0;
  std::int64_t smallest = 512;
  model::exporters::ExportRequest request;
  std::set<std::string> given = {};  // options that the command line has, "--tier"
};

void add_tool_options(CLI::App& app, ToolFlags& flags);

std::vector<std::string> tool_forms();

/// Throws a usage Error for one of add_tool_options() that `form`, a tool's or not, would ignore.
void refuse_unused(const std::string& form, const std::set<std::string>& given);

/// `form` is one of tool_forms(). Tells coefficients, errors and notes on standard error.
std::vector<model::exporters::ExportedFile> tool_files(const std::string& form, const ToolFlags& flags,
                                                       const std::string& store, const std::string& run);

}  // namespace assay::cli

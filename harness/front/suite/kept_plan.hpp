// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The order of a run: its name, and its plan and filters, which are kept in its folder so that a resume
// continues with the same points.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/front/suite/processes/plan_run.hpp"
#include "harness/plan/plan.hpp"

namespace assay::suite {

/// Files that keep the order in the folder of a run.
inline constexpr const char *plan_file_name = "plan.toml", *flags_file_name = "flags.txt",
                            *modules_file_name = "modules.txt";

/// A name made from this time and host.
std::string new_run_name();
/// A run's name becomes a folder in the folder of runs, and nothing else: a usage Error for what is more.
void refuse_as_folder_name(const std::string& run_id);

/// The newest of the folders in `folder` that hold both files, by the time `file` was written: names
/// given by people are in no order. A usage Error naming `what` where there is none.
std::string latest_with(const std::filesystem::path& folder, const std::string& file,
                        const std::string& beside, const std::string& what);

std::filesystem::path plan_copy(const RunOptions& options, const std::string& run_id);
/// A resumed run continues its own plan unless another is named.
plan::Plan plan_for(const RunOptions& options, const std::string& run_id);

bool names_module(const plan::Plan& plan, const std::string& module);
void refuse_unknown_modules(const plan::Plan& plan);

/// --filter, --benchmark_filter, --axis and --workload as given, one word a line.
std::string words_of(const RunOptions& options);
/// The modules that were asked for, kept with the run for a resume that names none. Empty: all of them.
std::vector<std::string> keep_modules(const RunOptions& options, const std::string& run_id);
/// Flags that every start of a module receives. The plan and the words are kept with the run, so that a
/// resume which names no others continues with the same points.
std::vector<std::string> keep_flags(const RunOptions& options, const std::string& run_id,
                                    const plan::Plan& plan);

}  // namespace assay::suite

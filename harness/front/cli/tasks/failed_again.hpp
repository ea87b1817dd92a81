// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// `assay run --failed`: the points of a run that failed, alone, in the same journal.
#pragma once

#include <CLI/CLI.hpp>
#include <iosfwd>
#include <string>
#include <vector>

#include "harness/front/suite/processes/plan_run.hpp"

namespace assay::cli {

struct FailedAgain {
  bool asked = false;
  std::string store = {};                // empty: the folder's run
  std::vector<std::string> limits = {};  // files
};

void add_failed_flags(CLI::App& app, FailedAgain& failed);

/// Leaves the failed points to `options`, which then resume the run; false where there are none, as `out`
/// says. A run of a store that the folder lacks is put there. Throws a usage Error for a run that is not
/// there, that was measured on another host, or not measured.
bool only_failed(const FailedAgain& failed, suite::RunOptions& options, std::ostream& out);

}  // namespace assay::cli

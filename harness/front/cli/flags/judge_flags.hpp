// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Inputs and margins by which records are judged, as flags: the same for each command that asks the judges,
// and one for each input that a judge declares (results/judge/judges.hpp).
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>
#include <vector>

#include "harness/front/cli/flags/fleet_margins.hpp"
#include "results/judge/judges.hpp"

namespace assay::cli {

struct JudgeFlags {
  std::string filter = {};
  FleetMarginFlags margins = {};
  std::map<std::string, std::vector<std::string>> files = {};  // by input
  std::map<std::string, std::string> shares = {};
};

void add_judge_flags(CLI::App& app, JudgeFlags& flags);

/// An order without comparisons. Throws a usage Error naming the flag for what is not a share.
results::JudgeOrder order_from(const JudgeFlags& flags);

}  // namespace assay::cli

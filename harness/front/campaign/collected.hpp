// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Files that the nodes of a campaign left in its folder: journals for the store, and verdicts of checks and
// burn-ins.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/front/campaign/nodes/roster.hpp"
#include "results/judge/verdict/verdicts.hpp"

namespace assay::campaign {

/// Journals of nodes and groups, in order of their names.
std::vector<std::filesystem::path> journals_in(const std::filesystem::path& campaign_folder);

/// Verdicts of the nodes' checks and burn-ins, with the node before each unit: "n3/GPU 5 0000:60:00.0". One
/// row for each unit that passed, all rows of the others. A step without its file is NOT_RUN.
std::vector<results::VerdictRow> node_verdicts(const Roster& roster,
                                               const std::filesystem::path& nodes_folder);

}  // namespace assay::campaign

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A stage between nodes: groups that share no node measure at the same time, round after round. Each group is
// an `assay run` whose ranks the launcher starts on exactly its nodes.
#pragma once

#include <atomic>
#include <iosfwd>
#include <string>
#include <vector>

#include "harness/front/campaign/groups.hpp"
#include "harness/front/campaign/site.hpp"
#include "results/judge/verdict/verdicts.hpp"

namespace assay::campaign {

/// The command of a group; `resume` continues what it began.
std::vector<std::string> group_command(const Site& site, const Stage& stage, int run, const Group& group,
                                       bool resume);

/// Of the records of a group.
std::string group_run_id(const Site& site, const Stage& stage, int run, const Group& group);

/// A row for each group that did not measure all of its points. What was measured by an earlier start of the
/// campaign is not measured again.
std::vector<results::VerdictRow> measure_groups(const Site& site, const Stage& stage, int run,
                                                const std::vector<std::vector<Group>>& rounds,
                                                const std::atomic<int>& signals, std::ostream& out);

/// The same, of the groups of the stage; and a row for a stage that has none.
std::vector<results::VerdictRow> run_fabric_stage(const Site& site, const Stage& stage, int run,
                                                  const std::vector<std::string>& present,
                                                  const std::atomic<int>& signals, std::ostream& out);

}  // namespace assay::campaign

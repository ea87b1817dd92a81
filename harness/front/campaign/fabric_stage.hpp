// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A stage between nodes: groups that share no node measure at the same time, round after round.
#pragma once

#include <atomic>
#include <iosfwd>
#include <string>
#include <vector>

#include "harness/front/campaign/nodes/groups.hpp"
#include "harness/front/campaign/site.hpp"
#include "results/judge/verdict/verdicts.hpp"

namespace assay::campaign {

/// Measures groups; returns a row for each that did not measure all of its points. Points that an earlier
/// start of the campaign measured are not measured again.
std::vector<results::VerdictRow> measure_groups(const Site& site, const Stage& stage, int run,
                                                const std::vector<std::vector<Group>>& rounds,
                                                const std::atomic<int>& signals, std::ostream& out);

/// Measures the stage's groups as measure_groups() does; returns a row, too, for a stage that has none.
std::vector<results::VerdictRow> run_fabric_stage(const Site& site, const Stage& stage, int run,
                                                  const std::vector<std::string>& present,
                                                  const std::atomic<int>& signals, std::ostream& out);

}  // namespace assay::campaign

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A stage that finds the largest set of nodes that pass together: each test of a group is an `assay run`, one
// after another. Writes the set as a hostfile, STAGE.hosts in the campaign's folder.
#pragma once

#include <atomic>
#include <iosfwd>
#include <string>
#include <vector>

#include "harness/front/campaign/site.hpp"
#include "results/judge/verdict/verdicts.hpp"

namespace assay::campaign {

/// Returns a row about the set, and one for each node or pair that it lacks. Tests that an earlier start of
/// the campaign made are not made again.
std::vector<results::VerdictRow> run_grow_stage(const Site& site, const Stage& stage,
                                                const std::vector<std::string>& present,
                                                const std::atomic<int>& signals, std::ostream& out);

}  // namespace assay::campaign

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Everything the collectives module measures: each operation by assay's algorithms, and by MPI's.
#pragma once

#include <vector>

#include "collectives/measure/module_settings.hpp"
#include "collectives/problem.hpp"
#include "collectives/watch/hang_watch.hpp"
#include "harness/core/measure/benchmark.hpp"
#include "harness/team/team.hpp"

namespace assay::collectives {

/// Listed and planned for `ranks`, without any peer. Their prepare is team::lead's to make. Throws
/// core::Error (usage) for a traffic matrix that cannot be read.
std::vector<core::Case> declared_cases(const ModuleSettings& settings, int ranks);

/// The cases that one rank of a standing team runs. Rank 0's watch, if any, learns where each rank's post is;
/// it must outlive the cases.
std::vector<core::Case> cases(const ModuleSettings& settings, team::Team& team, HangWatch* watch = nullptr);

}  // namespace assay::collectives

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Everything the collectives room measures: each operation by our own algorithms, and by MPI's.
#pragma once

#include <vector>

#include "collectives/problem.hpp"
#include "collectives/room/room_settings.hpp"
#include "harness/core/benchmark.hpp"
#include "harness/team/team.hpp"

namespace assay::collectives {

/// Listed and planned for `ranks`, without any peer. Their prepare is team::lead's to make. Throws
/// core::Error (usage) for a traffic matrix that cannot be read.
std::vector<core::Case> declared_cases(const RoomSettings& settings, int ranks);

/// What one rank of a standing team runs.
std::vector<core::Case> cases(const RoomSettings& settings, team::Team& team);

/// The problem a point of an operation's case states. Throws core::Error (usage) for bytes that are no whole
/// number of elements, a root that is no rank.
Problem problem_of(const core::Point& point, Operation operation, int ranks, const std::vector<int>& node_of,
                   std::shared_ptr<const CountsMatrix> matrix);

}  // namespace assay::collectives

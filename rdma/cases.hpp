// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Everything the rdma module measures.
#pragma once

#include <vector>

#include "harness/core/benchmark.hpp"
#include "harness/machine/machine.hpp"
#include "harness/team/team.hpp"

namespace assay::rdma {

/// Listed and planned for a team of `ranks`, without any device or peer. Their prepare is team::lead's to
/// make.
std::vector<core::Case> declared_cases(const machine::Machine& machine, int ranks);

/// What one rank of a standing team runs.
std::vector<core::Case> cases(const machine::Machine& machine, team::Team& team);

}  // namespace assay::rdma

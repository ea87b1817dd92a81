// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The phases of an operation of a workload file.
#pragma once

#include "model/fabric/file/workload_file.hpp"
#include "model/fabric/phases.hpp"

namespace assay::model::fabric {

struct PhaseSettings {
  int per_server = 1;       // ranks of a hierarchical operation's server
  double window_bytes = 0;  // what a sender may have in flight; 0: no limit
  /// The shifts that stand for all in an all-to-all in shifts; empty: all themselves.
  std::vector<Shift> shifts = {};
};

/// True where an all-to-all of that many ranks goes in shifts: as the operation says, or where its mean block
/// is larger than the window.
bool goes_in_shifts(const Operation& operation, int ranks, double window_bytes);

/// Phases of one of the operation's groups; none for compute. Throws a usage Error naming the operation where
/// its algorithm does not fit the ranks.
std::vector<Phase> phases_of(const Operation& operation, int ranks, const PhaseSettings& settings);

}  // namespace assay::model::fabric

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The cases of checkpoints as a plan and a list see them: what this build or machine can do of them is not
// asked.
#pragma once

#include <vector>

#include "harness/core/benchmark.hpp"

namespace assay::offload {

/// Without `unsupported` and `prepare`.
core::Case declared_save();
core::Case declared_restore();
core::Case declared_two_stages();

/// bytes, shards, block, depth, direct, checksum; and whether compute pauses for the snapshot.
std::vector<core::Axis> checkpoint_axes();
core::Axis snapshot_axis();

core::Work checkpoint_work(const core::Point& point);

}  // namespace assay::offload

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The node that was checked, for formats of verdicts that name hardware.
#pragma once

#include "harness/front/health/snapshot/snapshot.hpp"
#include "results/judge/exchange/tested_system.hpp"

namespace assay::health {

/// The node, its GPUs and its adapters, by the units of findings. Software adapters are left out.
results::TestedSystem tested_system(const Snapshot& snapshot);

}  // namespace assay::health

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What the links' counters did over the points of a run: those that moved, those that were full or could not
// be followed, and how many stood still. Only the last is good.
#pragma once

#include "results/points/fabric_points.hpp"
#include "results/show/show.hpp"

namespace assay::results {

/// Over the points of the rdma module, by host and counter: what is not good first.
Table show_counters(const RunPoints& run, const ShowOptions& options);

}  // namespace assay::results

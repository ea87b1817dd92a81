// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Rounds that a unit lacks: those in which its equals were measured and it was not.
#pragma once

#include <vector>

#include "results/judge/series/fleet_store.hpp"

namespace assay::results {

/// Adds to `missing` the units that lack points, or points in more than a quarter of the rounds, and to
/// `gaps` those that lack them in fewer. A round counts where three quarters of the equals that ever measured
/// a point did; rounds of fewer, and retests, are of suspects and their partners. `is_retest`: by round.
/// Units of one host that all lack the same are named together.
void note_gaps(MeasuredFleet& measured, const std::vector<bool>& is_retest);

}  // namespace assay::results

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Rounds of a burn-in that load the fabric beside the node: what they measure is slower than the same machine
// is alone, on purpose, so that it is held against no limit, no equals and no model of a quiet one.
#pragma once

#include <cstddef>
#include <string>

#include "results/record/record.hpp"

namespace assay::results {

/// Whether the points of this process were measured in such a round (docs/guide/burn-in.md): by ASSAY_BURN_IN
/// of its environment, or by the run's name where a launcher did not pass that on.
bool measured_together(const ContextRecord& context);

/// "8 points of rounds together are left out ...", for a judge's notes.
std::string together_note(std::size_t points);

}  // namespace assay::results

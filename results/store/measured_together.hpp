// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Rounds of a burn-in that load fabric and node at the same time: what they measure is slower than the same
// machine is alone, on purpose. It is compared with no limit, no equals and no model of a quiet machine.
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

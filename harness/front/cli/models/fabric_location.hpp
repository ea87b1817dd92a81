// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Slow pairs of a store, located in a fabric for the judges.
#pragma once

#include <span>

#include "results/judge/links/slow_elements.hpp"

namespace assay::cli {

/// As results::LocateSlow. Each metric is located by itself; together they name anything in a sound fabric
/// with a probability of 1 in 100 at most.
results::FabricLocation locate_in_fabric(const results::FabricFiles& files,
                                         std::span<const results::MetricRates> rates);

}  // namespace assay::cli

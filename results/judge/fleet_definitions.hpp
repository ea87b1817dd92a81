// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What keeps units of a fleet from being equals at all: points of one name that mean something else on one
// host, and GPUs that a host has and did not measure.
#pragma once

#include <string>
#include <vector>

#include "results/store.hpp"

namespace assay::results {

/// One line for each host and point whose definition is not that of most hosts: bytes or FLOPs of an
/// iteration, how bytes are counted, the quantile of the time, ranks, nodes, groups. `filter` as in
/// points_in_order().
std::vector<std::string> differing_definitions_of(const Store& store, const std::string& filter);

/// One line for each host of which some GPUs have points and others, which its context counts, have none.
std::vector<std::string> unmeasured_gpus_of(const Store& store, const std::string& filter);

}  // namespace assay::results

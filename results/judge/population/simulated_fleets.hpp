// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Simulated fabrics as populations: a unit is a seed of the switches' hashes, its value the time of a
// workload. What the files of two fabrics say is what is compared, and no part of the point.
#pragma once

#include <string>
#include <utility>

#include "results/judge/series/fleet_store.hpp"

namespace assay::results {

inline constexpr const char* seed_level = "seed";

/// The store holds what `assay fabric` simulated, and nothing else.
bool is_of_simulated_fabrics(const Store& store);

/// The times of whole workloads; parts of them are none of their own. A key of the fabric that both stores
/// have one value of is left out of the names of points. `filter` as in points_in_order. Throws
/// std::runtime_error with one line where a store has no such time.
std::pair<MeasuredFleet, MeasuredFleet> simulated_fleets(const Store& a, const Store& b,
                                                         const std::string& filter);

}  // namespace assay::results

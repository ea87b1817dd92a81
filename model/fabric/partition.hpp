// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The two searches behind place().
#pragma once

#include "model/fabric/placement.hpp"

namespace assay::model::fabric {

/// Equal zones, which divide the vertices: the least cut of all. Time: exponential in vertices.
std::vector<int> try_all_partitions(const TrafficGraph& graph, int zones);

/// Grown and then improved by exchanges.
std::vector<int> grow_partition(const TrafficGraph& graph, int zones, std::uint64_t seed);

/// Exchanges pairs of vertices of different zones while the cut falls.
void exchange_pairs(const TrafficGraph& graph, int zones, std::vector<int>& zone_of);

}  // namespace assay::model::fabric

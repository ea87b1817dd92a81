// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The two searches behind place().
#pragma once

#include "model/fabric/placement.hpp"

namespace assay::model::fabric {

/// Sizes of zones add up to the vertices. The least cut of all. Time: exponential in vertices.
std::vector<int> try_all_partitions(const TrafficGraph& graph, std::span<const int> sizes);

/// Grown and then improved by exchanges.
std::vector<int> grow_partition(const TrafficGraph& graph, std::span<const int> sizes, std::uint64_t seed);

/// Exchanges pairs of vertices of different zones while the cut falls.
void exchange_pairs(const TrafficGraph& graph, std::size_t zones, std::vector<int>& zone_of);

}  // namespace assay::model::fabric

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// By which rule a fabric of any shape routes, and into which parts it falls.
#pragma once

#include <vector>

#include "model/fabric/topology.hpp"

namespace assay::model::fabric {

/// Of each switch, from the first leaf on: the number of its part, where live cables join all switches of
/// one.
std::vector<std::uint32_t> parts_of_switches(const Topology& topology);

/// Hosts of each part that has any, by number; the largest part first, of equals that of the first host.
std::vector<std::vector<NodeId>> parts_of_hosts(const Topology& topology);

/// Up and down where that joins every two hosts of a part, and as shortly as any path does or every cable
/// joins neighbouring tiers; and where no cable is within a tier. Else shortest paths.
void choose_routes(Topology& topology);

}  // namespace assay::model::fabric

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The rule by which a fabric of any shape routes, and the parts into which it falls.
#pragma once

#include <optional>
#include <vector>

#include "model/fabric/topology.hpp"

namespace assay::model::fabric {

/// The number of each switch's part, from the first leaf on. Live cables join all switches of a part.
std::vector<std::uint32_t> parts_of_switches(const Topology& topology);

/// Hosts of each part that has any, by number; the largest part first, of equals that of the first host.
std::vector<std::vector<NodeId>> parts_of_hosts(const Topology& topology);

/// The first upward link between two switches of one tier; or none.
std::optional<LinkId> link_within_tier(const Topology& topology);

struct SwitchPair {
  NodeId one, other;
};
/// Two switches with hosts that a path joins, but none that goes up and then down; or, where cables skip
/// tiers, none of these that is as short. Else nothing.
std::optional<SwitchPair> pair_off_up_and_down(Topology topology);

/// Up and down where there is neither of both, else shortest paths.
void choose_routes(Topology& topology);

}  // namespace assay::model::fabric

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Whether buffers between switches can wait for one another in a circle.
#pragma once

#include <vector>

#include "model/fabric/topology.hpp"

namespace assay::model::fabric {

/// Links that wait for one another, each for the next and the last for the first, where every two hosts use
/// all of their paths: a possible deadlock under priority flow control (Hu et al. 2016, "Deadlocks in
/// datacenter networks"). Empty where paths go up and then down. Time: links times ports of a switch times
/// leaves, at most.
std::vector<LinkId> buffer_cycle(const Topology& topology);

}  // namespace assay::model::fabric

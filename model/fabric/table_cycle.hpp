// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Whether buffers can wait for one another in a circle where forwarding tables choose the ways.
#pragma once

#include <vector>

#include "model/fabric/forwarding_tables.hpp"

namespace assay::model::fabric {

/// Links between switches that wait for one another, each for the next and the last for the first, where
/// every host sends to every LID of every other over one virtual lane: a circle of the channel dependency
/// graph (Dally and Seitz 1987, "Deadlock-free message routing in multiprocessor interconnection networks").
/// Ways that deliver nothing count as far as they lead.
std::vector<LinkId> table_cycle(const Topology& topology, const ForwardingTables& tables);

}  // namespace assay::model::fabric

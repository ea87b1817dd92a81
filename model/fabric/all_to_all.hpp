// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The load that all-to-alls put on every link, all flows to one leaf together: where a switch has only one
// way left down to the leaf, flows are not followed one by one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/fabric/load.hpp"

namespace assay::model::fabric {

/// Hosts, and what each gets from each other one of them. No host is in it twice.
using AllToAll = std::vector<Delivery>;

/// How switches choose links for flows.
enum class FlowChoice {
  hashed,  // each flow's as its fields say
  drawn,   // of blocks of nearly equal size, where can_draw (drawn_flows.hpp): counts of flows are; else
           // hashed
};

/// The load of these groups at once. `server_of`: the server of each host of the fabric; hosts of one server
/// do not use the fabric between them. Digits of hashed flows, and errors, are those of load_of_rows of all
/// messages. Threads change no digit.
Load all_to_all_load(const Router& router, std::span<const AllToAll> groups,
                     std::span<const std::uint32_t> server_of, unsigned threads = 1,
                     FlowChoice choice = FlowChoice::hashed);

/// The load of one group: each of these hosts sends each other one what `bytes_for`, with one entry for each
/// host, has for the receiver.
Load all_to_all_load(const Router& router, std::span<const NodeId> hosts,
                     std::span<const std::uint64_t> bytes_for, unsigned threads = 1,
                     FlowChoice choice = FlowChoice::hashed);

}  // namespace assay::model::fabric

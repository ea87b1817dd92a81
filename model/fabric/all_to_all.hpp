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

/// The load of these groups at once. `server_of`: the server of each host of the fabric; hosts of one server
/// do not use the fabric between them. Digits and errors are those of load_of_rows of all messages, whatever
/// the threads.
Load all_to_all_load(const Router& router, std::span<const AllToAll> groups,
                     std::span<const std::uint32_t> server_of, unsigned threads = 1);

/// The load of one group: each of these hosts sends each other one what `bytes_for`, with one entry for each
/// host, has for the receiver.
Load all_to_all_load(const Router& router, std::span<const NodeId> hosts,
                     std::span<const std::uint64_t> bytes_for, unsigned threads = 1);

}  // namespace assay::model::fabric

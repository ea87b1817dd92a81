// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What all-to-alls put on every link, all flows to one leaf together: where the links lead from a switch down
// to the leaf is clear, flows are not followed one by one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/fabric/load.hpp"

namespace assay::model::fabric {

/// Hosts, and what each gets from each other one of them. No host is in it twice.
using AllToAll = std::vector<Delivery>;

/// Of these groups at once. `server_of`, of each host of the fabric: hosts of one server do not use the
/// fabric between them. The same digits as load_of_rows of all messages, and the same errors, whatever the
/// threads.
Load all_to_all_load(const Router& router, std::span<const AllToAll> groups,
                     std::span<const std::uint32_t> server_of, unsigned threads = 1);

/// Of one group: each of these hosts to each other, what `bytes_for` has for it: one entry for each host.
Load all_to_all_load(const Router& router, std::span<const NodeId> hosts,
                     std::span<const std::uint64_t> bytes_for, unsigned threads = 1);

}  // namespace assay::model::fabric

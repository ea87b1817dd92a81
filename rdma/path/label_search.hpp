// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Flow labels that spread a few flows evenly, under one model of the switch's hash.
#pragma once

#include <cstdint>
#include <vector>

#include "rdma/path/flow_set.hpp"

namespace assay::rdma {

/// The lowest labels, counted from 1, that put `flows` flows as evenly as possible on the uplinks: no uplink
/// gets a flow beyond ceil(flows / uplinks). Shorter than asked where 20 bits of labels do not suffice.
std::vector<std::uint32_t> labels_that_spread(int flows, int uplinks, const AddressPair& addresses,
                                              SwitchHash hash, std::uint32_t seed);

}  // namespace assay::rdma

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The host of the topology that each rank runs on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/fabric/topology.hpp"

namespace assay::model::fabric {

/// Rank i on GPU `first_gpu` + i. Throws a usage Error naming `where` where there are fewer GPUs.
std::vector<NodeId> linear_order(std::uint32_t ranks, std::uint32_t gpus, const std::string& where,
                                 std::uint32_t first_gpu = 0);

/// A CSV file of the columns rank, host and gpu: GPU `gpu` of server `host`, both from 0, which is host
/// `host * gpus_per_server + gpu` of the topology. Throws a usage Error with file and line for ranks that are
/// missing or placed twice, and places that do not exist or have two ranks.
std::vector<NodeId> read_order(const std::string& file, std::uint32_t ranks, std::uint32_t gpus,
                               std::uint32_t gpus_per_server);
/// Reads such a file for as many ranks as it places.
std::vector<NodeId> read_order(const std::string& file, std::uint32_t gpus, std::uint32_t gpus_per_server);

}  // namespace assay::model::fabric

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// From the declaration of a fabric to what is simulated: topology, routing, queues.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/fabric/file/fabric_file.hpp"
#include "model/fabric/topology.hpp"

namespace assay::model::fabric {

/// The most memory that building and routing take, in bytes, by the counts alone.
double memory_needed_bytes(const FabricShape& shape);
inline constexpr double most_memory_bytes = 4.0 * (1U << 30U);

/// The topology as wired, with failed and degraded links. Hosts are called by the file's `nodes`: "h3", or
/// "h3 rail1" where it names servers of several GPUs. Throws a usage Error naming file and key for faults
/// of what does not exist, switches of more ports than `radix`, buffers beyond the memory of a switch, and
/// fabrics beyond most_memory_bytes.
Topology topology_of(const FabricFile& fabric);

/// Hosts in a row that are ports of one machine.
std::uint32_t hosts_per_machine(const FabricFile& fabric);

/// XOFF of each input port of the switch, in bytes: infinity with virtual output queues; of a shared buffer,
/// its threshold where all ports are congested.
double pause_above_bytes(const FabricFile& fabric, const Topology& topology, NodeId node);

/// Capacity of each link in bytes/us, less what spraying costs.
std::vector<double> capacities_of(const FabricFile& fabric, const Topology& topology);

}  // namespace assay::model::fabric

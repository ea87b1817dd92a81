// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// From a dump of tables, by GUID and LID, to the forwarding tables of a topology, by node and link.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/fabric/forwarding_tables.hpp"
#include "model/fabric/routes/lft_dump.hpp"

namespace assay::model::fabric::routes {

/// LIDs of a host's port: 2^lmc from the base.
struct HostLids {
  std::uint32_t base = 0, lmc = 0;

  std::uint32_t count() const { return 1U << lmc; }
};

struct Subnet {
  std::vector<HostLids> hosts;               // of the topology, in order
  std::vector<std::uint64_t> switches;       // GUIDs, in order
  std::vector<std::uint64_t> adapters = {};  // GUIDs of the hosts' adapters; empty: not stated
};

/// A cable of the topology, in the order in which it was built from them.
struct PortedCable {
  NodeId lower = 0, upper = 0;
  std::uint8_t lower_port = 0, upper_port = 0;  // that of a host does not matter
};

/// Entries of LIDs that are no host's are left out. A switch that the dump does not have has no entries.
ForwardingTables bind_tables(const Topology& topology, std::span<const PortedCable> cables,
                             const Subnet& subnet, const LftDump& dump);

}  // namespace assay::model::fabric::routes

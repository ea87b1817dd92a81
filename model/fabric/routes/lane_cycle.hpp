// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Circles of buffers by link and virtual lane, where service levels of paths are known.
#pragma once

#include <cstdint>
#include <vector>

#include "model/fabric/routes/bind_tables.hpp"
#include "model/fabric/routes/service_levels.hpp"

namespace assay::model::fabric::routes {

struct Lane {
  LinkId link = 0;
  std::uint8_t lane = 0;
};

struct LaneCycle {
  std::vector<Lane> cycle;       // the first found: each waits for the next one; empty: none
  std::uint64_t unknown = 0;     // pairs of LIDs whose level is not stated: level 0
  std::uint64_t pairs = 0;       // of hosts' LIDs, whose way is delivered
  std::uint32_t lanes_used = 0;  // on links between switches
};

/// Every path from a host's first LID to every LID of every other host.
LaneCycle lane_cycle(const Topology& topology, const ForwardingTables& tables, const Subnet& subnet,
                     const PathLevels& levels, const LaneMaps& maps);

}  // namespace assay::model::fabric::routes

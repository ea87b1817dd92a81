// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Switches with their cables and hosts, as the comparison of a plan with a site sees them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "model/fabric/topology.hpp"

namespace assay::model::fabric::wiring {

/// Switches are numbered from 0, in the topology's order. All vectors are by switch.
struct WiredNet {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<LinkId>> cables;  // links up of each pair
  std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> neighbours;   // switch and cables to it
  std::vector<std::map<std::string, std::vector<NodeId>>> hosts;                  // by label

  std::size_t switches() const { return neighbours.size(); }
  std::size_t cables_between(std::uint32_t one, std::uint32_t other) const;
};

/// `labels`: of every host, as far as the comparison knows it: its name, its rail, or nothing. Failed cables
/// are none.
WiredNet wired_net(const Topology& topology, const std::vector<std::string>& labels);

}  // namespace assay::model::fabric::wiring

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/wiring/wired_net.hpp"

#include <algorithm>

namespace assay::model::fabric::wiring {

std::size_t WiredNet::cables_between(std::uint32_t one, std::uint32_t other) const {
  const auto found = cables.find(std::minmax(one, other));
  return found == cables.end() ? 0 : found->second.size();
}

WiredNet wired_net(const Topology& topology, const std::vector<std::string>& labels) {
  WiredNet net;
  const NodeId first = topology.hosts();
  net.neighbours.resize(topology.nodes() - first);
  net.hosts.resize(net.neighbours.size());
  for (LinkId link = 0; link < topology.links() / 2; ++link) {
    if (!topology.live(link)) continue;
    const NodeId from = topology.from(link), to = topology.to(link);
    if (from < first)
      net.hosts[to - first][labels[from]].push_back(from);
    else
      net.cables[std::minmax(from - first, to - first)].push_back(link);
  }
  for (const auto& [ends, links] : net.cables) {
    const auto count = static_cast<std::uint32_t>(links.size());
    net.neighbours[ends.first].emplace_back(ends.second, count);
    net.neighbours[ends.second].emplace_back(ends.first, count);
  }
  return net;
}

}  // namespace assay::model::fabric::wiring

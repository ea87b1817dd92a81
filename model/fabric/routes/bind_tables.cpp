// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/routes/bind_tables.hpp"

namespace assay::model::fabric::routes {
namespace {

void set_links(const Topology& topology, std::span<const PortedCable> cables, ForwardingTables& tables) {
  LinksOfCables links(topology);
  for (const PortedCable& cable : cables) {
    const LinkId up = links.next(cable.lower);
    if (cable.lower >= topology.hosts()) tables.set_link(cable.lower, cable.lower_port, up);
    tables.set_link(cable.upper, cable.upper_port, topology.reverse(up));
  }
}

}  // namespace

ForwardingTables bind_tables(const Topology& topology, std::span<const PortedCable> cables,
                             const Subnet& subnet, const LftDump& dump) {
  std::vector<std::uint32_t> counts;
  for (const HostLids& one : subnet.hosts) counts.push_back(one.count());
  ForwardingTables tables(topology, counts);
  set_links(topology, cables, tables);
  for (NodeId node = topology.hosts(); node < topology.nodes(); ++node) {
    const auto own = dump.switches.find(subnet.switches[node - topology.hosts()]);
    if (own == dump.switches.end()) continue;
    for (NodeId host = 0; host < topology.hosts(); ++host)
      for (std::uint32_t lid = 0; lid < counts[host]; ++lid)
        tables.set_port(node, host, lid, own->second.port(subnet.hosts[host].base + lid));
  }
  return tables;
}

}  // namespace assay::model::fabric::routes

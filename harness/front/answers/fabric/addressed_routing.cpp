// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/answers/fabric/addressed_routing.hpp"

#include <algorithm>
#include <memory>

#include "harness/core/error.hpp"
#include "harness/front/answers/fabric/located_pairs.hpp"
#include "model/fabric/file/build_fabric.hpp"
#include "model/fabric/locate/node_names.hpp"

namespace assay::answers {
namespace {

namespace fabric = model::fabric;
namespace locate = model::fabric::locate;

/// Addresses of the site's hosts: those that the fabric states for its hosts of the same names.
fabric::HostAddresses by_name(const fabric::FabricFile& file, const fabric::site::SiteFabric& site) {
  if (file.nodes.empty())
    core::usage_error(file.file + ": host.addresses: with --topology, expected nodes, which names the hosts");
  const fabric::Topology own = fabric::topology_of(file);
  const locate::NodeNames names = names_of(site);
  fabric::HostAddresses addresses(site.topology.hosts());
  for (fabric::NodeId host = 0; host < own.hosts(); ++host)
    if (const auto there = names.find_host(own.name_of(host)))
      addresses[*there] = (*file.routing.addresses)[host];
  return addresses;
}

bool is_known(const locate::MeasuredFlow& flow) {
  return std::ranges::all_of(flow.queue_pairs, [](const locate::MeasuredQueuePair& one) {
    return one.ports.has_value() || !one.path.empty();
  });
}

void drop_ports_without(const fabric::HostAddresses& addresses, locate::MeasuredPairs& pairs) {
  pairs.known_paths = 0;
  for (locate::Measurement& measurement : pairs.measurements)
    for (locate::MeasuredFlow& flow : measurement.flows) {
      if (addresses[flow.source].empty() || addresses[flow.destination].empty())
        for (locate::MeasuredQueuePair& one : flow.queue_pairs) one.ports.reset();
      pairs.known_paths += is_known(flow) ? 1 : 0;
    }
}

}  // namespace

fabric::RoutingSettings addressed_routing(const fabric::FabricFile& file,
                                          const fabric::site::SiteFabric& site, bool not_its_own,
                                          locate::MeasuredPairs& pairs) {
  fabric::RoutingSettings routing = file.routing;
  if (routing.hash == path::SwitchHash::ideal) return routing;
  fabric::HostAddresses addresses(site.topology.hosts());
  if (routing.addresses) addresses = not_its_own ? by_name(file, site) : *routing.addresses;
  for (const auto& [host, text] : pairs.addresses)
    addresses[host] = text.empty() ? "" : path::address_bytes(text);
  const auto known = std::ranges::find_if(addresses, [](const std::string& one) { return !one.empty(); });
  routing.addresses.reset();
  if (known == addresses.end()) return routing;
  drop_ports_without(addresses, pairs);
  const std::string none(known->size(), '\0');
  for (std::string& one : addresses)
    if (one.empty()) one = none;
  routing.addresses = std::make_shared<const fabric::HostAddresses>(std::move(addresses));
  return routing;
}

}  // namespace assay::answers

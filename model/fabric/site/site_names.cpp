// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/site/site_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "harness/core/units.hpp"

namespace assay::model::fabric::site {

std::vector<SiteMachine> machines_of(const SiteFabric& site) {
  std::vector<NodeId> order(site.ports.size());
  std::iota(order.begin(), order.end(), NodeId{0});
  const auto is_before = [](const std::string& one, const std::string& other) {
    return ::strverscmp(one.c_str(), other.c_str()) < 0;
  };
  std::ranges::stable_sort(order, [&](NodeId one, NodeId other) {
    const SiteEnd &first = site.ports[one], &second = site.ports[other];
    return first.node == second.node ? is_before(first.port, second.port)
                                     : is_before(first.node, second.node);
  });
  std::vector<SiteMachine> machines;
  for (const NodeId host : order) {
    const std::string& name = site.ports[host].node;
    if (machines.empty() || machines.back().name != name) machines.push_back({name, {}});
    machines.back().ports.push_back(host);
  }
  return machines;
}

std::string rail_name(const SiteMachine& machine, std::size_t port) {
  return machine.ports.size() == 1 ? machine.name : fmt::format("{} rail{}", machine.name, port);
}

std::vector<std::pair<std::string, NodeId>> other_names(const SiteFabric& site) {
  std::vector<std::pair<std::string, NodeId>> names;
  for (const SiteMachine& machine : machines_of(site))
    for (std::size_t port = 0; port < machine.ports.size(); ++port) {
      const SiteEnd& end = site.ports[machine.ports[port]];
      names.emplace_back(rail_name(machine, port), machine.ports[port]);
      for (const std::string& name : {end.port, end.full_port})
        if (!name.empty()) names.emplace_back(machine.name + " " + name, machine.ports[port]);
    }
  return names;
}

std::string counts_of(const SiteFabric& site) {
  const std::size_t machines = machines_of(site).size(), ports = site.topology.hosts();
  const auto text = [](std::size_t count, std::string_view noun) {
    return core::counted(static_cast<std::int64_t>(count), noun);
  };
  const std::uint32_t switches = site.topology.nodes() - site.topology.hosts();
  return fmt::format("{}{}, {} switch{}", text(machines, "host"),
                     ports == machines ? "" : " with " + text(ports, "port"), switches,
                     switches == 1 ? "" : "es");
}

}  // namespace assay::model::fabric::site

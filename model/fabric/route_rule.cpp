// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/route_rule.hpp"

#include <algorithm>
#include <limits>

#include "model/fabric/next_hops.hpp"

namespace assay::model::fabric {

namespace {

std::vector<NodeId> switches_with_hosts(const Topology& topology) {
  std::vector<NodeId> switches;
  for (NodeId node = topology.hosts(); node < topology.hosts() + topology.edge_switches(); ++node)
    if (topology.has_host(node)) switches.push_back(node);
  return switches;
}

bool has_cable_within_a_tier(const Topology& topology) {
  for (LinkId up = topology.hosts(); up < topology.links() / 2; ++up)
    if (topology.within_tier(up)) return true;
  return false;
}

/// Whether the topology as it is joins every two hosts that any path joins.
bool joins_all(const Topology& topology) {
  const NextHops hops(topology);
  const std::vector<NodeId> switches = switches_with_hosts(topology);
  const std::vector<std::uint32_t> part = parts_of_switches(topology);
  const NodeId first = topology.hosts();
  for (const NodeId to : switches)
    for (const NodeId from : switches)
      if (from != to && part[from - first] == part[to - first] && hops.towards(to, from).empty())
        return false;
  return true;
}

bool is_as_short(const Topology& up_down, const Topology& shortest) {
  const NextHops one(up_down), other(shortest);
  const std::vector<NodeId> switches = switches_with_hosts(up_down);
  for (const NodeId to : switches) {
    const std::vector<std::uint32_t> far = one.hops_to(to), least = other.hops_to(to);
    for (const NodeId from : switches)
      if (far[from - up_down.hosts()] != least[from - up_down.hosts()]) return false;
  }
  return true;
}

}  // namespace

std::vector<std::uint32_t> parts_of_switches(const Topology& topology) {
  constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  const NodeId first = topology.hosts();
  std::vector<std::uint32_t> part(topology.nodes() - first, none);
  std::uint32_t parts = 0;
  std::vector<NodeId> open;
  const auto enter = [&](NodeId node) {
    if (node < first || part[node - first] != none) return;
    part[node - first] = parts;
    open.push_back(node);
  };
  for (NodeId start = first; start < topology.nodes(); ++start) {
    if (part[start - first] != none) continue;
    for (enter(start); !open.empty();) {
      const NodeId at = open.back();
      open.pop_back();
      for (LinkId link = topology.first_up(at); link < topology.end_up(at); ++link)
        if (topology.live(link)) enter(topology.to(link));
      for (LinkId link = topology.first_down(at); link < topology.end_down(at); ++link)
        if (topology.live(link)) enter(topology.to(link));
    }
    ++parts;
  }
  return part;
}

std::vector<std::vector<NodeId>> parts_of_hosts(const Topology& topology) {
  const std::vector<std::uint32_t> part = parts_of_switches(topology);
  std::vector<std::vector<NodeId>> hosts(std::ranges::max(part) + std::size_t{1});
  for (NodeId host = 0; host < topology.hosts(); ++host)
    hosts[part[topology.leaf_of(host) - topology.hosts()]].push_back(host);
  std::erase_if(hosts, [](const std::vector<NodeId>& one) { return one.empty(); });
  std::ranges::sort(hosts, [](const std::vector<NodeId>& one, const std::vector<NodeId>& other) {
    return one.size() != other.size() ? one.size() > other.size() : one.front() < other.front();
  });
  return hosts;
}

void choose_routes(Topology& topology) {
  const bool neighbouring = topology.route_rule() == RouteRule::up_down;
  if (has_cable_within_a_tier(topology)) return topology.set_route_rule(RouteRule::shortest);
  Topology shortest = topology;
  shortest.set_route_rule(RouteRule::shortest);
  topology.set_route_rule(RouteRule::up_down);
  if (!joins_all(topology) || (!neighbouring && !is_as_short(topology, shortest)))
    topology.set_route_rule(RouteRule::shortest);
}

}  // namespace assay::model::fabric

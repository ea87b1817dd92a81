// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/routing/route_rule.hpp"

#include <algorithm>
#include <limits>
#include <span>

#include "model/fabric/routing/next_hops.hpp"

namespace assay::model::fabric {

namespace {

/// Whether every cable joins a tier with the next.
bool joins_neighbours(const Topology& topology) {
  for (LinkId up = 0; up < topology.links() / 2; ++up)
    if (topology.tier_of(topology.to(up)) != topology.tier_of(topology.from(up)) + 1) return false;
  return true;
}

/// A bit for each switch that paths up from `leaf` lead to, itself included.
void mark_above(const Topology& topology, NodeId leaf, std::span<std::uint64_t> bits) {
  std::vector<NodeId> open;
  const auto enter = [&](NodeId node) {
    std::uint64_t& word = bits[(node - topology.hosts()) / 64];
    const std::uint64_t bit = std::uint64_t{1} << (node - topology.hosts()) % 64;
    if ((word & bit) == 0) open.push_back(node);
    word |= bit;
  };
  for (enter(leaf); !open.empty();) {
    const NodeId at = open.back();
    open.pop_back();
    for (LinkId link = topology.first_up(at); link < topology.end_up(at); ++link)
      if (topology.live(link)) enter(topology.to(link));
  }
}

/// Two switches with hosts that a path joins, but with no switch above both; or none.
std::optional<SwitchPair> find_unjoined(const Topology& topology) {
  const std::vector<NodeId> switches = topology.switches_with_hosts();
  const std::vector<std::uint32_t> part = parts_of_switches(topology);
  const std::size_t words = (part.size() + 63) / 64;
  std::vector<std::uint64_t> above(switches.size() * words);
  const auto above_of = [&](std::size_t at) { return std::span(above).subspan(at * words, words); };
  for (std::size_t at = 0; at < switches.size(); ++at) mark_above(topology, switches[at], above_of(at));
  for (std::size_t one = 0; one < switches.size(); ++one)
    for (std::size_t other = 0; other < one; ++other) {
      const bool joined = part[switches[one] - topology.hosts()] == part[switches[other] - topology.hosts()];
      if (joined && std::ranges::equal(above_of(one), above_of(other),
                                       [](std::uint64_t a, std::uint64_t b) { return (a & b) == 0; }))
        return SwitchPair{switches[other], switches[one]};
    }
  return std::nullopt;
}

/// Two switches with hosts whose shortest path is shorter than the one up and down; or none.
std::optional<SwitchPair> find_longer(const Topology& up_down) {
  Topology shortest = up_down;
  shortest.set_route_rule(RouteRule::shortest);
  const NextHops one(up_down), other(shortest);
  const std::vector<NodeId> switches = up_down.switches_with_hosts();
  for (const NodeId to : switches) {
    const std::vector<std::uint32_t> far = one.hops_to(to), least = other.hops_to(to);
    for (const NodeId from : switches)
      if (far[from - up_down.hosts()] != least[from - up_down.hosts()]) return SwitchPair{from, to};
  }
  return std::nullopt;
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

std::optional<LinkId> link_within_tier(const Topology& topology) {
  for (LinkId up = topology.hosts(); up < topology.links() / 2; ++up)
    if (topology.within_tier(up)) return up;
  return std::nullopt;
}

std::optional<SwitchPair> pair_off_up_and_down(Topology topology) {
  topology.set_route_rule(RouteRule::up_down);
  if (const auto unjoined = find_unjoined(topology)) return unjoined;
  return joins_neighbours(topology) ? std::nullopt : find_longer(topology);
}

void choose_routes(Topology& topology) {
  const bool goes_up_and_down = !link_within_tier(topology) && !pair_off_up_and_down(topology);
  topology.set_route_rule(goes_up_and_down ? RouteRule::up_down : RouteRule::shortest);
}

}  // namespace assay::model::fabric

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A topology from a list of cables whose ends have names.
#include <algorithm>
#include <map>
#include <set>

#include "model/fabric/presets.hpp"
#include "model/fabric/refuse.hpp"
#include "model/fabric/routing/route_rule.hpp"

namespace assay::model::fabric {

namespace {

/// "leaf" and 3 of "leaf3".
std::pair<std::string, std::uint32_t> kind_and_number(const std::string& name) {
  const std::size_t digits = name.find_last_not_of("0123456789") + 1;
  if (digits == 0 || digits == name.size() || name.size() - digits > 9)
    refuse("'" + name + "' is not a node; write a kind and a number, as leaf3");
  return {name.substr(0, digits), static_cast<std::uint32_t>(std::stoul(name.substr(digits)))};
}

struct Kind {
  std::set<std::string> below;  // other kinds
  std::uint32_t nodes = 0;      // one more than the greatest number
  std::set<std::uint32_t> named = {};
};
using Kinds = std::map<std::string, Kind>;

Kinds kinds_of(const std::vector<NamedCable>& cables) {
  Kinds kinds;
  for (const NamedCable& cable : cables) {
    const auto lower = kind_and_number(cable.lower), upper = kind_and_number(cable.upper);
    for (const auto& [kind, number] : {lower, upper}) {
      kinds[kind].named.insert(number);
      kinds[kind].nodes = std::max(kinds[kind].nodes, number + 1);
    }
    if (upper.first != lower.first) kinds[upper.first].below.insert(lower.first);
  }
  for (const auto& [name, kind] : kinds)
    if (kind.named.size() != kind.nodes)
      refuse("the list of links names " + name + std::to_string(kind.nodes - 1) + " but not all before it");
  return kinds;
}

/// "host" where there are such nodes, else the one kind with none below it.
std::string kind_of_hosts(const Kinds& kinds) {
  if (kinds.contains("host")) return "host";
  std::vector<std::string> lowest;
  for (const auto& [name, kind] : kinds)
    if (kind.below.empty()) lowest.push_back(name);
  if (lowest.size() != 1)
    refuse(
        "the list of links has no order of tiers: expected hosts named host0, or one kind with none below "
        "it");
  return lowest.front();
}

/// Cables from a host at least, by kinds.
std::map<std::string, std::size_t> distances_of(const Kinds& kinds, const std::string& hosts) {
  std::map<std::string, std::size_t> far = {{hosts, 0}};
  for (bool grows = true; grows;) {
    grows = false;
    for (const auto& [name, kind] : kinds)
      for (const std::string& below : kind.below)
        for (const auto& [from, to] : {std::pair(below, name), std::pair(name, below)})
          if (far.contains(from) && (!far.contains(to) || far[to] > far[from] + 1)) {
            far[to] = far[from] + 1;
            grows = true;
          }
  }
  return far;
}

/// A kind is above all that are below it; where kinds are above each other, by distance from the hosts.
std::map<std::string, std::size_t> levels_of(const Kinds& kinds, const std::string& hosts) {
  std::map<std::string, std::size_t> levels;
  for (const auto& [name, kind] : kinds) levels[name] = name == hosts ? 0 : 1;
  for (std::size_t round = 0; round <= kinds.size(); ++round) {
    bool grows = false;
    for (const auto& [name, kind] : kinds)
      for (const std::string& below : kind.below)
        if (name != hosts && levels[name] <= levels[below]) {
          levels[name] = levels[below] + 1;
          grows = true;
        }
    if (!grows) return levels;
  }
  return distances_of(kinds, hosts);
}

/// Kinds from hosts up.
std::vector<Tier> tiers_of(const Kinds& kinds) {
  const std::string hosts = kind_of_hosts(kinds);
  std::map<std::string, std::size_t> levels = levels_of(kinds, hosts), far = distances_of(kinds, hosts);
  std::vector<Tier> tiers;
  for (const auto& [name, kind] : kinds) tiers.push_back({name, kind.nodes});
  std::ranges::stable_sort(tiers, {}, [&](const Tier& tier) {
    const auto distance = far.find(tier.kind);
    return std::pair(levels.contains(tier.kind) ? levels[tier.kind] : kinds.size(),
                     distance == far.end() ? kinds.size() : distance->second);
  });
  return tiers;
}

}  // namespace

Topology from_cables(const std::vector<NamedCable>& cables) {
  if (cables.empty()) refuse("the list of links is empty");
  const std::vector<Tier> tiers = tiers_of(kinds_of(cables));
  std::map<std::string, NodeId> first;
  NodeId next = 0;
  for (const Tier& tier : tiers) {
    first[tier.kind] = next;
    next += tier.nodes;
  }
  std::vector<Cable> numbered;
  for (const NamedCable& cable : cables) {
    const auto lower = kind_and_number(cable.lower), upper = kind_and_number(cable.upper);
    const NodeId one = first[lower.first] + lower.second, other = first[upper.first] + upper.second;
    if (one == other) refuse(cable.lower + ">" + cable.upper + " joins a node with itself");
    numbered.push_back({std::min(one, other), std::max(one, other), cable.speed});
  }
  Topology topology(tiers, numbered);
  choose_routes(topology);
  return topology;
}

}  // namespace assay::model::fabric

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A topology from a list of cables whose ends have names.
#include <algorithm>
#include <map>
#include <set>

#include "model/fabric/presets.hpp"
#include "model/fabric/refuse.hpp"

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
  std::set<std::string> below;  // kinds
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
    kinds[upper.first].below.insert(lower.first);
  }
  for (const auto& [name, kind] : kinds)
    if (kind.named.size() != kind.nodes)
      refuse("the list of links names " + name + std::to_string(kind.nodes - 1) + " but not all before it");
  return kinds;
}

/// Kinds from hosts up: each has exactly the one before it below it.
std::vector<Tier> tiers_of(const Kinds& kinds) {
  std::vector<Tier> tiers;
  std::set<std::string> below;
  while (tiers.size() < kinds.size()) {
    const auto next =
        std::ranges::find_if(kinds, [&](const auto& kind) { return kind.second.below == below; });
    if (next == kinds.end())
      refuse("the list of links has no order of tiers: each kind of node needs exactly one kind below it");
    tiers.push_back({next->first, next->second.nodes});
    below = {next->first};
  }
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
    numbered.push_back({first[lower.first] + lower.second, first[upper.first] + upper.second, cable.speed});
  }
  return Topology(tiers, numbered);
}

}  // namespace assay::model::fabric

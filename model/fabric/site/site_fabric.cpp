// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/site/site_fabric.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/core/in_order.hpp"
#include "model/fabric/routing/route_rule.hpp"

namespace assay::model::fabric::site {

namespace {

using core::usage_error;

std::string at_line(const std::string& file, const SiteCable& cable) {
  return (cable.place.empty() ? file + ":" + std::to_string(cable.line) : cable.place) + ": ";
}

std::string text_of(const SiteEnd& end) { return "'" + end.node + "' port " + end.port; }

/// A host is a port of an adapter, a switch is one node whatever its ports.
std::string key_of(const SiteEnd& end) { return end.is_switch ? end.node : end.node + "\n" + end.port; }

/// Nodes by name, each with its tier, and the order in which the file names them.
class SiteNodes {
 public:
  SiteNodes(const std::vector<SiteCable>& cables, const std::string& file) {
    std::set<std::string> taken;
    for (const SiteCable& cable : cables) {
      if (!cable.one.is_switch && !cable.other.is_switch)
        usage_error(at_line(file, cable) + "a cable joins two hosts: " + text_of(cable.one) + " and " +
                    text_of(cable.other));
      for (const SiteEnd* end : {&cable.one, &cable.other}) {
        if (!end->port.empty() && !taken.insert(end->node + "\n" + end->port).second)
          usage_error(at_line(file, cable) + text_of(*end) + " has a cable already");
        neighbours_[key_of(*end)];
        if (end->is_switch) continue;
        tiers_[key_of(*end)] = 0;
        ++ports_of_[end->node];
      }
      neighbours_[key_of(cable.one)].push_back(key_of(cable.other));
      neighbours_[key_of(cable.other)].push_back(key_of(cable.one));
    }
    if (tiers_.empty()) usage_error(file + ": names no host");
    climb();
    lower_idle_leaves();
    number(cables, file);
  }

  NodeId of(const SiteEnd& end) const { return numbers_.at(key_of(end)); }
  std::vector<Tier> tiers() const {
    std::vector<Tier> tiers = {{"host", 0}, {"leaf", 0}, {"spine", 0}, {"core", 0}};
    for (const auto& [name, tier] : tiers_) {
      while (tier >= tiers.size()) tiers.push_back({"tier" + std::to_string(tiers.size()), 0});
      ++tiers[tier].nodes;
    }
    while (tiers.back().nodes == 0) tiers.pop_back();
    return tiers;
  }
  std::vector<std::string> take_names() { return std::move(names_); }
  std::vector<SiteEnd> take_ports() { return std::move(ports_); }
  std::vector<std::uint64_t> take_switch_guids() { return std::move(switch_guids_); }
  const std::vector<std::string>& idle_leaves() const { return idle_leaves_; }

 private:
  std::size_t hosts_of(const std::string& node) const {
    return static_cast<std::size_t>(std::ranges::count_if(
        neighbours_.at(node), [this](const std::string& one) { return hosts_.contains(one); }));
  }

  /// Switches with a few hosts above switches with more, such as a spine with the fabric's manager. The one
  /// with most hosts is none of them, so the others are reached from it.
  std::set<std::string> switches_above_leaves() const {
    std::map<std::string, std::size_t> hosts;
    for (const auto& [name, neighbours] : neighbours_)
      if (!hosts_.contains(name)) hosts.emplace(name, hosts_of(name));
    std::set<std::string> above;
    for (const auto& [name, own] : hosts) {
      const auto cables = static_cast<std::size_t>(std::ranges::count_if(
          neighbours_.at(name),
          [&, most = own](const std::string& one) { return !hosts_.contains(one) && hosts.at(one) > most; }));
      if (own > 0 && cables > own) above.insert(name);
    }
    return above;
  }

  /// Breadth first from the hosts up.
  void climb() {
    for (const auto& [name, tier] : tiers_) hosts_.insert(name);
    const std::set<std::string> above = switches_above_leaves();
    std::vector<std::string> here;
    for (const auto& [name, tier] : tiers_) here.push_back(name);
    for (std::size_t tier = 1; !here.empty(); ++tier) {
      std::vector<std::string> next;
      for (const std::string& name : here)
        for (const std::string& neighbour : neighbours_[name])
          if ((tier > 1 || !above.contains(neighbour)) && tiers_.try_emplace(neighbour, tier).second)
            next.push_back(neighbour);
      here = std::move(next);
    }
  }

  /// To two spines at least: a single cable says too little.
  bool is_cabled_like(const std::string& name, const std::string& leaf) const {
    const auto& above = neighbours_.at(leaf);
    const std::set<std::string> own(neighbours_.at(name).begin(), neighbours_.at(name).end());
    return own.size() > 1 && std::ranges::all_of(own, [&](const std::string& one) {
             return std::ranges::find(above, one) != above.end();
           });
  }

  /// Leaves whose hosts are off: they are cabled to spines as one leaf with hosts is. Switches of a core,
  /// which may be cabled likewise where there is one pod alone, differ from them by being as many as
  /// leaves.
  void lower_idle_leaves() {
    constexpr std::size_t leaf_tier = 1, core_tier = 3;
    std::size_t leaves = 0;
    for (const auto& [name, tier] : tiers_) {
      leaves += tier == leaf_tier ? 1 : 0;
      if (tier != core_tier) continue;
      const auto& beyond = neighbours_.at(neighbours_.at(name).front());
      if (std::ranges::any_of(beyond, [&, own = name](const std::string& leaf) {
            return tiers_.at(leaf) == leaf_tier && is_cabled_like(own, leaf);
          }))
        idle_leaves_.push_back(name);
    }
    if (idle_leaves_.size() >= leaves) idle_leaves_.clear();
    for (const std::string& name : idle_leaves_) tiers_[name] = leaf_tier;
  }

  void number(const std::vector<SiteCable>& cables, const std::string& file) {
    std::map<std::size_t, std::vector<const SiteEnd*>> by_tier;
    std::set<std::string> seen;
    for (const SiteCable& cable : cables)
      for (const SiteEnd* end : {&cable.one, &cable.other}) {
        const auto tier = tiers_.find(key_of(*end));
        if (tier == tiers_.end())
          usage_error(at_line(file, cable) + "no host is connected to switch '" + end->node + "'");
        if (seen.insert(key_of(*end)).second) by_tier[tier->second].push_back(end);
      }
    for (const auto& [tier, ends] : by_tier)
      for (const SiteEnd* end : ends) {
        numbers_.emplace(key_of(*end), static_cast<NodeId>(names_.size()));
        const bool is_one_of_several = tier == 0 && ports_of_[end->node] > 1;
        names_.push_back(is_one_of_several ? end->node + " " + end->port : end->node);
        if (tier == 0)
          ports_.push_back(*end);
        else
          switch_guids_.push_back(end->guid);
      }
  }

  std::map<std::string, std::vector<std::string>> neighbours_;
  std::set<std::string> hosts_;  // keys
  std::map<std::string, std::size_t> tiers_;
  std::map<std::string, int> ports_of_;  // of nodes that are no switches
  std::map<std::string, NodeId> numbers_;
  std::vector<std::string> names_;
  std::vector<SiteEnd> ports_;  // of hosts
  std::vector<std::uint64_t> switch_guids_;
  std::vector<std::string> idle_leaves_;  // without hosts
};

std::vector<SiteFabric::CablePorts> ports_of_cables(const std::vector<SiteCable>& cables,
                                                    const SiteNodes& nodes, const Topology& topology) {
  std::vector<SiteFabric::CablePorts> ports(topology.links() / 2);
  LinksOfCables links(topology);
  for (const SiteCable& cable : cables) {
    const bool rises = nodes.of(cable.one) < nodes.of(cable.other);
    const SiteEnd &lower = rises ? cable.one : cable.other, &upper = rises ? cable.other : cable.one;
    ports[links.next(nodes.of(lower))] = {lower.port, upper.port};
  }
  return ports;
}

}  // namespace

SiteFabric site_fabric(const std::vector<SiteCable>& cables, const std::string& file, LinkSpeed speed) {
  SiteNodes nodes(cables, file);
  std::vector<Cable> numbered;
  for (const SiteCable& cable : cables) {
    const NodeId one = nodes.of(cable.one), other = nodes.of(cable.other);
    if (one == other)
      usage_error(at_line(file, cable) + "a cable joins '" + cable.one.node + "' with itself");
    LinkSpeed own = speed;
    if (cable.gbit_per_s > 0) own.gbit_per_s = cable.gbit_per_s;
    numbered.push_back({std::min(one, other), std::max(one, other), own});
  }
  Topology topology(nodes.tiers(), numbered);
  choose_routes(topology);
  SiteFabric site{std::move(topology), nodes.take_names(), nodes.take_ports()};
  site.switch_guids = nodes.take_switch_guids();
  site.assumes_rates =
      std::ranges::any_of(cables, [](const SiteCable& cable) { return cable.gbit_per_s <= 0; });
  site.cable_ports = ports_of_cables(cables, nodes, site.topology);
  if (const auto& idle = nodes.idle_leaves(); !idle.empty())
    site.notes.push_back(
        fmt::format("switches without hosts, taken for leaves because they are cabled as leaves: {}",
                    fmt::join(idle, ", ")));
  return site;
}

}  // namespace assay::model::fabric::site

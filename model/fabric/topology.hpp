// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A graph of switches in tiers: every cable leads up from a node of lower number to one of a higher and is
// two directed links, each an egress queue. Links are numbered by tier, first those up, then those down:
// along a path that goes up and then down, numbers rise, unless it crosses cables within a tier.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/fabric/routing/paths.hpp"

namespace assay::model::fabric {

/// Hosts are the nodes 0 to hosts - 1, then come switches by tier. A host is one NIC port, hence one GPU.
using NodeId = std::uint32_t;

struct LinkSpeed {
  double gbit_per_s = 400;    // on the wire, each way
  double hop_latency_us = 1;  // propagation and switch

  /// Bytes/us of payload, in RoCEv2 packets of 4,096 bytes over IPv4.
  double goodput() const;
};

struct Cable {
  NodeId lower = 0, upper = 0;
  LinkSpeed speed = {};
};

/// Nodes of one tier, named by kind and number: "leaf0", "leaf1".
struct Tier {
  std::string kind;
  std::uint32_t nodes = 0;
};

enum class RouteRule {
  up_down,   // the shortest of the paths that go up as far as needed and then down
  shortest,  // the shortest of all
};

class Topology {
 public:
  /// `tiers` from hosts up. Throws a usage Error for a cable that does not lead to a switch of higher number,
  /// a host without exactly one cable, a speed that is not above 0, more than 2^31 links.
  Topology(std::vector<Tier> tiers, const std::vector<Cable>& cables);

  /// Up and down where every cable joins neighbouring tiers, else shortest; see choose_routes.
  RouteRule route_rule() const { return route_rule_; }
  void set_route_rule(RouteRule rule) { route_rule_ = rule; }

  std::uint32_t hosts() const { return tiers_.front().nodes; }
  std::uint32_t leaves() const { return tiers_[1].nodes; }
  /// Switches from the first leaf to the last one with a host, at least all leaves: hosts are on no others.
  std::uint32_t edge_switches() const { return edge_switches_; }
  std::uint32_t nodes() const { return first_of_tier_.back(); }
  std::size_t tiers() const { return tiers_.size(); }
  std::uint32_t links() const { return static_cast<std::uint32_t>(from_.size()); }
  /// The first node of a tier; that of the tier after the last is nodes().
  NodeId first_of_tier(std::size_t tier) const { return first_of_tier_[tier]; }
  std::size_t tier_of(NodeId node) const;
  const std::string& kind_of_tier(std::size_t tier) const { return tiers_[tier].kind; }
  /// From the leaves up.
  std::vector<std::string> kinds_of_switches() const;
  /// A host's own name where hosts have names, else as numbered_name().
  std::string name_of(NodeId node) const;
  /// Kind and number: "host12", "leaf0".
  std::string numbered_name(NodeId node) const;
  /// One name for each host, all different.
  void name_hosts(std::vector<std::string> names) { host_names_ = std::move(names); }
  std::string name_of_link(LinkId link) const;  // "leaf3>spine7"
  /// The link of this name: of parallel cables the first, or the one whose number follows: "leaf3>spine7#2".
  /// Throws a usage Error where there is none.
  LinkId link_named(std::string_view name) const;
  /// Finds it by its name, else by its kind and number.
  NodeId node_named(std::string_view name) const;

  NodeId from(LinkId link) const { return from_[link]; }
  NodeId to(LinkId link) const { return to_[link]; }
  LinkId reverse(LinkId link) const { return reverse_[link]; }
  NodeId leaf_of(NodeId host) const { return to_[host]; }
  /// Index of a host among those of its leaf.
  std::uint32_t slot_of(NodeId host) const { return reverse_[host] - first_down_[leaf_of(host)]; }
  /// A host's link to its leaf has the host's number; this is the link back.
  LinkId link_to_host(NodeId host) const { return reverse_[host]; }
  /// The links up, and down, of a node are numbered in a row: first, and one past the last.
  LinkId first_up(NodeId node) const { return first_up_[node]; }
  LinkId end_up(NodeId node) const { return first_up_[node] + ups_[node]; }
  LinkId first_down(NodeId node) const { return first_down_[node]; }
  LinkId end_down(NodeId node) const { return first_down_[node] + downs_[node]; }

  double capacity(LinkId link) const { return capacity_[link]; }  // bytes/us
  double latency_us(LinkId link) const { return latency_us_[link]; }
  bool live(LinkId link) const { return live_[link] != 0; }
  const std::vector<double>& capacities() const { return capacity_; }
  /// True for a link of a cable within a tier: neither up nor down.
  bool within_tier(LinkId link) const { return tier_of(from_[link]) == tier_of(to_[link]); }
  bool has_host(NodeId node) const;
  /// Switches with hosts, by number.
  std::vector<NodeId> switches_with_hosts() const;
  bool between_switches(LinkId link) const { return from_[link] >= hosts() && to_[link] >= hosts(); }

  /// Another capacity or latency for both links of the cable, where stated; before it is degraded.
  void set_cable(LinkId link, std::optional<double> bytes_per_us, std::optional<double> hop_latency_us);
  /// Both links of the cable.
  void fail_cable(LinkId link);
  /// All cables of a switch.
  void fail_switch(NodeId node);
  /// This share, in [0, 1), of the cables between switches, drawn by `seed`, rounded to whole cables.
  void fail_share(double share, std::uint64_t seed);
  /// The links up of this share, in [0, 1], of the cables between switches, as above.
  std::vector<LinkId> draw_cables(double share, std::uint64_t seed) const;
  /// One direction keeps `factor` of its capacity, in (0, 1].
  void degrade(LinkId link, double factor);

 private:
  void check(const std::vector<Cable>& cables) const;

  std::vector<Tier> tiers_;
  std::vector<std::string> host_names_;  // empty: by number
  std::vector<NodeId> first_of_tier_;
  std::vector<NodeId> from_, to_;
  std::vector<LinkId> reverse_, first_up_, first_down_;
  std::vector<std::uint32_t> ups_, downs_;  // links up and down of each node
  std::vector<double> capacity_, latency_us_;
  std::vector<char> live_;
  std::uint32_t edge_switches_ = 0;
  RouteRule route_rule_ = RouteRule::up_down;
};

/// Links up from each node, which a topology numbers in the order of its cables.
class LinksOfCables {
 public:
  explicit LinksOfCables(const Topology& topology) : next_(topology.nodes()) {
    for (NodeId node = 0; node < topology.nodes(); ++node) next_[node] = topology.first_up(node);
  }
  /// The link of the next cable that rises from this node.
  LinkId next(NodeId lower) { return next_[lower]++; }

 private:
  std::vector<LinkId> next_;
};

}  // namespace assay::model::fabric

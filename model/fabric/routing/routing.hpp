// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The paths that a message takes: by hash, by the receiver's slot, or over all of them.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "model/fabric/forwarding_tables.hpp"
#include "model/fabric/routing/flow_hash.hpp"
#include "model/fabric/routing/next_hops.hpp"
#include "model/fabric/topology.hpp"

namespace assay::model::fabric {

enum class RoutingKind {
  ecmp,      // a hash of the five-tuple at every switch with several live equal-cost links
  e_ecmp,    // the same with the destination QP number (Meta's enhanced ECMP: Gangidi et al. 2024, "RDMA over
             // Ethernet for distributed AI training at Meta scale", 4.2)
  pinned,    // at the sender's leaf the receiver's slot in its rack picks the uplink; above, as ecmp
  adaptive,  // sprayed: every switch deals it out evenly over its links that begin a shortest path
  tables,    // by the receiver's LID, as the switches' forwarding tables say
};

struct RoutingSettings {
  RoutingKind kind = RoutingKind::ecmp;
  path::SwitchHash hash = path::SwitchHash::ideal;
  std::uint32_t seed = 1;
  bool same_seed = false;  // every switch hashes alike, and upper tiers are polarised
  /// A message is split among this number of QPs, at least 1. Their numbers are drawn by `seed`.
  int queue_pairs = 1;
  std::shared_ptr<const HostAddresses> addresses = nullptr;  // FlowHashSettings
  std::shared_ptr<const ForwardingTables> tables = nullptr;  // of this topology; for `tables`
  /// Whether queue pairs use all LIDs of their receiver in turn; else its first.
  bool spread_lids = false;
};

/// A part of a message: bytes over a path from NIC to receiver.
using VisitPart = std::function<void(std::span<const LinkId> path, std::uint64_t bytes)>;

/// A message of a source that is known.
struct Delivery {
  NodeId destination = 0;
  std::uint64_t bytes = 0;
};

/// The bytes of part `at` of `parts`: where they do not divide the message, the first have a byte more.
std::uint64_t part_of_message(std::uint64_t bytes, std::size_t parts, std::size_t at);

class Router {
 public:
  /// Both as they are now; `topology` must outlive it. Throws a usage Error for less than one QP.
  Router(const Topology& topology, RoutingSettings settings);
  /// Another of the topology as it was then: next hops are found once.
  Router with(RoutingSettings settings) const { return {*topology_, next_hops_, std::move(settings)}; }

  /// Visits each part of a message between two different hosts, as part_of_message. `message` numbers those
  /// between the same hosts: each has QPs of its own. Throws as check_reach.
  void route(NodeId source, NodeId destination, std::uint64_t bytes, std::uint32_t message,
             const VisitPart& visit) const;

  /// Adds the bytes of each part of each message to each of its links, which is faster than visits; not of
  /// `adaptive`. No destination is the source.
  void add(NodeId source, std::span<const Delivery> deliveries, std::uint32_t message,
           std::span<std::uint64_t> bytes_of_links) const;

  /// The ports that route() gives this part of a message, 0 to queue_pairs - 1.
  QueuePairPorts ports_of(NodeId source, NodeId destination, std::uint32_t message, int part) const;

  /// The path of a queue pair between two different hosts; by tables, to the host's first LID whatever the
  /// ports. Not of `adaptive`. Throws as check_reach.
  std::vector<LinkId> path_of(NodeId source, NodeId destination, QueuePairPorts ports) const;

  /// Throws a usage Error naming both hosts where failures have separated them, or tables join them by no
  /// way.
  void check_reach(NodeId source, NodeId destination) const;

  /// Calls `see`, by tables, with each link after the source's own, to the first LID of the destination.
  /// Throws as check_reach.
  void visit_links(NodeId source, NodeId destination, const std::function<void(LinkId)>& see) const {
    follow_tables(source, destination, 0, see);
  }

  const RoutingSettings& settings() const { return settings_; }
  const NextHops& next_hops() const { return *next_hops_; }
  const FlowHash& hash() const { return hash_; }
  const Topology& topology() const { return *topology_; }

 private:
  Router(const Topology& topology, std::shared_ptr<const NextHops> next_hops, RoutingSettings settings);

  struct Together;
  void append_path(NodeId source, NodeId destination, QueuePairPorts ports, std::vector<LinkId>& path) const;
  void append_table_path(NodeId source, NodeId destination, std::uint32_t lid,
                         std::vector<LinkId>& path) const;
  template <class See>
  void walk(const FlowHash::Flow& flow, const See& see) const;
  template <class HashAt>
  void walk_together(Together& together, NodeId source, NodeId leaf, const HashAt& hash_at,
                     std::uint64_t* bytes) const;
  template <class HashAt>
  void add_row(NodeId source, std::span<const Delivery> deliveries, std::uint32_t message,
               const HashAt& hash_at, std::uint64_t* bytes) const;
  void follow_tables(NodeId source, NodeId destination, std::uint32_t lid,
                     const std::function<void(LinkId)>& see) const;
  std::uint32_t lid_of(NodeId destination, std::uint32_t part) const;
  void add_by_tables(NodeId source, std::span<const Delivery> deliveries, std::uint64_t* bytes) const;
  void visit_all(NodeId source, NodeId destination, std::uint64_t bytes, const VisitPart& visit) const;

  const Topology* topology_;
  RoutingSettings settings_;
  std::shared_ptr<const NextHops> next_hops_;
  FlowHash hash_;
  bool hosts_are_down_ = false;  // some of them
};

/// The share of their capacity that spraying packets over links between switches leaves: packets meet in
/// queues although loads are even. Fitted here to makespans of packet simulations of permutations, 128 to
/// 1,024 hosts, under receiver-driven transports (EQDS: Olteanu et al. 2022; NDP: Handley et al. 2017), which
/// were 0.82 to 0.88 of the ideal. Links of hosts keep theirs: an incast reaches 0.995 of it.
inline constexpr double spray_efficiency = 0.86;

/// The capacity of each link under adaptive routing, bytes/us.
std::vector<double> sprayed_capacities(const Topology& topology, double efficiency = spray_efficiency);

}  // namespace assay::model::fabric

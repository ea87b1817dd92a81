// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Forwarding tables after a cable is lost and the subnet manager has swept, with the paths of an all-to-all.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "model/fabric/routes/route_patterns.hpp"
#include "model/fabric/routes/switch_distances.hpp"

namespace assay::model::fabric::routes {

/// All that losses of single cables share: the net as it is.
class SweptNet {
 public:
  SweptNet(const Topology& topology, const ForwardingTables& tables, const Planes& planes);

  const Topology& topology() const { return topology_; }
  const ForwardingTables& tables() const { return tables_; }
  const SwitchDistances& distances() const { return distances_; }
  /// Paths of an all-to-all on each link, to LIDs that leaves all reach.
  const std::vector<std::uint64_t>& paths() const { return paths_; }
  /// Senders whose path to the host crosses the switch.
  std::uint32_t senders(NodeId at, NodeId host) const { return senders_[index(at, host)]; }
  /// LIDs that leave the switch by the port.
  std::uint32_t lids(NodeId at, std::uint8_t port) const { return lids_[(at - first_) * 256U + port]; }
  /// Whether every switch sends to the host on a shortest way.
  bool is_shortest(NodeId host) const { return shortest_[host] != 0; }

  struct Port {
    std::uint8_t port = 0;
    LinkId link = 0;
  };
  /// Ports to other switches, by number.
  std::span<const Port> ports(NodeId at) const { return ports_[at - first_]; }
  const std::vector<std::pair<NodeId, std::vector<NodeId>>>& hosts_of_leaves() const { return hosts_; }

 private:
  std::size_t index(NodeId at, NodeId host) const {
    return std::size_t{at - first_} * topology_.hosts() + host;
  }
  void count(const std::vector<NodeId>& plane);
  void count_lids();

  const Topology& topology_;
  const ForwardingTables& tables_;
  SwitchDistances distances_;
  NodeId first_;
  std::vector<std::uint64_t> paths_;
  std::vector<std::uint32_t> senders_, lids_;
  std::vector<char> shortest_;
  std::vector<std::vector<Port>> ports_;
  std::vector<std::pair<NodeId, std::vector<NodeId>>> hosts_;  // of each leaf, those that are reached
};

class SweptTables {
 public:
  explicit SweptTables(const SweptNet& net) : net_(net), paths_(net.paths()) {}

  /// Loses the cable and sweeps, as lost_cables.hpp says.
  void lose(LinkId cable);
  void restore();

  const std::vector<std::uint64_t>& paths() const { return paths_; }
  const std::set<LinkId>& changed() const { return changed_; }
  std::uint64_t separated() const { return separated_; }
  std::uint64_t moved() const { return moved_; }

 private:
  using Entry = std::pair<NodeId, NodeId>;  // switch and host
  using Raised = std::map<NodeId, std::uint16_t>;

  LinkId link(NodeId at, NodeId host) const;
  std::uint16_t hops(NodeId at, NodeId leaf) const;
  bool is_lost(LinkId link) const;
  void sweep(NodeId leaf, std::span<const NodeId> hosts);
  std::vector<NodeId> to_check(NodeId leaf) const;
  void check(NodeId at, NodeId leaf, NodeId host);
  void move(NodeId at, NodeId leaf, NodeId host);
  SweptNet::Port choose(NodeId at, NodeId leaf) const;
  void add(NodeId at, NodeId host, std::uint32_t senders);

  const SweptNet& net_;
  std::vector<std::uint64_t> paths_;
  LinkId lost_ = 0;
  Raised raised_;  // distances of the leaf that is swept
  std::map<Entry, LinkId> entries_;
  std::map<Entry, std::uint32_t> senders_;  // modulo 2^32, beyond those of the net
  std::map<std::pair<NodeId, std::uint8_t>, std::uint32_t> lids_;
  std::set<LinkId> changed_;
  std::uint64_t separated_ = 0, moved_ = 0;
};

}  // namespace assay::model::fabric::routes

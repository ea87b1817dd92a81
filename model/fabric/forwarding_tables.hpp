// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Linear forwarding tables: at every switch, the egress port of each local identifier (LID) of a host, as an
// InfiniBand subnet manager has set them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "model/fabric/topology.hpp"

namespace assay::model::fabric {

class ForwardingTables {
 public:
  static constexpr LinkId no_link = ~LinkId{0};
  static constexpr std::uint8_t no_port = 255;  // as the specification has it
  static constexpr std::size_t ports = 256;

  /// `lids_of_hosts`: the LIDs of each host, at least 1. All entries are without a port.
  ForwardingTables(const Topology& topology, const std::vector<std::uint32_t>& lids_of_hosts);

  /// The link that leaves the switch by this port.
  void set_link(NodeId at, std::uint8_t port, LinkId link) { links_[row(at) * ports + port] = link; }
  void set_port(NodeId at, NodeId host, std::uint32_t lid, std::uint8_t port) {
    ports_[row(at) * columns_ + first_column_[host] + lid] = port;
  }

  /// no_link where the port has no cable.
  LinkId link_of_port(NodeId at, std::uint8_t port) const { return links_[row(at) * ports + port]; }

  /// Calls `see` with each switch, port from 1, and its link, where the port has a cable.
  template <class See>
  void each_port(const See& see) const {
    for (std::size_t at = 0; at < links_.size(); ++at)
      if (const std::size_t port = at % ports; links_[at] != no_link && port > 0 && port < no_port)
        see(first_switch_ + static_cast<NodeId>(at / ports), static_cast<std::uint8_t>(port), links_[at]);
  }

  std::uint32_t lids_of(NodeId host) const { return first_column_[host + 1] - first_column_[host]; }
  std::uint8_t port(NodeId at, NodeId host, std::uint32_t lid) const {
    return ports_[row(at) * columns_ + first_column_[host] + lid];
  }
  /// no_link where the entry has no port, or its port no cable.
  LinkId link(NodeId at, NodeId host, std::uint32_t lid) const {
    return links_[row(at) * ports + port(at, host, lid)];
  }

  enum class End { delivered, no_entry, no_cable, wrong_host, loop };
  struct Followed {
    End end = End::delivered;
    NodeId at = 0;  // the last switch
  };
  /// Calls `see` with each link from the switch to the host, by the host's LID of this number.
  template <class See>
  Followed follow(const Topology& topology, NodeId from, NodeId host, std::uint32_t lid,
                  const See& see) const {
    const std::uint32_t switches = topology.nodes() - topology.hosts();
    for (std::uint32_t hop = 0; hop <= switches; ++hop) {
      const LinkId next = link(from, host, lid);
      if (next == no_link) return {port(from, host, lid) == no_port ? End::no_entry : End::no_cable, from};
      see(next);
      const NodeId to = topology.to(next);
      if (to < topology.hosts()) return {to == host ? End::delivered : End::wrong_host, from};
      from = to;
    }
    return {End::loop, from};
  }

 private:
  std::size_t row(NodeId at) const { return at - first_switch_; }

  NodeId first_switch_;
  std::size_t columns_;
  std::vector<std::uint32_t> first_column_;  // of each host, and one more
  std::vector<std::uint8_t> ports_;          // by switch and column
  std::vector<LinkId> links_;                // by switch and port
};

/// "spine3 has no entry", for the end of a way that delivers nothing.
std::string text_of(const Topology& topology, const ForwardingTables::Followed& followed);

}  // namespace assay::model::fabric

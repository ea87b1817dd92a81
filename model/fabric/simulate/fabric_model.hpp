// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A fabric as it is simulated: links of the topology, and of NVLink within servers, with what their queues
// do.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/fabric/file/fabric_file.hpp"
#include "model/fabric/routing/routing.hpp"
#include "model/fabric/sharing/occupancy.hpp"

namespace assay::model::fabric {

class FabricModel {
 public:
  explicit FabricModel(FabricFile file);

  const FabricFile& file() const { return file_; }
  const Topology& topology() const { return topology_; }
  /// Links whose buffers can wait for one another (buffer_cycle.hpp).
  const std::vector<LinkId>& buffer_cycle() const { return buffer_cycle_; }
  /// Whether pauses share links: not where they could stop all of them for good.
  bool is_lossless() const { return !file_.rate_control && !sprays() && buffer_cycle_.empty(); }
  /// The number of links: those of the topology, then one from and one to each GPU over NVLink, where servers
  /// have it.
  LinkId links() const { return static_cast<LinkId>(capacities_.size()); }
  std::string name_of_link(LinkId link) const;
  /// "leaf>spine", "gpu>nvlink".
  std::string tier_of_link(LinkId link) const;
  /// Links of one tier and direction have one number, below tiers().
  std::size_t tier_number(LinkId link) const;
  std::size_t tiers() const { return 2 * topology_.tiers() + 2; }
  /// Bytes/us, less what spraying costs.
  const std::vector<double>& capacities() const { return capacities_; }
  double capacity(LinkId link) const { return capacities_[link]; }
  /// As occupancy sharing sees them.
  const std::vector<QueueSettings>& queues() const { return queues_; }

  /// GPUs with one number are joined by NVLink.
  NodeId nvlink_domain(NodeId host) const {
    return file_.server.nvlink_bytes_per_us ? host / file_.server.gpus : host;
  }
  bool by_nvlink(NodeId from, NodeId to) const {
    return file_.server.nvlink_bytes_per_us && nvlink_domain(from) == nvlink_domain(to);
  }
  LinkId nvlink_from(NodeId host) const { return topology_.links() + host; }
  LinkId nvlink_to(NodeId host) const { return topology_.links() + topology_.hosts() + host; }

  /// From the last byte's departure until the message has been received: propagation, switches, a packet
  /// stored at every hop but the first, and the overheads of both ends.
  double latency_us(std::span<const LinkId> path) const;
  /// The round trip of a packet and its acknowledgement without load.
  double round_trip_us(std::span<const LinkId> path) const;
  /// The bytes that a flow of this size may have in flight, and its rate at most: a message's window is
  /// shared among the queue pairs that it is split over. `part`: its share of a sprayed message; else 1.
  SenderSettings sender(std::span<const LinkId> path, double bytes, double part = 1) const;
  /// True where the window of a flow on this path limits it, alone on the fabric.
  bool window_limits(std::span<const LinkId> path) const;

  /// Parts of a message.
  int parts() const { return splits() ? file_.routing.queue_pairs : 1; }
  bool splits() const { return file_.queue_pair_use == QueuePairUse::split; }
  bool sprays() const { return file_.routing.kind == RoutingKind::adaptive; }
  /// 0 on one leaf, 1 in one zone of a data centre, 2 across zones; without zones 0 and 1.
  int distance(NodeId one, NodeId other) const;
  /// With the hash seed.
  RoutingSettings routing(std::uint32_t seed) const;
  Router router(std::uint32_t seed) const { return {topology_, routing(seed)}; }

 private:
  double packet_us(LinkId link) const;

  FabricFile file_;
  Topology topology_;
  std::vector<LinkId> buffer_cycle_;
  std::vector<double> capacities_;
  std::vector<QueueSettings> queues_;
};

}  // namespace assay::model::fabric

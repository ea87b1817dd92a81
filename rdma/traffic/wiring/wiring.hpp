// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// One rank's verbs objects for a set of flows, connected with the other ranks': device, memory, completion
// queue, and for each flow that begins or ends here its queue pairs.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "harness/team/team.hpp"
#include "rdma/traffic/bound_cpu.hpp"
#include "rdma/traffic/wiring/schedule.hpp"
#include "rdma/verbs/cm_connections.hpp"
#include "rdma/verbs/memory.hpp"

namespace assay::rdma {

/// One queue pair at this rank and the memory it works on.
struct Lane {
  Lane(std::size_t flow_index, std::size_t qp_index, QueuePair made)
      : flow(flow_index), index(qp_index), qp(std::move(made)) {}

  std::size_t flow;   // index of the flow
  std::size_t index;  // of the queue pair within the flow
  QueuePair qp;
  std::uint32_t first_packet = 0;
  std::size_t offset = 0;            // of its area in this rank's memory: `slots` times `stride_bytes`
  std::uint64_t remote_address = 0;  // of the peer's area
  std::uint32_t remote_key = 0;
  std::uint32_t remote_number = 0;  // the peer's QPN
  AddressHandle address;            // UD only
};

struct LaneAddresses;

class Wiring {
 public:
  /// Every rank of the team calls this with the same flows. Throws Error; a failure here fails all ranks.
  Wiring(team::Team& team, const Settings& settings, std::vector<Flow> flows, Fault fault = Fault::none);
  ~Wiring();
  Wiring(const Wiring&) = delete;
  Wiring& operator=(const Wiring&) = delete;

  team::Team& team() const { return team_; }
  const Settings& settings() const { return settings_; }
  const std::vector<Flow>& flows() const { return flows_; }
  const Device& device() const { return *device_; }
  const Gid& gid() const { return gid_; }
  const ibv_gid& peer_gid() const { return peer_gid_; }  // of the last lane's peer
  Memory& memory() const { return *memory_; }
  std::uint32_t local_key() const { return region_->lkey; }
  CompletionQueue& completions() const { return *completions_; }
  /// Lanes of flows that begin or end here; a lane's place is what work request ids name.
  std::deque<Lane>& lanes() { return lanes_; }
  const std::deque<Lane>& lanes() const { return lanes_; }

  int cpu() const { return bound_->cpu(); }  // that this rank's thread is bound to; -1: none

  bool begins_here(const Flow& flow) const { return flow.from == team_.rank(); }
  bool begins_here(const Lane& lane) const { return begins_here(flows_[lane.flow]); }
  std::size_t stride_bytes(const Flow& flow) const;
  int mtu_bytes() const { return mtu_bytes_; }  // smallest of all ranks'
  int receive_depth(const Flow& flow) const;
  /// Seed of the content that this lane's messages carry, the same at both ends.
  static std::uint64_t seed(const Lane& lane) { return (lane.flow + 1) * 1'000'003 + lane.index; }
  /// The point's path; where it names a flow label, each further queue pair of a flow takes the next one.
  PathSettings path_of(const Lane& lane) const;
  Fault fault() const { return fault_; }

  /// For the end of a failure's text, what the device itself reported before: ", after mlx5_0 port 1: port
  /// error"; empty where nothing.
  std::string after_event() const;

 private:
  void open();
  void make_lanes();
  void connect(const std::vector<std::string>& addresses);
  void connect_by_cm(const std::vector<LaneAddresses>& ranks);
  std::string own_addresses() const;

  team::Team& team_;
  Settings settings_;
  std::vector<Flow> flows_;
  Fault fault_;
  std::optional<Device> device_;
  std::optional<BoundCpu> bound_;
  Gid gid_;
  ibv_gid peer_gid_{};
  ProtectionDomainHandle domain_;
  std::unique_ptr<Memory> memory_;
  MemoryRegionHandle region_;
  std::unique_ptr<CompletionQueue> completions_;
  std::deque<Lane> lanes_;
  std::unique_ptr<CmConnections> cm_;
  int mtu_bytes_ = 0;
};

}  // namespace assay::rdma

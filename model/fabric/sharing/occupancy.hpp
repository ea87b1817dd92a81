// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Rates on a lossless fabric without rate control: a queue serves each of its input ports in proportion to
// what that port has queued, and a port that has reached its pause threshold stops everything behind it.
#pragma once

#include <span>
#include <vector>

#include "model/fabric/routing/link_order.hpp"
#include "model/fabric/routing/paths.hpp"
#include "model/fabric/sharing/water_level.hpp"

namespace assay::model::fabric {

/// A link as this rule sees it. `pause_above_bytes` (XOFF) is the threshold of each input port of its switch:
/// infinity where nothing is ever paused.
struct QueueSettings {
  double capacity = 0;  // bytes/us, above 0
  double pause_above_bytes = 0;
};

/// A flow as this rule sees it.
struct SenderSettings {
  double in_flight_bytes = 0;  // at most in the fabric: the lesser of its window and its size, above 0
  double demand = 0;           // bytes/us at its NIC: at most the capacity, window over unloaded round trip
  double weight = 1;           // at its NIC: one of k parts of a sprayed message has 1/k
};

/// Solves again and again for some of the flows over the same links. Derived here: an equilibrium of
/// occupancies, found by rounds of demands from the NICs on and of pauses back to them.
class Occupancy {
 public:
  /// `paths` must outlive it; each has a link at least. Throws a usage Error where the paths have no acyclic
  /// order: pauses could deadlock. `threads`, at least 1, change no digit.
  Occupancy(const Paths& paths, std::vector<QueueSettings> queues, std::vector<SenderSettings> senders,
            unsigned threads = 1);

  /// The rates of `flows`, in bytes/us, where no other flow is active, into `rates` at each flow's number.
  /// Begins with what links were allowed in the last call. Time: up to most_rounds over all hops.
  void share(std::span<const FlowId> flows, std::span<double> rates);
  static constexpr int most_rounds = 8;
  /// Whether the last call ended because no link's allowed rate changed by more than 0.3 %.
  bool settled() const { return settled_; }

  /// Calls `use` with each link that pauses held back in the last call.
  template <class Use>
  void for_each_paused(const Use& use) const {
    for (const ActiveQueue& queue : active_queues_)
      if (is_paused(queue.link)) use(queue.link);
  }
  /// Whether pauses held the link back in the last call that had flows over it: at a host's link, whether
  /// they reached the host.
  bool is_paused(LinkId link) const { return allowed_[link] < (1 - not_paused) * queues_[link].capacity; }

 private:
  /// Rounds end before a link that was allowed less has all of its capacity again.
  static constexpr double not_paused = 0.02;

  /// An input port of a link's queue: what arrives from one link, or from one flow of the NIC's host.
  struct Port {
    LinkId from = 0, into = 0;
    bool at_nic = false;
    std::uint32_t flows = 0;  // active ones
    double held = 0;          // bytes in flight of its active flows; at a NIC, the weight of its flow
  };
  static constexpr std::uint32_t no_queue = ~std::uint32_t{0};
  /// A port with active flows, and a queue with such ports: they are met in this order.
  struct ActivePort {
    double weight = 0;  // what it has queued when its queue is short of rate
    /// The active queue of the link that it holds back, if it is full when its queue is short of rate.
    std::uint32_t pauses = no_queue;
    std::uint32_t first = 0;  // of its active flows, in flows_of_ports_: up to the next port's
  };
  struct ActiveQueue {
    LinkId link = 0;
    std::uint32_t first = 0, end = 0;  // of its ports
  };
  /// Rates of an active queue in the rounds of a call, bytes/us: what its link is allowed, in this round and
  /// from the next on, and what passes. Together, since ports hold back queues in no order.
  struct Flowing {
    double allowed = 0, next = 0, passes = 0, capacity = 0;
  };
  /// One of the threads that share the rounds of a call: of each kind of work it takes the same part.
  struct Worker {
    std::vector<PortDemand> demands;  // of one queue at a time
    WaterLevel water;
    double change = 0;  // of what its queues are allowed, relative, in the last round
  };

  void number_ports();
  void gather(std::span<const FlowId> flows);
  void sort_active_numbers();
  std::uint32_t open_port(std::uint32_t number, std::uint32_t first);
  void share_among(unsigned workers, std::span<const FlowId> flows, std::span<double> rates);
  template <class Wait>
  void run_rounds(unsigned own, unsigned workers, std::span<const FlowId> flows, std::span<double> rates,
                  Wait&& wait);
  void pass_queue(std::size_t number, std::span<double> rates, Worker& worker);
  void hold_back(std::uint32_t queue, const PortDemand& port, WaterLevel& water);
  static double adopt(std::span<Flowing> queues, bool damped);
  bool is_settled(unsigned workers) const;

  const Paths* paths_;
  std::vector<QueueSettings> queues_;
  std::vector<SenderSettings> senders_;
  std::vector<Port> ports_;
  std::vector<std::uint32_t> depth_;           // of each link (link_order.hpp)
  std::vector<std::uint32_t> port_of_hop_;     // ports are numbered by the rank of the link they lead into
  std::vector<double> allowed_;                // of each link after the last call, bytes/us
  std::vector<std::uint32_t> active_numbers_;  // of ports
  std::vector<ActivePort> active_ports_;       // and one more for the end
  std::vector<ActiveQueue> active_queues_;
  std::vector<Flowing> flowing_;              // of each active queue
  std::vector<std::uint32_t> queue_of_link_;  // of links with active flows
  std::vector<std::size_t> depth_ends_;  // of the active queues of each depth: none of them feeds another
  std::vector<std::uint32_t> place_of_;  // of a port, in flows_of_ports_: where its next flow goes
  std::vector<FlowId> flows_of_ports_;
  std::vector<Worker> workers_;
  bool settled_ = true;
};

}  // namespace assay::model::fabric

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Bytes on every link, message by message, with no flow stored; and the time that the busiest link needs.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "model/fabric/routing/routing.hpp"

namespace assay::model::fabric {

class Load {
 public:
  /// `router` must outlive it.
  explicit Load(const Router& router);

  void add(NodeId source, NodeId destination, std::uint64_t bytes, std::uint32_t message = 0) {
    const Delivery one{destination, bytes};
    add(source, std::span(&one, 1), message);
  }
  void add(NodeId source, std::span<const Delivery> deliveries, std::uint32_t message = 0);
  /// Adds what the hosts of a leaf send to those of another, less the links of hosts. Under adaptive routing.
  void add_between(NodeId from_leaf, NodeId to_leaf, std::uint64_t bytes);
  /// Adds a load of the same router. Sums are whole bytes: neither order nor threads change a digit.
  Load& operator+=(const Load& other);
  /// Adds bytes of each link, found elsewhere.
  Load& operator+=(std::span<const std::uint64_t> bytes_of_links);

  /// The bytes of each link. Under adaptive routing, each switch deals them out evenly among its links.
  std::vector<double> bytes_of_links() const;

 private:
  const Router* router_;
  std::vector<std::uint64_t> bytes_;
  struct BetweenLeaves {
    NodeId to, from;
    std::uint64_t bytes;
  };
  using Sending = std::span<const BetweenLeaves>;  // to one leaf, by sender

  /// Sorts them, and makes those of the same two leaves one.
  static void join(std::vector<BetweenLeaves>& all);
  void deal_up_and_down(Sending sending, std::vector<double>& bytes) const;
  void deal_out_by_distance(Sending sending, std::vector<double>& bytes) const;

  std::vector<BetweenLeaves> between_leaves_;  // under adaptive routing
  std::size_t joined_ = 0;                     // how many the last join() has left
};

/// Calls `send` with destination and bytes of every message of the source. Called by several threads.
using EachMessage =
    std::function<void(NodeId source, const std::function<void(NodeId, std::uint64_t)>& send)>;

/// The load of what `each` sends from every host, shared among `threads` (at least 1) by source. Where hosts
/// are separated, the pair that is named does not depend on threads.
Load load_of(const Router& router, const EachMessage& each, unsigned threads = 1);

/// Calls `send` as EachMessage does, but with many messages a call, which is faster.
using EachRow =
    std::function<void(NodeId source, const std::function<void(std::span<const Delivery>)>& send)>;
Load load_of_rows(const Router& router, const EachRow& each, unsigned threads = 1);

struct Bound {
  double time_us = 0;
  LinkId link = 0;  // the busiest for its capacity, the first of equals
};

/// No sharing of links is faster than max over links of bytes over capacity (bytes/us), without latency. It
/// is exact for max-min sharing of flows of equal size, weight and start: the flows of the busiest link have
/// the least rate until they end together, and no other is ever slower (derived here).
Bound bound_of(const std::vector<double>& bytes_of_links, const std::vector<double>& capacities);

}  // namespace assay::model::fabric

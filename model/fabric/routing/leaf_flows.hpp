// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Bytes on links between switches, of flows from many hosts to one leaf at a time. A flow is followed until
// it is at a switch with one way left; from there on, the bytes of all go together.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "model/fabric/routing/routing.hpp"

namespace assay::model::fabric {

class LeafFlows {
 public:
  /// Both must outlive it. Not for adaptive routing.
  LeafFlows(const Router& router, std::span<const std::uint32_t> server_of);

  /// Flows to this leaf from now on.
  void begin(NodeId leaf);
  /// Adds flows from each of these hosts of one other leaf, from which the leaf is reached, to each of the
  /// leaf's that is not of its server: the receiver's bytes, of message 0.
  void add(std::span<const Delivery> senders, std::span<const Delivery> receivers);
  /// After the last flow to the leaf.
  void finish();

  const std::vector<std::uint64_t>& bytes_of_links() const { return bytes_; }

 private:
  /// Flows that are not at a switch with one way left. One hop of all of them at a time keeps the processor
  /// from waiting for one flow's lookups.
  struct Flows {
    static constexpr std::size_t most = 256;
    std::array<NodeId, most> source, destination, at;
    std::array<std::uint64_t, most> fields, bytes;
    std::size_t count = 0;

    void put(std::size_t place, const FlowHash::Flow& flow, std::uint64_t own_bytes, NodeId where) {
      source[place] = flow.source;
      destination[place] = flow.destination;
      fields[place] = flow.fields;
      bytes[place] = own_bytes;
      at[place] = where;
    }
  };
  struct ReceivedPart {
    NodeId host = 0;
    std::uint32_t server = 0;
    std::uint64_t number = 0, bytes = 0;
  };

  template <class HashAt>
  void add_hashed(std::span<const Delivery> senders, const HashAt& hash_at);
  template <class HashAt>
  void follow_all(const HashAt& hash_at);
  template <class HashAt>
  void follow(const HashAt& hash_at);
  void go_on(NodeId at, bool up);

  const Router* router_;
  std::span<const std::uint32_t> server_of_;
  NodeId leaf_ = 0;
  std::vector<NextHops::Row> rows_;  // of each switch, to the leaf
  std::vector<char> one_way_;        // of each node: whether one way leads from it to the leaf
  std::vector<ReceivedPart> parts_;  // of what the receivers get
  Flows flows_ = {};
  std::vector<std::uint64_t> bytes_to_leaf_,
      bytes_;                            // of each link: of flows that were followed over it; of all
  std::vector<std::uint64_t> together_;  // of each node: bytes that have one way left from there
};

}  // namespace assay::model::fabric

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Links on the shortest ways between switches, whole and after the loss of a cable.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "model/fabric/topology.hpp"

namespace assay::model::fabric::routes {

class SwitchDistances {
 public:
  static constexpr std::uint16_t far = 0xffff;

  explicit SwitchDistances(const Topology& topology);

  /// From a switch to a switch with hosts, over live links; far where none leads there.
  std::uint16_t of(NodeId from, NodeId leaf) const { return row_of(leaf)[from - first_]; }

  /// Switches whose distance from the leaf differs once the cable is lost, each with the new one.
  std::map<NodeId, std::uint16_t> raised(NodeId leaf, LinkId lost) const;

 private:
  const std::uint16_t* row_of(NodeId leaf) const { return hops_.data() + rows_[leaf - first_] * switches_; }
  template <class Is>
  bool any_neighbour(NodeId at, LinkId lost, const Is& is) const;
  template <class See>
  void each_neighbour(NodeId at, LinkId lost, const See& see) const;
  bool has_nearer(NodeId at, NodeId leaf, LinkId lost, const std::map<NodeId, std::uint16_t>& raised) const;

  const Topology& topology_;
  NodeId first_;
  std::size_t switches_;
  std::vector<std::size_t> rows_;  // of each switch with hosts
  std::vector<std::uint16_t> hops_;
};

}  // namespace assay::model::fabric::routes

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// At every switch, for every leaf: the live links that begin a shortest path, up as far as needed and then
// down. A failed link leaves the sets of both its ends, and of every switch below that reached the leaf only
// through it.
#pragma once

#include <span>
#include <vector>

#include "model/fabric/topology.hpp"

namespace assay::model::fabric {

class NextHops {
 public:
  /// Of the topology as it is now. Memory: 4 bytes for each pair of a switch and a leaf.
  explicit NextHops(const Topology& topology);

  /// Of a switch other than the leaf; empty where it cannot be reached.
  std::span<const LinkId> towards(NodeId leaf, NodeId at) const {
    const Row row = rows_[set_[index(leaf, at)]];
    return std::span(links_).subspan(row.first, row.count);
  }
  /// Hosts whose link is down, or whose leaf is reached from fewer leaves than the best reached one: what
  /// failures cut off. By number.
  std::vector<NodeId> cut_off(const Topology& topology) const;

 private:
  struct Row {
    std::uint32_t first = 0, count = 0;
  };

  std::size_t index(NodeId leaf, NodeId at) const {
    return static_cast<std::size_t>(leaf - first_switch_) * switches_ + (at - first_switch_);
  }
  void measure(const Topology& topology, NodeId leaf);
  void choose(const Topology& topology, NodeId leaf, NodeId at);

  NodeId first_switch_;
  std::size_t switches_;
  std::vector<std::uint32_t> set_;  // of each leaf and switch: a row
  std::vector<Row> rows_;
  std::vector<LinkId> links_;
  std::vector<std::uint32_t> last_up_, last_down_;  // of each switch: the row that it last made
  std::vector<int> down_, any_;  // hops to the leaf that is being measured: all down; or any
};

}  // namespace assay::model::fabric

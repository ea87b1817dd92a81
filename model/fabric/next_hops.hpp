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
  /// Of the topology as it is now. Time: leaves times links.
  explicit NextHops(const Topology& topology);

  /// Of a switch other than the leaf; empty where it cannot be reached.
  std::span<const LinkId> towards(NodeId leaf, NodeId at) const {
    const Switch& one = switches_[at - first_switch_];
    const std::uint32_t place = leaf - first_switch_ - one.first_leaf;
    const Row row = rows_[place < one.leaves ? row_of_leaf_[one.first_row + place] : one.other_row];
    return std::span(links_).subspan(row.first, row.count);
  }
  /// What failures cut off, by number: hosts whose link is down, whose leaf is reached from fewer leaves than
  /// the first of those that most leaves reach, or does not reach that one. Empty only where every host
  /// reaches every other.
  std::vector<NodeId> cut_off(const Topology& topology) const;

 private:
  struct Row {
    std::uint32_t first = 0, count = 0;  // in links_
  };
  /// Leaves in a row that have rows of their own, and the row of all others: what is not below a switch lies
  /// up, and a table of all pairs would not stay in the cache.
  struct Switch {
    std::uint32_t first_leaf = 0, leaves = 0, other_row = 0;
    std::size_t first_row = 0;                 // in row_of_leaf_
    std::uint32_t last_up = 0, last_down = 0;  // the rows last made
  };

  void measure(const Topology& topology, NodeId leaf);
  std::uint32_t choose(const Topology& topology, NodeId leaf, NodeId at);
  void compress(Switch& one, std::span<const std::uint32_t> rows);

  NodeId first_switch_;
  std::vector<Switch> switches_;
  std::vector<std::uint32_t> row_of_leaf_;
  std::vector<Row> rows_;
  std::vector<LinkId> links_;
  std::vector<int> down_, any_;  // hops to the leaf that is being measured: all down; or any
};

}  // namespace assay::model::fabric

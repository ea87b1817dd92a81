// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// At every switch, for every leaf: the live links that begin a shortest path by the topology's rule. A failed
// link leaves the sets of both its ends, and of every switch that reached the leaf only through it. A leaf
// here is any switch that has hosts.
#pragma once

#include <span>
#include <vector>

#include "model/fabric/topology.hpp"

namespace assay::model::fabric {

class NextHops {
 public:
  /// Links in a row, and what a remainder by their number is computed with (see choose).
  struct Row {
    std::uint32_t first = 0, count = 0;  // in links_
    std::uint64_t reciprocal = 0;        // ceil(2^64 / count), modulo 2^64
  };

  /// Computes the next hops of the topology as it is now. Time: leaves times what lies above each, and links
  /// as often as what lies above a leaf differs from the leaf before.
  explicit NextHops(const Topology& topology);

  struct Hop {
    LinkId link = 0;
    NodeId to = 0;
  };
  class View;

  /// The links towards the leaf from a switch other than it; empty where the leaf cannot be reached.
  std::span<const LinkId> towards(NodeId leaf, NodeId at) const;
  std::span<const LinkId> towards(const View& view, NodeId at) const;
  /// A view of the next hops to one leaf, for many lookups. The next hops must outlive it.
  View view(NodeId leaf) const;

  /// Links from each switch to the leaf, by number from the first; ~0 where it cannot be reached.
  std::vector<std::uint32_t> hops_to(NodeId leaf) const;
  /// Switches from which the leaf can be reached, by these hops and then by number; the first ring is the
  /// leaf.
  std::vector<std::vector<NodeId>> rings_around(NodeId leaf) const;

  /// Hosts that failures cut off, by number: their link is down, or their leaf is reached from fewer leaves
  /// than the first of those that most leaves reach, or does not reach that one. Empty only where every host
  /// reaches every other.
  std::vector<NodeId> cut_off(const Topology& topology) const;

 private:
  friend class NextHopsMaker;
  /// Leaves in a row that have rows of their own, and the row of all others: what is not below a switch lies
  /// up, and a table of all pairs would not stay in the cache.
  struct Switch {
    std::uint32_t first_leaf = 0, leaves = 0, other_row = 0;
    std::size_t first_row = 0;  // in row_of_leaf_
  };

  NodeId first_switch_;
  std::vector<Switch> switches_;
  std::vector<std::uint32_t> row_of_leaf_;
  std::vector<Row> rows_;
  std::vector<LinkId> links_;
  std::vector<Hop> hops_;  // of each of links_
};

/// Copies of what lookups read, which the compiler can keep in registers.
class NextHops::View {
 public:
  View(const NextHops& all, NodeId leaf)
      : switches_(all.switches_.data()),
        row_of_leaf_(all.row_of_leaf_.data()),
        rows_(all.rows_.data()),
        hops_(all.hops_.data()),
        first_switch_(all.first_switch_),
        leaf_(leaf - all.first_switch_) {}

  const Row& row(NodeId at) const {
    const Switch& one = switches_[at - first_switch_];
    const std::uint32_t place = leaf_ - one.first_leaf;
    return rows_[place < one.leaves ? row_of_leaf_[one.first_row + place] : one.other_row];
  }
  /// The link of a row that is not empty at `hash` modulo their number. Without a division: Lemire, Kaser and
  /// Kurz 2019, "Faster remainder by direct computation", 3.2.
  Hop choose(const Row& row, std::uint32_t hash) const {
    __extension__ using Wide = unsigned __int128;
    const std::uint64_t fraction = row.reciprocal * hash;
    return hops_[row.first + static_cast<std::uint32_t>((Wide{fraction} * row.count) >> 64U)];
  }

 private:
  const Switch* switches_;
  const std::uint32_t* row_of_leaf_;
  const Row* rows_;
  const Hop* hops_;
  NodeId first_switch_;
  std::uint32_t leaf_;
};

inline NextHops::View NextHops::view(NodeId leaf) const { return {*this, leaf}; }

inline std::span<const LinkId> NextHops::towards(const View& view, NodeId at) const {
  const Row& row = view.row(at);
  return std::span(links_).subspan(row.first, row.count);
}

inline std::span<const LinkId> NextHops::towards(NodeId leaf, NodeId at) const {
  return towards(view(leaf), at);
}

}  // namespace assay::model::fabric

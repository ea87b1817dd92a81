// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The least loaded of the shortest paths between two leaves, by the load of its most loaded link.
#pragma once

#include <span>
#include <vector>

#include "model/fabric/routing/next_hops.hpp"

namespace assay::model::fabric {

class LeastLoadedPath {
 public:
  /// Both must outlive it.
  LeastLoadedPath(const Topology& topology, const NextHops& next_hops)
      : topology_(&topology), next_hops_(&next_hops), reached_(topology.nodes()) {}

  /// Links between two different leaves that reach each other: with `more_bytes` on each, max over links of
  /// bytes over capacity is least, and among equal ones the sum. Time: the links of all shortest paths.
  std::vector<LinkId> find(NodeId from, NodeId to, double more_bytes, std::span<const double> bytes_of_links);

 private:
  struct Reached {
    double cost = -1;  // below 0: not reached
    LinkId by = 0;
  };
  template <class Cost, class Join>
  double search(NodeId from, NodeId to, const Cost& cost, const Join& join);

  const Topology* topology_;
  const NextHops* next_hops_;
  std::vector<Reached> reached_;  // of each node
  std::vector<NodeId> met_;
};

}  // namespace assay::model::fabric

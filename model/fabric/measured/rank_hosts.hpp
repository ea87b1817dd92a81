// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The hosts of a fabric that the ranks of a record are on.
#pragma once

#include <map>
#include <vector>

#include "model/fabric/locate/node_names.hpp"
#include "results/points/run_points.hpp"

namespace assay::model::fabric::measured {

/// Hosts of ranks by an order of ranks where there is one; else a rank is the host "NODE railN" of the
/// fabric, or "NODE" where no host has that name; where no rank of a record has either, rank N is host N.
class RankHosts {
 public:
  /// Both must outlive it. `order`: the host of each rank, or empty.
  RankHosts(const Topology& topology, const locate::NodeNames& names, std::vector<NodeId> order = {})
      : topology_(&topology), names_(&names), order_(std::move(order)) {}

  const Topology& topology() const { return *topology_; }
  /// The hosts of ranks 0 to `ranks` - 1. Throws a usage Error for a rank without a host, and two ranks on
  /// one.
  std::vector<NodeId> hosts_of(const results::MeasuredPoint& point, std::size_t ranks) const;

 private:
  std::map<int, NodeId> named(const results::MeasuredPoint& point) const;

  const Topology* topology_;
  const locate::NodeNames* names_;
  std::vector<NodeId> order_;
};

}  // namespace assay::model::fabric::measured

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Max-min fair rates: no flow can have more without a flow of an equal or lower rate having less.
#pragma once

#include <span>
#include <vector>

#include "model/fabric/routing/paths.hpp"

namespace assay::model::fabric {

/// Solves again and again for some of the flows over the same links. Rates, capacities and limits have one
/// unit.
class MaxMin {
 public:
  /// `paths` must outlive it. `capacity`: of each link, at least 0. `weight` (above 0) and `limit` (at least
  /// 0, infinity for none): of each flow, or empty for weights of 1 and no limits. Flows without links need a
  /// limit.
  MaxMin(const Paths& paths, std::vector<double> capacity, std::vector<double> weight = {},
         std::vector<double> limit = {});

  /// The rates of `flows` where no other flow is active, into `rates` at each flow's number. Progressive
  /// filling (Bertsekas and Gallager 1992, "Data networks", 6.5.2) by weights, one link a step, the least
  /// level first; a flow whose limit is below the level is frozen at its limit. Time: the sum of path lengths
  /// times the logarithm of the number of links.
  void share(std::span<const FlowId> flows, std::span<double> rates);

 private:
  struct LinkState {
    double residual = 0, weight = 0;   // capacity left, and the weights of the flows that may have it
    std::size_t first = 0, count = 0;  // of its flows, in flows_of_links_
    std::size_t open = 0;              // flows that are not frozen
    bool touched = false;
  };

  double weight_of(FlowId flow) const { return weight_.empty() ? 1 : weight_[flow]; }
  double level_of(LinkId link) const { return links_[link].residual / links_[link].weight; }
  void gather(std::span<const FlowId> flows);
  void freeze(FlowId flow, double rate, std::span<double> rates);
  void freeze_limited_below(double level, std::span<double> rates);
  void fill(std::span<double> rates);

  const Paths* paths_;
  std::vector<double> capacity_, weight_, limit_;
  std::vector<LinkState> links_;
  std::vector<LinkId> touched_;
  std::vector<FlowId> flows_of_links_;
  std::vector<FlowId> limited_;  // by falling limit over weight
  std::vector<char> frozen_;
};

}  // namespace assay::model::fabric

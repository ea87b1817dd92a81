// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Flows that are under way, and which of them are joined by links: only those change each other's rates.
#pragma once

#include <span>
#include <vector>

#include "model/fabric/routing/paths.hpp"

namespace assay::model::fabric {

class ActiveFlows {
 public:
  /// `paths` must outlive it. None is active at first.
  ActiveFlows(const Paths& paths, std::size_t links);

  /// add() takes a flow that is not active, remove() one that is.
  void add(FlowId flow);
  void remove(FlowId flow);
  bool has(FlowId flow) const { return active_[flow] != 0; }

  /// The active flows joined, over any number of shared links and flows, with these links; by rising number.
  std::vector<FlowId> joined(std::span<const LinkId> links);

 private:
  /// One active flow's crossing of a link.
  struct Crossing {
    FlowId flow;
    std::uint32_t at;  // of its path
  };

  const Paths* paths_;
  std::size_t count_ = 0;  // of active flows
  std::vector<char> active_, met_flow_, met_link_;
  std::vector<std::vector<Crossing>> crossings_of_link_;
  std::vector<std::uint32_t> place_of_hop_;  // in crossings_of_link_
};

}  // namespace assay::model::fabric

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/active_flows.hpp"

#include <algorithm>
#include <utility>

namespace assay::model::fabric {

ActiveFlows::ActiveFlows(const Paths& paths, std::size_t links)
    : paths_(&paths),
      active_(paths.size()),
      met_flow_(paths.size()),
      met_link_(links),
      hops_of_link_(links),
      place_of_hop_(paths.hops()),
      flow_of_hop_(paths.hops()) {
  for (FlowId flow = 0; flow < paths.size(); ++flow)
    std::fill_n(flow_of_hop_.begin() + static_cast<std::ptrdiff_t>(paths.first_hop(flow)), paths[flow].size(),
                flow);
}

void ActiveFlows::add(FlowId flow) {
  active_[flow] = 1;
  std::size_t hop = paths_->first_hop(flow);
  for (const LinkId link : (*paths_)[flow]) {
    place_of_hop_[hop] = hops_of_link_[link].size();
    hops_of_link_[link].push_back(hop++);
  }
}

void ActiveFlows::remove(FlowId flow) {
  active_[flow] = 0;
  std::size_t hop = paths_->first_hop(flow);
  for (const LinkId link : (*paths_)[flow]) {
    std::vector<std::size_t>& hops = hops_of_link_[link];
    const std::size_t place = place_of_hop_[hop++];
    hops[place] = hops.back();
    place_of_hop_[hops[place]] = place;
    hops.pop_back();
  }
}

std::vector<FlowId> ActiveFlows::joined(std::span<const LinkId> links) {
  std::vector<FlowId> flows;
  std::vector<LinkId> met;
  const auto meet = [&](LinkId link) {
    if (std::exchange(met_link_[link], 1) == 0) met.push_back(link);
  };
  for (const LinkId link : links) meet(link);
  for (std::size_t at = 0; at < met.size(); ++at)
    for (const std::size_t hop : hops_of_link_[met[at]]) {
      const FlowId flow = flow_of_hop_[hop];
      if (std::exchange(met_flow_[flow], 1) != 0) continue;
      flows.push_back(flow);
      for (const LinkId link : (*paths_)[flow]) meet(link);
    }
  for (const LinkId link : met) met_link_[link] = 0;
  constexpr std::size_t few = 16;  // one of so many: sorting them is faster than looking at all
  if (few * flows.size() < met_flow_.size()) {
    for (const FlowId flow : flows) met_flow_[flow] = 0;
    std::ranges::sort(flows);
    return flows;
  }
  flows.clear();
  for (FlowId flow = 0; flow < met_flow_.size(); ++flow)
    if (std::exchange(met_flow_[flow], 0) != 0) flows.push_back(flow);
  return flows;
}

}  // namespace assay::model::fabric

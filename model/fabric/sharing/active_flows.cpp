// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/sharing/active_flows.hpp"

#include <algorithm>
#include <utility>

namespace assay::model::fabric {

ActiveFlows::ActiveFlows(const Paths& paths, std::size_t links)
    : paths_(&paths),
      active_(paths.size()),
      met_flow_(paths.size()),
      met_link_(links),
      crossings_of_link_(links),
      place_of_hop_(paths.hops()) {}

void ActiveFlows::add(FlowId flow) {
  active_[flow] = 1;
  ++count_;
  const std::span<const LinkId> path = (*paths_)[flow];
  for (std::uint32_t at = 0; at < path.size(); ++at) {
    std::vector<Crossing>& crossings = crossings_of_link_[path[at]];
    place_of_hop_[paths_->first_hop(flow) + at] = static_cast<std::uint32_t>(crossings.size());
    crossings.push_back({flow, at});
  }
}

void ActiveFlows::remove(FlowId flow) {
  active_[flow] = 0;
  --count_;
  std::size_t hop = paths_->first_hop(flow);
  for (const LinkId link : (*paths_)[flow]) {
    std::vector<Crossing>& crossings = crossings_of_link_[link];
    const std::uint32_t place = place_of_hop_[hop++];
    crossings[place] = crossings.back();
    place_of_hop_[paths_->first_hop(crossings[place].flow) + crossings[place].at] = place;
    crossings.pop_back();
  }
}

std::vector<FlowId> ActiveFlows::joined(std::span<const LinkId> links) {
  std::vector<FlowId> flows;
  std::vector<LinkId> met;
  const auto meet = [&](LinkId link) {
    if (std::exchange(met_link_[link], 1) == 0) met.push_back(link);
  };
  for (const LinkId link : links) meet(link);
  for (std::size_t at = 0; at < met.size() && flows.size() < count_; ++at)
    for (const auto& [flow, _] : crossings_of_link_[met[at]]) {
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

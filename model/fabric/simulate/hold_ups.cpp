// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/simulate/hold_ups.hpp"

#include <numeric>

namespace assay::model::fabric {

namespace {

constexpr double explained = 0.9;  // of a flow's time, by the slowest link of its own path

}  // namespace

HoldUps::HoldUps(const FabricModel& model, const FlowSet& flows, const std::vector<double>& bytes_of_links)
    : model_(&model), flows_(&flows), bytes_(&bytes_of_links), behind_(model.links()) {
  std::iota(behind_.begin(), behind_.end(), LinkId{0});
  for (FlowId flow = 0; flow < flows.size(); ++flow) {
    if (!flows.is_message(flow)) continue;
    const LinkId own = slowest(flow, [](LinkId link) { return link; });
    for (const LinkId link : flows.paths()[flow])
      if (need_us(own) > need_us(behind_[link])) behind_[link] = own;
  }
}

/// The first of equals.
template <class Of>
LinkId HoldUps::slowest(FlowId flow, const Of& of) const {
  const std::span<const LinkId> path = flows_->paths()[flow];
  LinkId found = of(path.front());
  for (const LinkId link : path)
    if (need_us(of(link)) > need_us(found)) found = of(link);
  return found;
}

double HoldUps::least_us(FlowId flow) const {
  return need_us(slowest(flow, [](LinkId link) { return link; }));
}

LinkId HoldUps::of(FlowId flow, double time_us) const {
  const LinkId own = slowest(flow, [](LinkId link) { return link; });
  if (need_us(own) >= explained * time_us) return own;
  return slowest(flow, [this](LinkId link) { return behind_[link]; });
}

}  // namespace assay::model::fabric

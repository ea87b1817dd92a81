// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/simulate/flow_set.hpp"

#include <array>

#include "model/fabric/max_min.hpp"
#include "model/fabric/occupancy.hpp"

namespace assay::model::fabric {

void FlowSet::append(std::span<const LinkId> path, NodeId from, NodeId to, double bytes, double start_us) {
  paths_.append(path);
  messages_.push_back({.bytes = bytes, .latency_us = model_->latency_us(path), .start_us = start_us});
  senders_.push_back(model_->sender(path, bytes));
  from_.push_back(from);
  to_.push_back(to);
}

FlowId FlowSet::add(NodeId from, NodeId to, std::uint64_t bytes, std::uint32_t message, double start_us) {
  const auto first = static_cast<FlowId>(size());
  if (model_->by_nvlink(from, to)) {
    append(std::array{model_->nvlink_from(from), model_->nvlink_to(to)}, from, to, static_cast<double>(bytes),
           start_us);
    return first;
  }
  router_->route(from, to, bytes, message, [&](std::span<const LinkId> path, std::uint64_t part) {
    if (part > 0) append(path, from, to, static_cast<double>(part), start_us);
  });
  return first;
}

Timeline FlowSet::run(SharingRuleKind rule, std::span<const Precedence> precedences) const {
  if (rule == SharingRuleKind::occupancy) {
    Occupancy occupancy(paths_, model_->queues(), senders_);
    return timeline_of(
        messages_, precedences, paths_, model_->links(),
        [&](std::span<const FlowId> flows, std::span<double> rates) { occupancy.share(flows, rates); });
  }
  std::vector<double> limits;
  for (const SenderSettings& sender : senders_) limits.push_back(sender.demand);
  MaxMin max_min(paths_, model_->capacities(), {}, std::move(limits));
  return timeline_of(
      messages_, precedences, paths_, model_->links(),
      [&](std::span<const FlowId> flows, std::span<double> rates) { max_min.share(flows, rates); });
}

std::vector<double> FlowSet::bytes_of_links() const {
  std::vector<double> bytes(model_->links());
  for (std::size_t flow = 0; flow < size(); ++flow)
    for (const LinkId link : paths_[flow]) bytes[link] += messages_[flow].bytes;
  return bytes;
}

}  // namespace assay::model::fabric

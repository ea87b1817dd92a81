// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/simulate/flow_set.hpp"

#include <array>
#include <limits>

#include "model/fabric/max_min.hpp"
#include "model/fabric/occupancy.hpp"

namespace assay::model::fabric {

void FlowSet::append(std::span<const LinkId> path, NodeId from, NodeId to, double bytes, double start_us) {
  paths_.append(path);
  messages_.push_back({.bytes = bytes, .latency_us = model_->latency_us(path), .start_us = start_us});
  senders_.push_back(model_->sender(path, bytes));
  use_.from.push_back(from);
  use_.to.push_back(to);
  use_.taken.push_back(0);
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

FlowId FlowSet::add_compute(NodeId host, double us, double taken, double start_us) {
  computes_ = true;
  paths_.append(std::array{LinkId{model_->links() + host}});
  messages_.push_back({.bytes = us, .start_us = start_us});
  senders_.push_back({.in_flight_bytes = us, .demand = 1});
  use_.from.push_back(host);
  use_.to.push_back(host);
  use_.taken.push_back(taken);
  return static_cast<FlowId>(size() - 1);
}

Timeline FlowSet::timeline(std::span<const Precedence> precedences, const SharingRule& rule) const {
  if (!computes_) return timeline_of(messages_, precedences, paths_, model_->links(), rule);
  return timeline_with_compute(messages_, precedences, paths_, model_->links(), use_, rule);
}

/// The rules know processors as links that they never share out.
Timeline FlowSet::run(SharingRuleKind rule, std::span<const Precedence> precedences) const {
  const std::size_t links = model_->links() + (computes_ ? model_->topology().hosts() : 0);
  if (rule == SharingRuleKind::occupancy) {
    std::vector<QueueSettings> queues = model_->queues();
    queues.resize(links, {1, std::numeric_limits<double>::infinity()});
    Occupancy occupancy(paths_, std::move(queues), senders_);
    return timeline(precedences, [&](std::span<const FlowId> flows, std::span<double> rates) {
      occupancy.share(flows, rates);
    });
  }
  std::vector<double> limits, capacities = model_->capacities();
  capacities.resize(links, 1);
  for (const SenderSettings& sender : senders_) limits.push_back(sender.demand);
  MaxMin max_min(paths_, std::move(capacities), {}, std::move(limits));
  return timeline(precedences, [&](std::span<const FlowId> flows, std::span<double> rates) {
    max_min.share(flows, rates);
  });
}

std::vector<double> FlowSet::bytes_of_links() const {
  std::vector<double> bytes(model_->links());
  for (FlowId flow = 0; flow < size(); ++flow)
    for (const LinkId link : paths_[flow])
      if (!is_compute(flow)) bytes[link] += messages_[flow].bytes;
  return bytes;
}

}  // namespace assay::model::fabric

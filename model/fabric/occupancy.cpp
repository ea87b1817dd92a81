// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/occupancy.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <utility>

#include "harness/core/error.hpp"

namespace assay::model::fabric {

namespace {

constexpr int most_rounds = 30, undamped_rounds = 5;
constexpr double settled = 0.003;  // change of any link's allowed rate, relative
constexpr double head_room = 1.5;  // of what was allowed in the last call, so that it can rise again

}  // namespace

Occupancy::Occupancy(const Paths& paths, std::vector<QueueSettings> queues,
                     std::vector<SenderSettings> senders)
    : paths_(&paths),
      queues_(std::move(queues)),
      senders_(std::move(senders)),
      next_(queues_.size()),
      passes_(queues_.size()) {
  for (const QueueSettings& queue : queues_) allowed_.push_back(queue.capacity);
  number_ports();
}

void Occupancy::number_ports() {
  const LinkOrder order = order_of_links(*paths_, queues_.size());
  if (!order.cycle.empty())
    core::usage_error("paths go round in a circle of " + std::to_string(order.cycle.size()) +
                      " links, whose paused buffers could deadlock");
  // Port by port, those of one link together, links by rank: (rank, at the NIC, from, hop).
  std::vector<std::tuple<std::uint32_t, bool, std::uint32_t, std::size_t>> hops;
  for (FlowId flow = 0; flow < paths_->size(); ++flow) {
    const std::span<const LinkId> path = (*paths_)[flow];
    for (std::size_t hop = 0; hop < path.size(); ++hop)
      hops.emplace_back(order.rank[path[hop]], hop == 0, hop == 0 ? flow : path[hop - 1],
                        paths_->first_hop(flow) + hop);
  }
  std::ranges::sort(hops);
  std::vector<LinkId> link_at(queues_.size());
  for (LinkId link = 0; link < queues_.size(); ++link) link_at[order.rank[link]] = link;
  port_of_hop_.resize(paths_->hops());
  std::tuple<std::uint32_t, bool, std::uint32_t> last = {0, false, ~0U};
  for (const auto& [rank, at_nic, from, hop] : hops) {
    if (ports_.empty() || std::exchange(last, {rank, at_nic, from}) != std::tuple(rank, at_nic, from))
      ports_.push_back({.from = from, .into = link_at[rank], .at_nic = at_nic});
    port_of_hop_[hop] = static_cast<std::uint32_t>(ports_.size() - 1);
  }
}

void Occupancy::gather(std::span<const FlowId> flows) {
  active_ports_.clear();
  std::size_t entries = 0;
  for (const FlowId flow : flows)
    for (std::size_t hop = 0; hop < (*paths_)[flow].size(); ++hop, ++entries) {
      const std::uint32_t number = port_of_hop_[paths_->first_hop(flow) + hop];
      if (ports_[number].count++ == 0) active_ports_.push_back(number);
      ports_[number].in_flight_bytes += senders_[flow].in_flight_bytes;
    }
  std::ranges::sort(active_ports_);
  flows_of_ports_.resize(entries);
  demands_.clear();
  active_links_.clear();
  entries = 0;
  for (const std::uint32_t number : active_ports_) {
    Port& port = ports_[number];
    port.first = entries;
    entries += std::exchange(port.count, 0);
    demands_.push_back({.demand = 0, .weight = weigh(port)});
    if (active_links_.empty() || active_links_.back() != port.into) active_links_.push_back(port.into);
  }
  for (const FlowId flow : flows)
    for (std::size_t hop = 0; hop < (*paths_)[flow].size(); ++hop) {
      Port& port = ports_[port_of_hop_[paths_->first_hop(flow) + hop]];
      flows_of_ports_[port.first + port.count++] = flow;
    }
}

/// What the port has queued when its queue is short of rate: the weight it is served by.
double Occupancy::weigh(Port& port) const {
  const double pause_above_bytes = queues_[port.into].pause_above_bytes;
  port.blocking = !port.at_nic && port.in_flight_bytes >= pause_above_bytes;
  return port.at_nic ? 1 : std::min(pause_above_bytes, port.in_flight_bytes);
}

/// One queue, after all that feed it: what its ports pass on, and what it allows the links behind them.
void Occupancy::pass_queue(std::span<const std::uint32_t> ports, std::span<double> rates) {
  const std::span demands = std::span(demands_).subspan(
      static_cast<std::size_t>(ports.data() - active_ports_.data()), ports.size());
  const auto flows_of = [this](const Port& port) {
    return std::span(flows_of_ports_).subspan(port.first, port.count);
  };
  for (std::size_t at = 0; at < ports.size(); ++at) {
    demands[at].demand = 0;
    for (const FlowId flow : flows_of(ports_[ports[at]])) demands[at].demand += rates[flow];
  }
  const LinkId link = ports_[ports.front()].into;
  water_.solve(demands, allowed_[link]);
  passes_[link] = 0;
  for (std::size_t at = 0; at < ports.size(); ++at) {
    const Port& port = ports_[ports[at]];
    const double share = water_.share_of(demands[at]);
    passes_[link] += share;
    if (demands[at].demand <= 0) continue;
    if (share < demands[at].demand)
      for (const FlowId flow : flows_of(port)) rates[flow] *= share / demands[at].demand;
    if (port.blocking)
      next_[port.from] =
          std::min(next_[port.from], passes_[port.from] * water_.most_for(demands[at]) / demands[at].demand);
  }
}

/// The greatest relative change of what a link is allowed.
double Occupancy::adopt(bool damped) {
  double change = 0;
  for (const LinkId link : active_links_) {
    const double next = damped ? std::sqrt(allowed_[link] * next_[link]) : next_[link];
    change = std::max(change, std::abs(next / allowed_[link] - 1));
    allowed_[link] = next;
  }
  return change;
}

double Occupancy::round(std::span<double> rates, bool damped) {
  for (const LinkId link : active_links_) next_[link] = queues_[link].capacity;
  for (std::size_t first = 0, end = 0; first < active_ports_.size(); first = end) {
    const LinkId link = ports_[active_ports_[first]].into;
    while (end < active_ports_.size() && ports_[active_ports_[end]].into == link) ++end;
    pass_queue(std::span(active_ports_).subspan(first, end - first), rates);
  }
  return adopt(damped);
}

void Occupancy::share(std::span<const FlowId> flows, std::span<double> rates) {
  gather(flows);
  for (const LinkId link : active_links_)
    allowed_[link] = std::min(queues_[link].capacity, head_room * allowed_[link]);
  for (int at = 0; at < most_rounds; ++at) {
    for (const FlowId flow : flows) rates[flow] = senders_[flow].demand;
    if (round(rates, at >= undamped_rounds) < settled) break;
  }
  for (const std::uint32_t number : active_ports_) {
    ports_[number].count = 0;
    ports_[number].in_flight_bytes = 0;
  }
}

}  // namespace assay::model::fabric

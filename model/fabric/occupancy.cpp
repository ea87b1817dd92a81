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

// Pauses move back a link a round, and paths have six links at most. Where rounds do not settle, more of them
// made no packet simulation of the vectors agree better: with 30, mean errors of flow times are 0 to 2 points
// larger.
constexpr int most_rounds = 12, undamped_rounds = 5;
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
  place_of_.resize(ports_.size());
}

void Occupancy::gather(std::span<const FlowId> flows) {
  active_numbers_.clear();
  for (const FlowId flow : flows)
    for (std::size_t hop = 0; hop < (*paths_)[flow].size(); ++hop) {
      const std::uint32_t number = port_of_hop_[paths_->first_hop(flow) + hop];
      if (ports_[number].flows++ == 0) active_numbers_.push_back(number);
      ports_[number].in_flight_bytes += senders_[flow].in_flight_bytes;
    }
  sort_active_numbers();
  active_ports_.clear();
  active_queues_.clear();
  demands_.clear();
  for (const std::uint32_t number : active_numbers_) open_port(number);
  flows_of_ports_.resize(active_ports_.empty() ? 0 : active_ports_.back().end);
  for (const FlowId flow : flows)
    for (std::size_t hop = 0; hop < (*paths_)[flow].size(); ++hop)
      flows_of_ports_[place_of_[port_of_hop_[paths_->first_hop(flow) + hop]]++] = flow;
}

/// Of many, looking at all ports is faster than sorting.
void Occupancy::sort_active_numbers() {
  constexpr std::size_t few = 16;  // one of so many
  if (few * active_numbers_.size() < ports_.size()) {
    std::ranges::sort(active_numbers_);
    return;
  }
  active_numbers_.clear();
  for (std::uint32_t number = 0; number < ports_.size(); ++number)
    if (ports_[number].flows > 0) active_numbers_.push_back(number);
}

/// Its weight is what it has queued when its queue is short of rate.
void Occupancy::open_port(std::uint32_t number) {
  Port& port = ports_[number];
  const double pause_above_bytes = queues_[port.into].pause_above_bytes;
  const std::uint32_t first = active_ports_.empty() ? 0 : active_ports_.back().end;
  const auto place = static_cast<std::uint32_t>(active_ports_.size());
  place_of_[number] = first;
  active_ports_.push_back({.from = port.from,
                           .blocking = !port.at_nic && port.in_flight_bytes >= pause_above_bytes,
                           .first = first,
                           .end = first + port.flows});
  demands_.push_back(
      {.demand = 0, .weight = port.at_nic ? 1 : std::min(pause_above_bytes, port.in_flight_bytes)});
  if (active_queues_.empty() || active_queues_.back().link != port.into)
    active_queues_.push_back({.link = port.into, .first = place});
  active_queues_.back().end = place + 1;
  port.flows = 0;
  port.in_flight_bytes = 0;
}

/// One queue, after all that feed it: what its ports pass on, and what it allows the links behind them.
void Occupancy::pass_queue(const ActiveQueue& queue, std::span<double> rates) {
  const FlowId* const flows = flows_of_ports_.data();
  for (std::uint32_t at = queue.first; at < queue.end; ++at) {
    double demand = 0;
    for (std::uint32_t one = active_ports_[at].first; one < active_ports_[at].end; ++one)
      demand += rates[flows[one]];
    demands_[at].demand = demand;
  }
  water_.solve(std::span(demands_).subspan(queue.first, queue.end - queue.first), allowed_[queue.link]);
  double passes = 0;
  for (std::uint32_t at = queue.first; at < queue.end; ++at) {
    const ActivePort& port = active_ports_[at];
    const double demand = demands_[at].demand, share = water_.share_of(demands_[at]);
    passes += share;
    if (demand <= 0) continue;
    if (share < demand)
      for (std::uint32_t one = port.first; one < port.end; ++one) rates[flows[one]] *= share / demand;
    if (port.blocking)
      next_[port.from] =
          std::min(next_[port.from], passes_[port.from] * water_.most_for(demands_[at]) / demand);
  }
  passes_[queue.link] = passes;
}

/// The greatest relative change of what a link is allowed.
double Occupancy::adopt(bool damped) {
  double change = 0;
  for (const ActiveQueue& queue : active_queues_) {
    double& allowed = allowed_[queue.link];
    const double next = damped ? std::sqrt(allowed * next_[queue.link]) : next_[queue.link];
    change = std::max(change, std::abs(next / allowed - 1));
    allowed = next;
  }
  return change;
}

double Occupancy::round(std::span<double> rates, bool damped) {
  for (const ActiveQueue& queue : active_queues_) next_[queue.link] = queues_[queue.link].capacity;
  for (const ActiveQueue& queue : active_queues_) pass_queue(queue, rates);
  return adopt(damped);
}

void Occupancy::share(std::span<const FlowId> flows, std::span<double> rates) {
  gather(flows);
  for (const ActiveQueue& queue : active_queues_)
    allowed_[queue.link] = std::min(queues_[queue.link].capacity, head_room * allowed_[queue.link]);
  for (int at = 0; at < most_rounds; ++at) {
    for (const FlowId flow : flows) rates[flow] = senders_[flow].demand;
    if (round(rates, at >= undamped_rounds) < settled) break;
  }
}

}  // namespace assay::model::fabric

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/sharing/occupancy.hpp"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <cmath>
#include <string>
#include <thread>
#include <tuple>
#include <utility>

#include "harness/core/error.hpp"

namespace assay::model::fabric {

namespace {

// Pauses move back a link a round, and paths have six links at most. Where rounds do not settle (permutations
// of several queue pairs), more of them made no packet simulation of the vectors agree better: mean absolute
// errors of flow times, all cases, are 3.9 % with 8, 4.0 % with 12, and with 30 to 200 up to 1.5 points
// larger.
constexpr int undamped_rounds = 5;
constexpr double least_change = 0.003;    // change of any link's allowed rate, relative
constexpr double head_room = 1.5;         // of what was allowed in the last call, so that it can rise again
constexpr std::size_t few_hops = 20'000;  // they are not worth a second thread

/// The part of a range that one worker takes.
struct Part {
  std::size_t first, end;
};

Part part_of(std::size_t first, std::size_t end, unsigned own, unsigned workers) {
  const std::size_t size = end - first;
  return {first + size * own / workers, first + size * (own + 1) / workers};
}

}  // namespace

Occupancy::Occupancy(const Paths& paths, std::vector<QueueSettings> queues,
                     std::vector<SenderSettings> senders, unsigned threads)
    : paths_(&paths),
      queues_(std::move(queues)),
      senders_(std::move(senders)),
      queue_of_link_(queues_.size()),
      workers_(threads) {
  for (const QueueSettings& queue : queues_) allowed_.push_back(queue.capacity);
  number_ports();
}

void Occupancy::number_ports() {
  LinkOrder order = order_of_links(*paths_, queues_.size());
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
  depth_ = std::move(order.depth);
}

void Occupancy::gather(std::span<const FlowId> flows) {
  active_numbers_.clear();
  for (const FlowId flow : flows)
    for (std::size_t hop = 0; hop < (*paths_)[flow].size(); ++hop) {
      const std::uint32_t number = port_of_hop_[paths_->first_hop(flow) + hop];
      if (ports_[number].flows++ == 0) active_numbers_.push_back(number);
      const SenderSettings& sender = senders_[flow];
      ports_[number].held += ports_[number].at_nic ? sender.weight : sender.in_flight_bytes;
    }
  sort_active_numbers();
  active_ports_.clear();
  active_queues_.clear();
  flowing_.clear();
  depth_ends_.clear();
  std::uint32_t hops = 0;
  for (const std::uint32_t number : active_numbers_) hops = open_port(number, hops);
  active_ports_.push_back({.first = hops});
  flows_of_ports_.resize(hops);
  for (const FlowId flow : flows)
    for (std::size_t hop = 0; hop < (*paths_)[flow].size(); ++hop)
      flows_of_ports_[place_of_[port_of_hop_[paths_->first_hop(flow) + hop]]++] = flow;
}

/// Sorts the numbers of active ports; if these are many, by looking at all ports, which is faster.
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

/// Its flows begin at `first`; returns where they end.
std::uint32_t Occupancy::open_port(std::uint32_t number, std::uint32_t first) {
  Port& port = ports_[number];
  const double pause_above_bytes = queues_[port.into].pause_above_bytes;
  const auto place = static_cast<std::uint32_t>(active_ports_.size());
  place_of_[number] = first;
  const bool is_full = !port.at_nic && port.held >= pause_above_bytes;
  // The link that leads to the port has a queue already: links are met by rank.
  active_ports_.push_back({.weight = port.at_nic ? port.held : std::min(pause_above_bytes, port.held),
                           .pauses = is_full ? queue_of_link_[port.from] : no_queue,
                           .first = first});
  if (active_queues_.empty() || active_queues_.back().link != port.into) {
    if (active_queues_.empty() || depth_[active_queues_.back().link] != depth_[port.into])
      depth_ends_.push_back(0);
    queue_of_link_[port.into] = static_cast<std::uint32_t>(active_queues_.size());
    active_queues_.push_back({.link = port.into, .first = place});
    const double capacity = queues_[port.into].capacity;
    flowing_.push_back(
        {.allowed = std::min(capacity, head_room * allowed_[port.into]), .capacity = capacity});
    depth_ends_.back() = active_queues_.size();
  }
  active_queues_.back().end = place + 1;
  port.held = 0;
  return first + std::exchange(port.flows, 0);
}

/// One queue, after all that feed it: what its ports pass on, and what it allows the links behind them.
void Occupancy::pass_queue(std::size_t number, std::span<double> rates, Worker& worker) {
  const ActiveQueue& queue = active_queues_[number];
  const auto flows_of = [this](const ActivePort* port) {
    return std::span(flows_of_ports_).subspan(port->first, port[1].first - port->first);
  };
  const ActivePort* const first = &active_ports_[queue.first];
  const ActivePort* const end = &active_ports_[queue.end];
  worker.demands.clear();
  for (const ActivePort* port = first; port != end; ++port) {
    double demand = 0;
    for (const FlowId flow : flows_of(port)) demand += rates[flow];
    worker.demands.push_back({demand, port->weight});
  }
  worker.water.solve(worker.demands, flowing_[number].allowed);
  double passes = 0;
  for (const ActivePort* port = first; port != end; ++port) {
    const PortDemand& asked = worker.demands[static_cast<std::size_t>(port - first)];
    const double share = worker.water.share_of(asked);
    passes += share;
    if (share < asked.demand)
      for (const FlowId flow : flows_of(port)) rates[flow] *= share / asked.demand;
    if (port->pauses != no_queue && asked.demand > 0) hold_back(port->pauses, asked, worker.water);
  }
  flowing_[number].passes = passes;
}

/// To what its port would get. Queues of one depth may hold the same queue back at the same time.
void Occupancy::hold_back(std::uint32_t queue, const PortDemand& port, WaterLevel& water) {
  const double behind = flowing_[queue].passes;
  const std::atomic_ref<double> next(flowing_[queue].next);
  double before = next.load(std::memory_order_relaxed);
  if (behind * water.at_least_for(port) >= before * port.demand) return;  // for most
  const double allowed = behind * water.most_for(port) / port.demand;
  while (allowed < before && !next.compare_exchange_weak(before, allowed, std::memory_order_relaxed)) {
  }
}

/// The greatest relative change of what a link is allowed.
double Occupancy::adopt(std::span<Flowing> queues, bool damped) {
  double change = 0;
  for (Flowing& queue : queues) {
    const double next = damped ? std::sqrt(queue.allowed * queue.next) : queue.next;
    change = std::max(change, std::abs(next / queue.allowed - 1));
    queue.allowed = next;
  }
  return change;
}

bool Occupancy::is_settled(unsigned workers) const {
  return std::ranges::max(std::span(workers_).first(workers), {}, &Worker::change).change < least_change;
}

/// `wait`: for all other workers.
template <class Wait>
void Occupancy::run_rounds(unsigned own, unsigned workers, std::span<const FlowId> flows,
                           std::span<double> rates, Wait&& wait) {
  const Part mine = part_of(0, active_queues_.size(), own, workers),
             senders = part_of(0, flows.size(), own, workers);
  const std::span queues = std::span(flowing_).subspan(mine.first, mine.end - mine.first);
  for (int round = 0; round < most_rounds; ++round) {
    for (std::size_t at = senders.first; at < senders.end; ++at)
      rates[flows[at]] = senders_[flows[at]].demand;
    for (Flowing& queue : queues) queue.next = queue.capacity;
    wait();
    for (std::size_t first = 0; const std::size_t end : depth_ends_) {
      const Part part = part_of(first, end, own, workers);
      for (std::size_t number = part.first; number < part.end; ++number)
        pass_queue(number, rates, workers_[own]);
      first = end;
      wait();
    }
    workers_[own].change = adopt(queues, round >= undamped_rounds);
    wait();
    if (is_settled(workers)) break;
  }
  for (std::size_t number = mine.first; number < mine.end; ++number)
    allowed_[active_queues_[number].link] = flowing_[number].allowed;
}

void Occupancy::share(std::span<const FlowId> flows, std::span<double> rates) {
  gather(flows);
  const auto workers = flows_of_ports_.size() <= few_hops ? 1 : static_cast<unsigned>(workers_.size());
  share_among(workers, flows, rates);
  settled_ = is_settled(workers);
}

void Occupancy::share_among(unsigned workers, std::span<const FlowId> flows, std::span<double> rates) {
  if (workers == 1) return run_rounds(0, 1, flows, rates, [] {});
  std::barrier barrier(workers);
  const auto work = [&](unsigned own) {
    run_rounds(own, workers, flows, rates, [&] { barrier.arrive_and_wait(); });
  };
  std::vector<std::jthread> others;
  for (unsigned own = 1; own < workers; ++own) others.emplace_back(work, own);
  work(0);
}

}  // namespace assay::model::fabric

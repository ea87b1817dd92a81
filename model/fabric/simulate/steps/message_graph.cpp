// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/simulate/steps/message_graph.hpp"

#include <algorithm>

namespace assay::model::fabric {

MessageGraph::MessageGraph(const Scenario& scenario, const MessageRouter& router,
                           const StreamSection& section, std::span<const OperationPlan> plans,
                           GraphGrain grain)
    : scenario_(&scenario), section_(&section), grain_(grain), flows_(scenario.model(), router) {
  const WorkloadFile& workload = scenario.workload();
  std::size_t plan = 0;
  for (const std::size_t at : section.streams) {
    const Stream& stream = workload.streams[at];
    const Job& job = workload.jobs[stream.job];
    Chains chains(1 + std::ranges::max(scenario.host_of_rank()), Chain{.not_before_us = job.start_us});
    for (const std::size_t before : stream.after) {
      const auto place = std::ranges::find(section.streams, before);  // of another section: a barrier
      if (place != section.streams.end())
        join(chains, ends_[static_cast<std::size_t>(place - section.streams.begin())]);
    }
    for (std::size_t number = 0; number < stream.operations.size(); ++number)
      append(plans[plan++], job, chains);
    ends_.push_back(std::move(chains));
  }
}

double MessageGraph::end_of_job_us(std::size_t job, const Timeline& timeline) const {
  double end_us = 0;
  for (std::size_t at = 0; at < ends_.size(); ++at) {
    if (scenario_->workload().streams[section_->streams[at]].job != job) continue;
    for (const Chain& chain : ends_[at]) {
      end_us = std::max(end_us, chain.not_before_us);
      for (const Wait& one : chain.after) end_us = std::max(end_us, timeline.end_us[one.flow] + one.delay_us);
    }
  }
  return end_us;
}

double MessageGraph::time_of_operation_us(std::size_t operation, const Timeline& timeline) const {
  const FlowRange& range = ranges_[operation];
  if (range.first == range.end) return range.delay_us;
  const auto part = [&](const std::vector<double>& times) {
    return std::span(times).subspan(range.first, range.end - range.first);
  };
  return std::ranges::max(part(timeline.end_us)) - std::ranges::min(part(timeline.start_us));
}

void MessageGraph::join(Chains& chains, const Chains& before) {
  for (std::size_t host = 0; host < chains.size(); ++host) {
    chains[host].after.insert(chains[host].after.end(), before[host].after.begin(), before[host].after.end());
    chains[host].not_before_us = std::max(chains[host].not_before_us, before[host].not_before_us);
  }
}

void MessageGraph::append(const OperationPlan& plan, const Job& job, Chains& chains) {
  const Operation& operation = plan.exchange.operation();
  FlowRange range{.first = static_cast<FlowId>(flows_.size()), .delay_us = operation.all_compute_us()};
  if (operation.kind == OperationKind::compute) append_compute(operation, job, chains);
  if (operation.kind == OperationKind::compute && job.processor_usage <= 0)
    range.first = static_cast<FlowId>(flows_.size());  // moments before it are none of its own
  append_messages(plan, chains);
  range.end = static_cast<FlowId>(flows_.size());
  ranges_.push_back(range);
}

void MessageGraph::append_messages(const OperationPlan& plan, Chains& chains) {
  if (grain_ == GraphGrain::alike) {
    for (const StepPlan& one : plan.steps)
      append_step(plan.exchange, one.step.step,
                  {.message = one.message,
                   .repeats = one.step.repeats,
                   .latencies = one.step.repeats * one.step.latency_steps},
                  chains);
    return;
  }
  const FabricModel& model = scenario_->model();
  const auto queue_pairs = static_cast<std::uint32_t>(model.file().routing.queue_pairs);
  std::uint32_t turn = 0;
  for (const int step : plan.exchange.steps_in_order()) {
    append_step(plan.exchange, step,
                {.message = model.splits() ? 0 : turn % queue_pairs,
                 .latencies = static_cast<double>(plan.exchange.latency_steps_of(step))},
                chains);
    ++turn;
  }
}

std::vector<NodeId> MessageGraph::hosts_that_compute(const Operation& operation, const Job& job) const {
  std::vector<NodeId> hosts;
  const std::vector<NodeId>& host_of = scenario_->host_of_rank();
  if (!operation.groups.empty())
    for (const std::uint32_t rank : operation.groups.front()) hosts.push_back(host_of[rank]);
  else
    for (std::uint32_t rank = 0; rank < job.ranks.count; ++rank)
      hosts.push_back(host_of[job.ranks.first + rank]);
  return hosts;
}

/// A delay, unless messages of other streams can slow it.
void MessageGraph::append_compute(const Operation& operation, const Job& job, Chains& chains) {
  const double all_us = operation.all_compute_us();
  for (const NodeId host : hosts_that_compute(operation, job)) {
    Chain& chain = chains[host];
    condense(chain, host);
    if (job.processor_usage <= 0) {
      chain.not_before_us += all_us;
      for (Wait& one : chain.after) one.delay_us += all_us;
      continue;
    }
    const FlowId flow = flows_.add_compute(host, all_us, job.processor_usage, chain.not_before_us);
    wait(chain, flow);
    chain = {.after = {{flow}}};
  }
}

void MessageGraph::condense(Chain& chain, NodeId host) {
  if (chain.after.size() < 2) return;
  const FlowId moment = flows_.add_moment(host, chain.not_before_us);
  wait(chain, moment);
  chain = {.after = {{moment}}};
}

void MessageGraph::wait(const Chain& chain, FlowId first) {
  for (FlowId flow = first; flow < flows_.size(); ++flow)
    for (const Wait& one : chain.after) precedences_.push_back({one.flow, flow, one.delay_us});
}

void MessageGraph::append_step(const OperationSends& exchange, int step, const Sending& sending,
                               Chains& chains) {
  std::vector<std::vector<Wait>> next(chains.size());
  std::vector<char> sends(chains.size());
  for (const NodeId from : exchange.hosts()) {
    condense(chains[from], from);
    exchange.sends_of(from, step, [&](NodeId to, std::uint64_t bytes) {
      Sending own = sending;
      own.start_us = chains[from].not_before_us;
      const FlowId first = flows_.add(from, to, bytes, own);
      wait(chains[from], first);
      sends[from] = 1;
      for (FlowId flow = first; flow < flows_.size(); ++flow) {
        next[from].push_back({flow});
        next[to].push_back({flow});
      }
    });
  }
  for (const NodeId host : exchange.hosts()) {
    Chain& chain = chains[host];
    if (sends[host] != 0)  // after all that the chain waits for
      chain = {.after = std::move(next[host])};
    else
      chain.after.insert(chain.after.end(), next[host].begin(), next[host].end());
  }
}

}  // namespace assay::model::fabric

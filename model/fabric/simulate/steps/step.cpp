// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/simulate/steps/step.hpp"

#include <algorithm>

#include "model/fabric/load.hpp"
#include "model/fabric/simulate/hold_ups.hpp"
#include "model/fabric/simulate/steps/flow_set.hpp"

namespace assay::model::fabric {

namespace {

FlowSet flows_of(const FabricModel& model, const MessageRouter& router, const OperationSends& exchange,
                 const StepPlan& step) {
  FlowSet flows(model, router);
  for (const NodeId from : exchange.hosts())
    exchange.sends_of(from, step.step.step, [&](NodeId to, std::uint64_t bytes) {
      flows.add(from, to, bytes, {.message = step.message});
    });
  return flows;
}

/// A timeline in which each flow takes as long as the slowest link of its path.
Timeline slowest_links_alone(const FlowSet& flows, const HoldUps& hold_ups) {
  Timeline timeline{.start_us = std::vector<double>(flows.size()), .end_us = {}};
  for (FlowId flow = 0; flow < flows.size(); ++flow)
    timeline.end_us.push_back(flows.messages()[flow].latency_us + hold_ups.least_us(flow));
  return timeline;
}

std::vector<HostTime> host_times(const FabricModel& model, const FlowSet& flows, const HoldUps& hold_ups,
                                 const Timeline& timeline) {
  std::vector<HostTime> hosts(model.topology().hosts());
  for (FlowId flow = 0; flow < flows.size(); ++flow) {
    if (!flows.is_message(flow)) continue;
    const double end_us = timeline.end_us[flow];
    for (const NodeId host : {flows.from(flow), flows.to(flow)})
      if (end_us > hosts[host].time_us)
        hosts[host] = {end_us, hold_ups.of(flow, end_us - timeline.start_us[flow])};
  }
  return hosts;
}

double lost_us(const StepPlan& step, const StepDetail& detail) {
  return detail.congested ? 1e6 * detail.congested->start.lost_s / step.step.repeats : 0;
}

/// The bound, and where no link needs longer than that of a host, also what its farthest message adds: exact
/// for equal flows under max-min. If a link between switches needs longer, at most the difference of
/// latencies is missing.
double fair_end_us(const FabricModel& model, const StepPlan& step, std::span<const double> bytes_of_links) {
  double longest_us = 0;
  for (LinkId link = 0; link < model.links(); ++link)
    longest_us = std::max(longest_us, bytes_of_links[link] / model.capacity(link));
  const double us = bound_us(model, step, bytes_of_links, model.capacities(), step.ends);
  constexpr double alike = 1e-6;  // relative: parts of messages are whole bytes
  const bool hosts_decide = step.flows.equal && step.ends.load_us >= longest_us * (1 - alike);
  return hosts_decide ? std::max(us, step.ends.busiest_us) : us;
}

double bound_step(const FabricModel& model, const MessageRouter& router, const OperationSends& exchange,
                  const StepPlan& step, unsigned threads, StepDetail& detail) {
  detail.bytes_of_links = step_load(model, router, exchange, step, threads);
  if (detail.with_hosts && step.flows.flows * step.paths <= most_detailed_flows) {
    const FlowSet flows = flows_of(model, router, exchange, step);
    const HoldUps hold_ups(model, flows, detail.bytes_of_links);
    detail.hosts = host_times(model, flows, hold_ups, slowest_links_alone(flows, hold_ups));
  }
  detail.congested = congested_link(model, step, detail.bytes_of_links);
  return lost_us(step, detail) + std::max(step.latency_us + std::max(step.window_us, step.gap_us),
                                          fair_end_us(model, step, detail.bytes_of_links));
}

}  // namespace

void fill(StepDetail& detail, const FabricModel& model, const FlowSet& flows, const Timeline& timeline) {
  detail.bytes_of_links = flows.bytes_of_links();
  if (!detail.with_hosts) return;
  const HoldUps hold_ups(model, flows, detail.bytes_of_links);
  detail.hosts = host_times(model, flows, hold_ups, timeline);
}

double simulate_step(const FabricModel& model, const MessageRouter& router, const OperationSends& exchange,
                     const StepPlan& step, unsigned threads, StepDetail& detail) {
  if (step.rule == SharingRuleKind::bound) return bound_step(model, router, exchange, step, threads, detail);
  const FlowSet flows = flows_of(model, router, exchange, step);
  PauseLog pauses(detail.with_hosts ? model.links() : 0);
  const Timeline timeline = flows.run(step.rule, threads, {}, detail.with_hosts ? &pauses : nullptr);
  detail.paused_links = pauses.links();
  detail.settling = pauses.settling();
  fill(detail, model, flows, timeline);
  detail.congested = congested_link(model, step, detail.bytes_of_links);
  const double latency_us = step.latency_us / step.step.latency_steps;
  return lost_us(step, detail) + std::max(timeline.makespan_us(), latency_us + step.gap_us) +
         (step.step.latency_steps - 1) * latency_us;
}

}  // namespace assay::model::fabric

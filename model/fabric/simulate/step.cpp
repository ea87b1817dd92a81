// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/simulate/step.hpp"

#include <algorithm>

#include "model/fabric/load.hpp"
#include "model/fabric/simulate/flow_set.hpp"
#include "model/fabric/simulate/hold_ups.hpp"

namespace assay::model::fabric {

namespace {

FlowSet flows_of(const FabricModel& model, const MessageRouter& router, const OperationSends& exchange,
                 const StepPlan& step) {
  FlowSet flows(model, router);
  for (const NodeId from : exchange.hosts())
    exchange.sends_of(from, step.step.step,
                      [&](NodeId to, std::uint64_t bytes) { flows.add(from, to, bytes, step.message); });
  return flows;
}

void see_end(std::vector<HostTime>& hosts, NodeId host, double time_us, LinkId link) {
  if (time_us > hosts[host].time_us) hosts[host] = {time_us, link};
}

/// `end_us`: of each flow; empty where its slowest link alone decides.
void detail_hosts(const FabricModel& model, const FlowSet& flows, const std::vector<double>& end_us,
                  StepDetail& detail) {
  detail.hosts.resize(model.topology().hosts());
  const HoldUps hold_ups(model, flows, detail.bytes_of_links);
  for (FlowId flow = 0; flow < flows.size(); ++flow) {
    const double time_us =
        end_us.empty() ? flows.messages()[flow].latency_us + hold_ups.least_us(flow) : end_us[flow];
    const LinkId link = hold_ups.of(flow, time_us);
    see_end(detail.hosts, flows.from(flow), time_us, link);
    see_end(detail.hosts, flows.to(flow), time_us, link);
  }
}

double bound_step(const FabricModel& model, const MessageRouter& router, const OperationSends& exchange,
                  const StepPlan& step, unsigned threads, StepDetail& detail) {
  detail.bytes_of_links = step_load(model, router, exchange, step, threads);
  if (detail.with_hosts && step.flows.flows * step.paths <= most_detailed_flows)
    detail_hosts(model, flows_of(model, router, exchange, step), {}, detail);
  return step.latency_us +
         std::max({step.window_us, step.gap_us, bound_of(detail.bytes_of_links, model.capacities()).time_us});
}

}  // namespace

double simulate_step(const FabricModel& model, const MessageRouter& router, const OperationSends& exchange,
                     const StepPlan& step, unsigned threads, StepDetail& detail) {
  if (step.rule == SharingRuleKind::bound) return bound_step(model, router, exchange, step, threads, detail);
  const FlowSet flows = flows_of(model, router, exchange, step);
  const Timeline timeline = flows.run(step.rule, threads);
  detail.bytes_of_links = flows.bytes_of_links();
  if (detail.with_hosts) detail_hosts(model, flows, timeline.end_us, detail);
  const double latency_us = step.latency_us / step.step.latency_steps;
  return std::max(timeline.makespan_us(), latency_us + step.gap_us) +
         (step.step.latency_steps - 1) * latency_us;
}

}  // namespace assay::model::fabric

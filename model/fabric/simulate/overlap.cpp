// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/simulate/overlap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "harness/core/error.hpp"
#include "model/fabric/simulate/each_seed.hpp"
#include "model/fabric/simulate/flow_set.hpp"

namespace assay::model::fabric {

namespace {

/// What a rank of a stream waits for before its next message.
struct Chain {
  std::vector<FlowId> after;
  double delay_us = 0;
};
using Chains = std::vector<Chain>;  // of each host

struct FlowRange {
  FlowId first = 0, end = 0;
  double delay_us = 0;  // of compute instead
};

/// All messages of a workload, with what each waits for.
class Graph {
 public:
  Graph(const Scenario& scenario, const Router& router)
      : scenario_(&scenario), flows_(scenario.model(), router) {}

  void build(const std::vector<OperationPlan>& plans) {
    const WorkloadFile& workload = scenario_->workload();
    std::vector<Chains> ends(workload.streams.size());
    std::size_t plan = 0;
    for (const std::size_t stream : scenario_->stream_order()) {
      Chains chains(scenario_->model().topology().hosts());
      for (const std::size_t before : workload.streams[stream].after) join(chains, ends[before]);
      for (const Operation& operation : workload.streams[stream].operations)
        append(plans[plan++].exchange, operation, chains);
      ends[stream] = std::move(chains);
    }
    for (const Chains& chains : ends) last_.insert(last_.end(), chains.begin(), chains.end());
  }

  /// Until everything has ended, compute at the end included.
  double end_us(const Timeline& timeline) const {
    double end_us = 0;
    for (const Chain& chain : last_) {
      double own_us = 0;
      for (const FlowId flow : chain.after) own_us = std::max(own_us, timeline.end_us[flow]);
      end_us = std::max(end_us, own_us + chain.delay_us);
    }
    return end_us;
  }

  double time_of(std::size_t operation, const Timeline& timeline) const {
    const FlowRange& range = ranges_[operation];
    if (range.first == range.end) return range.delay_us;
    const auto part = [&](const std::vector<double>& times) {
      return std::span(times).subspan(range.first, range.end - range.first);
    };
    return std::ranges::max(part(timeline.end_us)) - std::ranges::min(part(timeline.start_us));
  }

  const FlowSet& flows() const { return flows_; }
  Timeline run(SharingRuleKind rule) const { return flows_.run(rule, precedences_); }

 private:
  static void join(Chains& chains, const Chains& before) {
    for (std::size_t host = 0; host < chains.size(); ++host) {
      chains[host].after.insert(chains[host].after.end(), before[host].after.begin(),
                                before[host].after.end());
      chains[host].delay_us = std::max(chains[host].delay_us, before[host].delay_us);
    }
  }

  void append(const OperationSends& exchange, const Operation& operation, Chains& chains) {
    FlowRange range{.first = static_cast<FlowId>(flows_.size()), .delay_us = operation.compute_us};
    for (Chain& chain : chains) chain.delay_us += operation.compute_us;
    std::uint32_t turn = 0;
    for (const int step : exchange.steps_in_order()) append_step(exchange, step, turn++, chains);
    range.end = static_cast<FlowId>(flows_.size());
    ranges_.push_back(range);
  }

  void append_step(const OperationSends& exchange, int step, std::uint32_t turn, Chains& chains) {
    const FabricModel& model = scenario_->model();
    const std::uint32_t message =
        model.splits() ? 0 : turn % static_cast<std::uint32_t>(model.file().routing.queue_pairs);
    std::vector<std::vector<FlowId>> next(chains.size());
    for (const NodeId from : exchange.hosts())
      exchange.sends_of(from, step, [&](NodeId to, std::uint64_t bytes) {
        const Chain& chain = chains[from];
        const FlowId first = flows_.add(from, to, bytes, message, chain.after.empty() ? chain.delay_us : 0);
        for (FlowId flow = first; flow < flows_.size(); ++flow) {
          for (const FlowId before : chain.after) precedences_.push_back({before, flow, chain.delay_us});
          next[from].push_back(flow);
          next[to].push_back(flow);
        }
      });
    for (const NodeId host : exchange.hosts())
      if (!next[host].empty()) chains[host] = {std::move(next[host]), 0};
  }

  const Scenario* scenario_;
  FlowSet flows_;
  std::vector<Precedence> precedences_;
  std::vector<FlowRange> ranges_;  // of each operation
  Chains last_;
};

std::size_t flows_together(const Scenario& scenario, const std::vector<OperationPlan>& plans) {
  double flows = 0;
  for (const OperationPlan& plan : plans)
    for (const StepPlan& step : plan.steps)
      flows += step.step.repeats * static_cast<double>(step.flows.flows * step.paths);
  if (flows > most_graph_flows)
    core::usage_error(
        fmt::format("{}: stream: {} flows of streams that overlap, expected at most {}: lower ranks or queue "
                    "pairs, or let "
                    "one stream follow the other (after)",
                    scenario.workload().file, flows, most_graph_flows));
  return static_cast<std::size_t>(flows);
}

SharingRuleKind rule_of(const Scenario& scenario, SharingChoice choice, std::size_t flows) {
  if (choice == SharingChoice::bound)
    core::usage_error(
        fmt::format("{}: stream: the bound does not hold for streams that overlap: expected "
                    "--sharing auto, max-min or occupancy",
                    scenario.workload().file));
  const FabricModel& model = scenario.model();
  return rule_for(
      choice, {.flows = flows, .equal = false, .lossless = !model.file().rate_control && !model.sprays()});
}

void detail_graph(const FabricModel& model, const Graph& graph, const Timeline& timeline,
                  Simulation& result) {
  result.bytes_of_links = graph.flows().bytes_of_links();
  result.hosts.resize(model.topology().hosts());
  for (FlowId flow = 0; flow < graph.flows().size(); ++flow)
    for (const NodeId host : {graph.flows().from(flow), graph.flows().to(flow)})
      if (timeline.end_us[flow] > result.hosts[host].time_us)
        result.hosts[host] = {timeline.end_us[flow],
                              slowest_link(model, graph.flows().paths()[flow], result.bytes_of_links)};
}

}  // namespace

void simulate_overlap(const Scenario& scenario, const std::vector<OperationPlan>& plans,
                      const SimulationOptions& options, Simulation& result) {
  const SharingRuleKind rule = rule_of(scenario, options.sharing, flows_together(scenario, plans));
  result.rules = {rule};
  for (OperationTimes& one : result.operations) one.steps.clear();
  const auto run = [&](std::uint32_t at, const std::function<void(const Graph&, const Timeline&)>& use) {
    const Router router = scenario.model().router(at + 1);
    Graph graph(scenario, router);
    graph.build(plans);
    use(graph, graph.run(rule));
  };
  for_each_seed(options.seeds, options.threads, [&](std::uint32_t at, unsigned) {
    run(at, [&](const Graph& graph, const Timeline& timeline) {
      result.time_us[at] = graph.end_us(timeline);
      for (std::size_t number = 0; number < plans.size(); ++number)
        result.operations[number].time_us[at] = graph.time_of(number, timeline);
    });
  });
  result.median_seed = median_seed_of(result.time_us);
  if (!options.loads) return;
  run(result.median_seed - 1, [&](const Graph& graph, const Timeline& timeline) {
    detail_graph(scenario.model(), graph, timeline, result);
  });
}

}  // namespace assay::model::fabric

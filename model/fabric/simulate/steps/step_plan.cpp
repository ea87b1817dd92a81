// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/simulate/steps/step_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "harness/core/error.hpp"
#include "model/fabric/all_to_all.hpp"
#include "model/fabric/file/build_fabric.hpp"
#include "model/fabric/load.hpp"
#include "model/fabric/routing/drawn_flows.hpp"
#include "model/fabric/simulate/answer/shape_findings.hpp"
#include "model/fabric/simulate/steps/step_survey.hpp"

namespace assay::model::fabric {

namespace {

constexpr double bytes_of_flow = 400;  // of memory: path, message, sender, and what rules keep

/// The end of equal flows under max-min sharing is the bound itself, which stores none of them.
void refuse_too_many(const Operation& operation, StepPlan& step) {
  const double bytes = bytes_of_flow * static_cast<double>(step.paths * step.flows.flows);
  if (step.rule == SharingRuleKind::bound || bytes <= most_memory_bytes) return;
  if (step.rule == SharingRuleKind::max_min && step.flows.equal) {
    step.rule = SharingRuleKind::bound;
    return;
  }
  core::usage_error(
      fmt::format("{}groups: {} flows under {} sharing need {:.1f} GiB, expected at most {:.0f} GiB: lower "
                  "ranks or queue "
                  "pairs, {}or take --sharing bound",
                  operation.where, step.flows.flows, rule_words.of(step.rule), bytes / (1U << 30U),
                  most_memory_bytes / (1U << 30U),
                  operation.kind == OperationKind::all_to_all
                      ? "let it go in shifts, which are sampled (algorithm = \"pairwise\"), "
                      : ""));
}

/// The load of an all-to-all at once, less what does not cross the fabric.
Load load_at_once(const FabricModel& model, const Router& router, const OperationSends& sends,
                  FlowChoice choice, unsigned threads) {
  std::vector<AllToAll> groups;
  for (const RankGroup& group : sends.operation().groups) {
    const BlockBytes blocks = equal_blocks({static_cast<int>(group.size()), sends.operation().bytes});
    AllToAll& hosts = groups.emplace_back();
    for (std::uint32_t index = 0; index < group.size(); ++index)
      hosts.push_back({sends.host_of(group[index]), blocks(0, static_cast<int>(index))});
  }
  std::vector<std::uint32_t> servers(model.topology().hosts());
  for (NodeId host = 0; host < servers.size(); ++host) servers[host] = model.nvlink_domain(host);
  return all_to_all_load(router, groups, servers, threads, choice);
}

std::vector<double> planned_load(const FabricModel& model, const MessageRouter& router,
                                 const OperationSends& sends, const StepPlan& step) {
  std::vector<double> bytes(model.links());
  for (const NodeId from : sends.hosts())
    sends.sends_of(from, step.step.step, [&](NodeId to, std::uint64_t amount) {
      if (model.by_nvlink(from, to)) return;
      router.route(from, to, amount, step.message, [&](std::span<const LinkId> path, std::uint64_t part) {
        for (const LinkId link : path) bytes[link] += static_cast<double>(part);
      });
    });
  return bytes;
}

/// A step whose messages take queue pairs in turn is one for each of them.
std::vector<StepPlan> steps_by_turn(const FabricModel& model, const OperationSends& exchange) {
  std::vector<StepPlan> steps;
  for (const DistinctStep& one : exchange.steps()) {
    const double turns = model.splits() ? 1 : std::min<double>(model.file().routing.queue_pairs, one.repeats);
    for (std::uint32_t turn = 0; turn < static_cast<std::uint32_t>(turns); ++turn)
      steps.push_back({.step = {one.step, one.repeats / turns, one.latency_steps}, .message = turn});
  }
  return steps;
}

HostEnds ends_of_step(const FabricModel& model, const StepSurvey& survey, const OperationSends& exchange,
                      const StepPlan& step, std::span<const double> capacities) {
  if (exchange.is_equal_at_once()) return ends_of_all(model, exchange, survey.latency_us(), capacities);
  return host_ends(
      model, exchange, step.step.step,
      [&](NodeId from, NodeId to) { return step.step.latency_steps * survey.latency_us(from, to); },
      capacities);
}

void refuse_occupancy_in_circle(const FabricModel& model) {
  if (!model.buffer_cycle().empty())
    core::usage_error(fmt::format("--sharing: {}: expected auto, bound or max-min", cycle_text(model)));
}

/// All but what the links allow, which have these capacities; returns when hosts end by them.
HostEnds survey_step(const FabricModel& model, const CommonRouters& routers, const OperationSends& exchange,
                     SharingChoice choice, std::span<const double> whole, StepPlan& step) {
  StepSurvey survey(model);
  survey.survey(exchange, step.step.step);
  survey.measure(routers.plain);
  step.flows = survey.flows();
  if (choice == SharingChoice::occupancy) refuse_occupancy_in_circle(model);
  step.rule = rule_for(choice, step.flows);
  if (model.sprays()) step.paths = survey.paths(routers.even.hashed());
  refuse_too_many(exchange.operation(), step);
  step.drawn = exchange.is_equal_at_once() && step.flows.flows > most_hashed_flows &&
               can_draw(model.file().routing, model.topology()) && !model.file().engineered;
  step.latency_us = step.step.latency_steps * survey.latency_us();
  step.window_us = survey.window_us();
  step.gap_us = survey.gap_us();
  step.flow_bytes = survey.flow_bytes();
  step.least_latency_us = survey.least_latency_us();
  for (double& us : step.least_latency_us) us *= step.step.latency_steps;
  step.ends = ends_of_step(model, survey, exchange, step, model.capacities());
  return std::ranges::equal(whole, model.capacities()) ? step.ends
                                                       : ends_of_step(model, survey, exchange, step, whole);
}

}  // namespace

std::vector<double> step_load(const FabricModel& model, const MessageRouter& router,
                              const OperationSends& exchange, const StepPlan& step, unsigned threads) {
  const auto fabric_sends = [&](NodeId from, const std::function<void(NodeId, std::uint64_t)>& send) {
    exchange.sends_of(from, step.step.step, [&](NodeId to, std::uint64_t bytes) {
      if (!model.by_nvlink(from, to)) send(to, bytes);
    });
  };
  std::vector<double> bytes;
  if (router.planned()) {
    bytes = planned_load(model, router, exchange, step);
  } else if (exchange.is_equal_at_once()) {
    const FlowChoice choice = step.drawn ? FlowChoice::drawn : FlowChoice::hashed;
    bytes = load_at_once(model, router.hashed(), exchange, choice, threads).bytes_of_links();
  } else if (step.message == 0) {
    bytes = load_of(router.hashed(), fabric_sends, threads).bytes_of_links();
  } else {
    Load load(router.hashed());
    for (const NodeId from : exchange.hosts())
      fabric_sends(from, [&](NodeId to, std::uint64_t amount) { load.add(from, to, amount, step.message); });
    bytes = load.bytes_of_links();
  }
  bytes.resize(model.links());
  if (!model.file().server.nvlink_bytes_per_us) return bytes;
  for (const NodeId from : exchange.hosts())
    exchange.sends_of(from, step.step.step, [&](NodeId to, std::uint64_t amount) {
      if (!model.by_nvlink(from, to)) return;
      bytes[model.nvlink_from(from)] += static_cast<double>(amount);
      bytes[model.nvlink_to(to)] += static_cast<double>(amount);
    });
  return bytes;
}

double bound_us(const FabricModel& model, const StepPlan& step, std::span<const double> bytes_of_links,
                std::span<const double> capacities, const HostEnds& ends) {
  double most_us = std::max(step.latency_us, ends.alone_us);
  for (LinkId link = 0; link < model.links(); ++link)
    if (bytes_of_links[link] > 0)
      most_us = std::max(
          most_us, bytes_of_links[link] / capacities[link] + step.least_latency_us[model.tier_number(link)]);
  return most_us;
}

TrafficPlan plan_of_traffic(const FabricModel& model, const std::vector<OperationPlan>& plans) {
  const Topology& topology = model.topology();
  std::map<std::pair<NodeId, NodeId>, double> bytes;
  for (const OperationPlan& plan : plans)
    for (const StepPlan& step : plan.steps)
      for (const NodeId from : plan.exchange.hosts())
        plan.exchange.sends_of(from, step.step.step, [&](NodeId to, std::uint64_t amount) {
          const NodeId leaf = topology.leaf_of(to);
          if (leaf == topology.leaf_of(from) || model.by_nvlink(from, to)) return;
          bytes[{from, leaf}] += step.step.repeats * static_cast<double>(amount);
          if (bytes.size() > most_planned_demands)
            core::usage_error(
                fmt::format("{}: routing.kind: te plans at most {} pairs of a source and a leaf: "
                            "expected another routing, or fewer ranks",
                            model.file().file, most_planned_demands));
        });
  std::vector<Demand> demands;
  for (const auto& [pair, amount] : bytes) demands.push_back({pair.first, pair.second, amount});
  if (!model.file().plan_is_stale) return plan_traffic(topology, NextHops(topology), demands);
  FabricFile sound = model.file();
  sound.failed.clear();
  sound.degraded.clear();
  const Topology before = topology_of(sound);
  return plan_traffic(before, NextHops(before), demands);
}

SendSettings send_settings_of(const FabricModel& model) {
  return {.per_server = static_cast<int>(model.file().server.gpus),
          .window_bytes = model.file().admission ? model.file().admission->window_bytes() : 0,
          .distance = [&model](NodeId one, NodeId other) { return model.distance(one, other); }};
}

OperationPlan plan_operation(const FabricModel& model, const CommonRouters& routers,
                             const Operation& operation, std::span<const NodeId> host_of_rank,
                             SharingChoice choice, unsigned threads, std::span<const OperationPlan> before) {
  OperationPlan plan{.exchange = OperationSends(operation, host_of_rank, send_settings_of(model))};
  if (operation.kind == OperationKind::compute) return plan;
  const auto alike = std::ranges::find_if(
      before, [&](const OperationPlan& one) { return one.exchange.operation().sends_as(operation); });
  plan.steps = alike != before.end() ? alike->steps : steps_by_turn(model, plan.exchange);
  if (alike != before.end()) return plan;
  std::vector<double> whole = model.topology().capacities();
  whole.insert(whole.end(), model.capacities().begin() + model.topology().links(), model.capacities().end());
  for (std::size_t at = 0; at < plan.steps.size(); ++at) {
    StepPlan& step = plan.steps[at];
    if (step.message > 0) {
      const std::uint32_t message = step.message;
      step = plan.steps[at - 1];
      step.message = message;
      continue;
    }
    const HostEnds even = survey_step(model, routers, plan.exchange, choice, whole, step);
    step.even_us =
        bound_us(model, step, step_load(model, routers.even, plan.exchange, step, threads), whole, even);
  }
  return plan;
}

}  // namespace assay::model::fabric

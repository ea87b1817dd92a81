// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/simulate/step_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>

#include "harness/core/error.hpp"
#include "model/fabric/file/build_fabric.hpp"
#include "model/fabric/load.hpp"

namespace assay::model::fabric {

namespace {

constexpr double bytes_of_flow = 400;  // of memory: path, message, sender, and what rules keep

/// Collects, for each pair of leaves that exchange anything, one pair of hosts; and the sizes of messages.
class StepSurvey {
 public:
  explicit StepSurvey(const FabricModel& model)
      : model_(&model),
        pairs_(std::size_t{model.topology().leaves()} * model.topology().leaves(), {none, none}) {}

  void survey(const OperationSends& exchange, int step) {
    if (exchange.is_equal_at_once()) return survey_all(exchange);
    for (const NodeId from : exchange.hosts()) {
      std::size_t messages = 0;
      exchange.sends_of(from, step, [&](NodeId to, std::uint64_t bytes) {
        see(from, to, bytes, 1);
        ++messages;
      });
      most_messages_ = std::max(most_messages_, messages);
    }
  }

  /// A message is one, however many queue pairs it is split over.
  double gap_us() const {
    const auto gaps = static_cast<double>(std::max<std::size_t>(1, most_messages_) - 1);
    return gaps * model_->file().server.message_gap_us;
  }

  StepFlows flows() const {
    const bool limited = longest_ && model_->window_limits(*longest_);
    return {.flows = flows_,
            .equal = most_ <= least_ + 1 && !limited,
            .lossless = !model_->file().rate_control && !model_->sprays()};
  }

  void measure(const Router& router) {
    for (const auto& [from, to] : pairs_) {
      if (from == none) continue;
      if (take_path(path_of(router, from, to))) farthest_ = {from, to};
    }
    if (by_nvlink_) take_path({model_->nvlink_from(0), model_->nvlink_to(0)});
  }

  double latency_us() const { return latency_us_; }
  /// Shortest paths between the hosts that are the farthest from each other.
  std::size_t paths(const Router& even) const {
    std::size_t count = 0;
    if (farthest_)
      even.route(farthest_->first, farthest_->second, 1U << 20U, 0,
                 [&](std::span<const LinkId>, std::uint64_t) { ++count; });
    return std::max<std::size_t>(1, count);
  }
  double window_us() const {
    if (!longest_ || !model_->window_limits(*longest_)) return 0;
    const double part = static_cast<double>(most_) / model_->parts();
    return part / model_->sender(*longest_, part).demand;
  }

 private:
  static constexpr NodeId none = ~NodeId{0};

  void survey_all(const OperationSends& exchange) {
    const Topology& topology = model_->topology();
    for (const RankGroup& group : exchange.operation().groups) {
      const std::uint64_t block = exchange.operation().bytes / group.size();
      flows_ += group.size() * (group.size() - 1) * static_cast<std::size_t>(model_->parts());
      most_messages_ = std::max(most_messages_, group.size() - 1);
      least_ = std::min(least_, block);
      most_ = std::max(most_, std::max<std::uint64_t>(1, block));
    }
    std::vector<NodeId> first_of_leaf(topology.leaves(), none), last_of_leaf = first_of_leaf;
    for (const NodeId host : exchange.hosts()) {
      const std::size_t leaf = topology.leaf_of(host) - topology.hosts();
      if (first_of_leaf[leaf] == none) first_of_leaf[leaf] = host;
      last_of_leaf[leaf] = host;
    }
    by_nvlink_ = model_->file().server.nvlink_bytes_per_us.has_value();
    for (const NodeId from : last_of_leaf)
      for (const NodeId to : last_of_leaf)
        if (from != none && to != none && from != to) mark(from, to);
    for (std::size_t leaf = 0; leaf < first_of_leaf.size(); ++leaf) {
      const NodeId from = first_of_leaf[leaf], to = last_of_leaf[leaf];
      if (from != to && !model_->by_nvlink(from, to)) mark(from, to);
    }
  }

  void see(NodeId from, NodeId to, std::uint64_t bytes, std::size_t messages) {
    flows_ += messages * static_cast<std::size_t>(model_->parts());
    least_ = std::min(least_, bytes);
    most_ = std::max(most_, bytes);
    if (model_->by_nvlink(from, to))
      by_nvlink_ = true;
    else
      mark(from, to);
  }

  void mark(NodeId from, NodeId to) {
    const Topology& topology = model_->topology();
    const std::size_t row = topology.leaf_of(from) - topology.hosts();
    pairs_[row * topology.leaves() + topology.leaf_of(to) - topology.hosts()] = {from, to};
  }

  std::vector<LinkId> path_of(const Router& router, NodeId from, NodeId to) const {
    std::vector<LinkId> path;
    router.route(from, to, 1, 0, [&](std::span<const LinkId> links, std::uint64_t bytes) {
      if (bytes > 0) path.assign(links.begin(), links.end());
    });
    return path;
  }

  bool take_path(std::vector<LinkId> path) {
    const double us = model_->latency_us(path);
    if (longest_ && us <= latency_us_) return false;
    latency_us_ = us;
    longest_ = std::move(path);
    return true;
  }

  const FabricModel* model_;
  std::vector<std::pair<NodeId, NodeId>> pairs_;
  std::size_t flows_ = 0, most_messages_ = 0;
  std::uint64_t least_ = std::numeric_limits<std::uint64_t>::max(), most_ = 0;
  bool by_nvlink_ = false;
  double latency_us_ = 0;
  std::optional<std::vector<LinkId>> longest_;
  std::optional<std::pair<NodeId, NodeId>> farthest_;
};

void refuse_too_many(const Operation& operation, const StepPlan& step) {
  const double bytes = bytes_of_flow * static_cast<double>(step.paths * step.flows.flows);
  if (step.rule == SharingRuleKind::bound || bytes <= most_memory_bytes) return;
  core::usage_error(fmt::format(
      "{}groups: {} flows under {} sharing need {:.1f} GiB, expected at most {:.0f} GiB: lower ranks "
      "or queue pairs, "
      "or take --sharing bound",
      operation.where, step.flows.flows, rule_words.of(step.rule), bytes / (1U << 30U),
      most_memory_bytes / (1U << 30U)));
}

/// Of an all-to-all at once: rows of one source together, less what does not cross the fabric.
Load all_to_all_rows(const FabricModel& model, const Router& router, const OperationSends& sends,
                     unsigned threads) {
  std::vector<std::vector<Delivery>> rows(model.topology().hosts());  // by the first host of a group
  std::vector<NodeId> first_of(model.topology().hosts(), ~NodeId{0});
  for (const RankGroup& group : sends.operation().groups) {
    const NodeId first = sends.host_of(group.front());
    const BlockBytes blocks = equal_blocks({static_cast<int>(group.size()), sends.operation().bytes});
    for (std::uint32_t index = 0; index < group.size(); ++index) {
      const NodeId host = sends.host_of(group[index]);
      first_of[host] = first;
      rows[first].push_back({host, blocks(0, static_cast<int>(index))});
    }
  }
  const EachRow each = [&](NodeId from, const std::function<void(std::span<const Delivery>)>& send) {
    if (first_of[from] == ~NodeId{0}) return;
    const std::span<const Delivery> row = rows[first_of[from]];
    std::size_t begin = 0;
    for (std::size_t at = 0; at < row.size(); ++at) {
      const NodeId to = row[at].destination;
      if (to != from && !model.by_nvlink(from, to)) continue;
      send(row.subspan(begin, at - begin));
      begin = at + 1;
    }
    send(row.subspan(begin));
  };
  return load_of_rows(router, each, threads);
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
    bytes = all_to_all_rows(model, router.hashed(), exchange, threads).bytes_of_links();
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
                             SharingChoice choice, unsigned threads) {
  const double window = model.file().admission ? model.file().admission->window_bytes() : 0;
  OperationPlan plan{.exchange = OperationSends(
                         operation, host_of_rank,
                         {.per_server = static_cast<int>(model.file().server.gpus), .window_bytes = window})};
  if (operation.kind == OperationKind::compute) return plan;
  std::vector<double> whole = model.topology().capacities();
  whole.insert(whole.end(), model.capacities().begin() + model.topology().links(), model.capacities().end());
  plan.steps = steps_by_turn(model, plan.exchange);
  for (StepPlan& step : plan.steps) {
    if (step.message > 0) {  // as the turn before
      const std::uint32_t message = step.message;
      step = *(&step - 1);
      step.message = message;
      continue;
    }
    StepSurvey survey(model);
    survey.survey(plan.exchange, step.step.step);
    survey.measure(routers.plain);
    step.flows = survey.flows();
    step.rule = rule_for(choice, step.flows);
    if (model.sprays()) step.paths = survey.paths(routers.even.hashed());
    refuse_too_many(operation, step);
    step.latency_us = step.step.latency_steps * survey.latency_us();
    step.window_us = survey.window_us();
    step.gap_us = survey.gap_us();
    step.even_us = step.latency_us +
                   bound_of(step_load(model, routers.even, plan.exchange, step, threads), whole).time_us;
  }
  return plan;
}

}  // namespace assay::model::fabric

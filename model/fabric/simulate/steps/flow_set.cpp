// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/simulate/steps/flow_set.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <utility>

#include "model/fabric/sharing/max_min.hpp"
#include "model/fabric/sharing/occupancy.hpp"

namespace assay::model::fabric {

namespace {

/// The values that a part's numbers stand for.
template <class Value, class Number>
std::vector<Value> chosen(const std::vector<Value>& all, const std::vector<Number>& numbers) {
  std::vector<Value> some;
  some.reserve(numbers.size());
  for (const Number number : numbers) some.push_back(all[number]);
  return some;
}

/// None where all are 1.
std::vector<double> weights_of(const std::vector<SenderSettings>& senders) {
  if (std::ranges::all_of(senders, [](const SenderSettings& one) { return one.weight == 1; })) return {};
  std::vector<double> weights;
  for (const SenderSettings& sender : senders) weights.push_back(sender.weight);
  return weights;
}

std::vector<double> demands_of(const std::vector<SenderSettings>& senders) {
  std::vector<double> demands;
  for (const SenderSettings& sender : senders) demands.push_back(sender.demand);
  return demands;
}

SharingRule shared_by(const std::shared_ptr<MaxMin>& solver) {
  return [solver](std::span<const FlowId> flows, std::span<double> rates) { solver->share(flows, rates); };
}

/// `number_of`: of the solver's links, in the model.
template <class NumberOf>
SharingRule shared_by(const std::shared_ptr<Occupancy>& solver, PauseLog* pauses, NumberOf number_of) {
  return [=](std::span<const FlowId> flows, std::span<double> rates) {
    solver->share(flows, rates);
    if (pauses == nullptr) return;
    solver->for_each_paused([&](LinkId link) { pauses->note(number_of(link)); });
    pauses->note_solution(solver->settled());
  };
}

}  // namespace

void FlowSet::append(std::span<const LinkId> path, NodeId from, NodeId to, double bytes,
                     const Sending& sending, double part_of_message) {
  paths_.append(path);
  messages_.push_back({.bytes = sending.repeats * bytes,
                       .latency_us = sending.latencies * model_->latency_us(path),
                       .start_us = sending.start_us});
  senders_.push_back(model_->sender(path, bytes, part_of_message));
  use_.from.push_back(from);
  use_.to.push_back(to);
  use_.taken.push_back(0);
}

FlowId FlowSet::add(NodeId from, NodeId to, std::uint64_t bytes, const Sending& sending) {
  const auto first = static_cast<FlowId>(size());
  if (model_->by_nvlink(from, to)) {
    append(std::array{model_->nvlink_from(from), model_->nvlink_to(to)}, from, to, static_cast<double>(bytes),
           sending);
    return first;
  }
  router_->route(from, to, bytes, sending.message, [&](std::span<const LinkId> path, std::uint64_t part) {
    if (part == 0) return;
    const double share = model_->sprays() ? static_cast<double>(part) / static_cast<double>(bytes) : 1;
    append(path, from, to, static_cast<double>(part), sending, share);
  });
  return first;
}

FlowId FlowSet::add_compute(NodeId host, double us, double taken, double start_us) {
  computes_ = true;
  return append_at(host, std::array{LinkId{model_->links() + host}}, {.bytes = us, .start_us = start_us},
                   taken);
}

FlowId FlowSet::add_moment(NodeId host, double start_us) {
  return append_at(host, {}, {.start_us = start_us}, 0);
}

FlowId FlowSet::append_at(NodeId host, std::span<const LinkId> path, const Message& message, double taken) {
  paths_.append(path);
  messages_.push_back(message);
  senders_.push_back({.in_flight_bytes = message.bytes, .demand = 1});
  use_.from.push_back(host);
  use_.to.push_back(host);
  use_.taken.push_back(taken);
  return static_cast<FlowId>(size() - 1);
}

SharingRule FlowSet::rule_of(SharingRuleKind rule, const TimelinePart& part, unsigned threads,
                             PauseLog* pauses) const {
  std::vector<SenderSettings> senders = chosen(senders_, part.flows);
  if (rule == SharingRuleKind::occupancy)
    return shared_by(std::make_shared<Occupancy>(part.paths, chosen(model_->queues(), part.links),
                                                 std::move(senders), threads),
                     pauses, [links = part.links](LinkId link) { return links[link]; });
  return shared_by(std::make_shared<MaxMin>(part.paths, chosen(model_->capacities(), part.links),
                                            weights_of(senders), demands_of(senders)));
}

/// Not in parts: the processors of GPUs join them. The rules know processors as links that they never share
/// out.
Timeline FlowSet::run_with_compute(SharingRuleKind rule, unsigned threads,
                                   std::span<const Precedence> precedences, PauseLog* pauses) const {
  const std::size_t links = model_->links() + model_->topology().hosts();
  std::vector<QueueSettings> queues = model_->queues();
  queues.resize(links, {1, std::numeric_limits<double>::infinity()});
  std::vector<double> capacities = model_->capacities();
  capacities.resize(links, 1);
  const SharingRule shared =
      rule == SharingRuleKind::occupancy
          ? shared_by(std::make_shared<Occupancy>(paths_, std::move(queues), senders_, threads), pauses,
                      [](LinkId link) { return link; })
          : shared_by(std::make_shared<MaxMin>(paths_, std::move(capacities), weights_of(senders_),
                                               demands_of(senders_)));
  return timeline_with_compute(messages_, precedences, paths_, model_->links(), use_, shared);
}

Timeline FlowSet::run(SharingRuleKind rule, unsigned threads, std::span<const Precedence> precedences,
                      PauseLog* pauses) const {
  if (computes_) return run_with_compute(rule, threads, precedences, pauses);
  return timeline_in_parts(
      messages_, precedences, paths_, model_->links(),
      [&](const TimelinePart& part, unsigned own_threads) {
        return rule_of(rule, part, own_threads, pauses);
      },
      threads);
}

std::vector<double> FlowSet::bytes_of_links() const {
  std::vector<double> bytes(model_->links());
  for (FlowId flow = 0; flow < size(); ++flow)
    for (const LinkId link : paths_[flow])
      if (is_message(flow)) bytes[link] += messages_[flow].bytes;
  return bytes;
}

}  // namespace assay::model::fabric

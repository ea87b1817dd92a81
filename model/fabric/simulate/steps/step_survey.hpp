// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A survey of what a step sends, made once, before any hash seed.
#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/fabric/simulate/fabric_model.hpp"
#include "model/fabric/simulate/sharing.hpp"
#include "model/fabric/simulate/steps/operation_sends.hpp"

namespace assay::model::fabric {

/// Collects, for each pair of leaves that exchange anything, one pair of hosts; and the sizes of messages.
class StepSurvey {
 public:
  explicit StepSurvey(const FabricModel& model)
      : model_(&model),
        pairs_(std::size_t{model.topology().edge_switches()} * model.topology().edge_switches(),
               {none, none}),
        least_latency_us_(model.tiers(), none_us) {}

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
    return {.flows = flows_, .equal = most_ <= least_ + 1 && !limited, .lossless = model_->is_lossless()};
  }

  void measure(const Router& router) {
    for (const auto& [from, to] : pairs_) {
      if (from == none) continue;
      const std::vector<LinkId> path = path_of(router, from, to);
      pair_us_[place_of(from, to)] = model_->latency_us(path);
      if (take_path(path)) farthest_ = {from, to};
    }
    if (by_nvlink_) take_path({model_->nvlink_from(0), model_->nvlink_to(0)});
  }

  double latency_us() const { return latency_us_; }
  /// The latency of a pair whose leaves have been measured.
  double latency_us(NodeId from, NodeId to) const { return pair_us_.at(place_of(from, to)); }
  /// The latency of the shortest path over a link of each tier; 0 where none was surveyed.
  std::vector<double> least_latency_us() const {
    std::vector<double> least_us = least_latency_us_;
    for (double& us : least_us) us = us == none_us ? 0 : us;
    return least_us;
  }
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
    return flow_bytes() / model_->sender(*longest_, flow_bytes()).demand;
  }
  /// The bytes of the largest message's largest part.
  double flow_bytes() const { return static_cast<double>(most_) / model_->parts(); }

 private:
  static constexpr NodeId none = ~NodeId{0};
  static constexpr double none_us = std::numeric_limits<double>::infinity();

  void survey_all(const OperationSends& exchange) {
    const Topology& topology = model_->topology();
    for (const RankGroup& group : exchange.operation().groups) {
      const std::uint64_t block = exchange.operation().bytes / group.size();
      flows_ += group.size() * (group.size() - 1) * static_cast<std::size_t>(model_->parts());
      most_messages_ = std::max(most_messages_, group.size() - 1);
      least_ = std::min(least_, block);
      most_ = std::max(most_, std::max<std::uint64_t>(1, block));
    }
    std::vector<NodeId> first_of_leaf(topology.edge_switches(), none), last_of_leaf = first_of_leaf;
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

  /// The index of the pair of their leaves in a table of all such pairs.
  std::size_t place_of(NodeId from, NodeId to) const {
    const Topology& topology = model_->topology();
    const std::size_t row = topology.leaf_of(from) - topology.hosts();
    return row * topology.edge_switches() + topology.leaf_of(to) - topology.hosts();
  }

  void mark(NodeId from, NodeId to) { pairs_[place_of(from, to)] = {from, to}; }

  std::vector<LinkId> path_of(const Router& router, NodeId from, NodeId to) const {
    std::vector<LinkId> path;
    router.route(from, to, 1, 0, [&](std::span<const LinkId> links, std::uint64_t bytes) {
      if (bytes > 0) path.assign(links.begin(), links.end());
    });
    return path;
  }

  bool take_path(std::vector<LinkId> path) {
    const double us = model_->latency_us(path);
    for (const LinkId link : path) {
      double& least_us = least_latency_us_[model_->tier_number(link)];
      least_us = std::min(least_us, us);
    }
    if (longest_ && us <= latency_us_) return false;
    latency_us_ = us;
    longest_ = std::move(path);
    return true;
  }

  const FabricModel* model_;
  std::vector<std::pair<NodeId, NodeId>> pairs_;
  std::unordered_map<std::size_t, double> pair_us_;  // latencies, by their places
  std::size_t flows_ = 0, most_messages_ = 0;
  std::uint64_t least_ = std::numeric_limits<std::uint64_t>::max(), most_ = 0;
  bool by_nvlink_ = false;
  double latency_us_ = 0;
  std::vector<double> least_latency_us_;
  std::optional<std::vector<LinkId>> longest_;
  std::optional<std::pair<NodeId, NodeId>> farthest_;
};

}  // namespace assay::model::fabric

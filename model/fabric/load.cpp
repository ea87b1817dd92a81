// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/load.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "harness/core/process/side_by_side.hpp"

namespace assay::model::fabric {

Load::Load(const Router& router) : router_(&router), bytes_(router.topology().links()) {}

void Load::add(NodeId source, std::span<const Delivery> deliveries, std::uint32_t message) {
  if (router_->settings().kind != RoutingKind::adaptive)
    return router_->add(source, deliveries, message, bytes_);
  const Topology& topology = router_->topology();
  const NodeId from = topology.leaf_of(source);
  for (const auto& [destination, bytes] : deliveries) {
    router_->check_reach(source, destination);
    add_between(from, topology.leaf_of(destination), bytes);
    bytes_[source] += bytes;
    bytes_[topology.link_to_host(destination)] += bytes;
  }
}

void Load::add_between(NodeId from_leaf, NodeId to_leaf, std::uint64_t bytes) {
  constexpr std::size_t many = 1'000'000;
  if (from_leaf == to_leaf) return;
  if (between_leaves_.size() >= std::max(many, 2 * joined_)) {
    join(between_leaves_);
    joined_ = between_leaves_.size();
  }
  between_leaves_.push_back({to_leaf, from_leaf, bytes});
}

void Load::join(std::vector<BetweenLeaves>& all) {
  const auto ends = [](const BetweenLeaves& one) { return std::pair(one.to, one.from); };
  if (!std::ranges::is_sorted(all, {}, ends)) std::ranges::sort(all, {}, ends);
  std::size_t count = 0;
  for (const BetweenLeaves& one : all)
    if (count > 0 && ends(all[count - 1]) == ends(one))
      all[count - 1].bytes += one.bytes;
    else
      all[count++] = one;
  all.resize(count);
}

Load& Load::operator+=(std::span<const std::uint64_t> bytes_of_links) {
  std::ranges::transform(bytes_, bytes_of_links, bytes_.begin(), std::plus());
  return *this;
}

Load& Load::operator+=(const Load& other) {
  *this += other.bytes_;
  for (const auto& [to, from, bytes] : other.between_leaves_) add_between(from, to, bytes);
  return *this;
}

/// Moves what is on its way to the leaf up and then down, by tiers.
void Load::deal_up_and_down(Sending sending, std::vector<double>& bytes) const {
  const Topology& topology = router_->topology();
  const NodeId first = topology.hosts(), end = topology.nodes(), leaf = sending.front().to;
  std::vector<double> going_up(end), going_down(end);
  for (const BetweenLeaves& one : sending) going_up[one.from] = static_cast<double>(one.bytes);
  const auto deal = [&](NodeId at, double amount) {
    const std::span<const LinkId> links = router_->next_hops().towards(leaf, at);
    for (const LinkId link : links) {
      const double part = amount / static_cast<double>(links.size());
      bytes[link] += part;
      (topology.to(link) > at ? going_up : going_down)[topology.to(link)] += part;
    }
  };
  for (NodeId at = first; at < end; ++at)
    if (at != leaf && going_up[at] > 0) deal(at, going_up[at]);
  for (NodeId at = end; at-- > first;)
    if (at != leaf && going_down[at] > 0) deal(at, going_down[at]);
}

/// Likewise from the farthest switches to the nearest.
void Load::deal_out_by_distance(Sending sending, std::vector<double>& bytes) const {
  const Topology& topology = router_->topology();
  const NodeId leaf = sending.front().to;
  std::vector<double> held(topology.nodes());
  for (const BetweenLeaves& one : sending) held[one.from] = static_cast<double>(one.bytes);
  const auto deal = [&](NodeId at) {
    const std::span<const LinkId> links = router_->next_hops().towards(leaf, at);
    for (const LinkId link : links) {
      const double part = held[at] / static_cast<double>(links.size());
      bytes[link] += part;
      held[topology.to(link)] += part;
    }
  };
  const std::vector<std::vector<NodeId>> rings = router_->next_hops().rings_around(leaf);
  for (std::size_t hops = rings.size(); hops-- > 1;)
    for (const NodeId at : rings[hops])
      if (held[at] > 0) deal(at);
}

std::vector<double> Load::bytes_of_links() const {
  std::vector<double> bytes(bytes_.begin(), bytes_.end());
  std::vector<BetweenLeaves> all = between_leaves_;
  join(all);
  for (auto first = all.cbegin(); first != all.cend();) {
    const auto end = std::find_if(first, all.cend(), [&](const auto& one) { return one.to != first->to; });
    if (router_->topology().route_rule() == RouteRule::up_down)
      deal_up_and_down({first, end}, bytes);
    else
      deal_out_by_distance({first, end}, bytes);
    first = end;
  }
  return bytes;
}

Load load_of_rows(const Router& router, const EachRow& each, unsigned threads) {
  constexpr std::size_t sources_in_turn = 8;
  std::vector<Load> loads(std::max(1U, threads), Load(router));
  const auto add_source = [&](std::size_t at, unsigned thread) {
    const auto source = static_cast<NodeId>(at);
    each(source, [&](std::span<const Delivery> deliveries) { loads[thread].add(source, deliveries); });
  };
  core::side_by_side(router.topology().hosts(), add_source,
                     {.most = static_cast<unsigned>(loads.size()), .in_turn = sources_in_turn});
  for (std::size_t own = 1; own < loads.size(); ++own) loads.front() += loads[own];
  return std::move(loads.front());
}

Load load_of(const Router& router, const EachMessage& each, unsigned threads) {
  const EachRow rows = [&each](NodeId source, const std::function<void(std::span<const Delivery>)>& send) {
    std::array<Delivery, 256> row;
    std::size_t filled = 0;
    const auto flush = [&] { send(std::span(row).first(std::exchange(filled, 0))); };
    each(source, [&](NodeId destination, std::uint64_t bytes) {
      row[filled++] = {destination, bytes};
      if (filled == row.size()) flush();
    });
    flush();
  };
  return load_of_rows(router, rows, threads);
}

Bound bound_of(const std::vector<double>& bytes_of_links, const std::vector<double>& capacities) {
  Bound bound;
  for (LinkId link = 0; link < bytes_of_links.size(); ++link) {
    const double time_us = bytes_of_links[link] / capacities[link];
    if (time_us > bound.time_us) bound = {time_us, link};
  }
  return bound;
}

}  // namespace assay::model::fabric

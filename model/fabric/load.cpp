// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/load.hpp"

#include <algorithm>
#include <exception>
#include <thread>
#include <utility>

namespace assay::model::fabric {

Load::Load(const Router& router) : router_(&router), bytes_(router.topology().links()) {
  if (router.settings().kind != RoutingKind::adaptive) return;
  const std::size_t leaves = router.topology().leaves();
  between_leaves_.resize(leaves * leaves);
}

void Load::add(NodeId source, NodeId destination, std::uint64_t bytes, std::uint32_t message) {
  if (between_leaves_.empty()) return router_->add(source, destination, bytes, message, bytes_);
  router_->check_reach(source, destination);
  const Topology& topology = router_->topology();
  const std::size_t from = topology.leaf_of(source) - topology.hosts();
  const std::size_t to = topology.leaf_of(destination) - topology.hosts();
  between_leaves_[to * topology.leaves() + from] += bytes;
  bytes_[source] += bytes;
  bytes_[topology.link_to_host(destination)] += bytes;
}

Load& Load::operator+=(const Load& other) {
  std::ranges::transform(bytes_, other.bytes_, bytes_.begin(), std::plus());
  std::ranges::transform(between_leaves_, other.between_leaves_, between_leaves_.begin(), std::plus());
  return *this;
}

/// For one leaf after the other, what is on its way there is moved up and then down, by tiers.
void Load::deal_out(std::vector<double>& bytes) const {
  const Topology& topology = router_->topology();
  const NodeId first = topology.hosts(), end = topology.nodes();
  std::vector<double> going_up(end), going_down(end);
  for (NodeId leaf = first; leaf < first + topology.leaves(); ++leaf) {
    std::ranges::fill(going_up, 0);
    std::ranges::fill(going_down, 0);
    for (NodeId from = 0; from < topology.leaves(); ++from)
      going_up[first + from] =
          static_cast<double>(between_leaves_[std::size_t{leaf - first} * topology.leaves() + from]);
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
}

std::vector<double> Load::bytes_of_links() const {
  std::vector<double> bytes(bytes_.begin(), bytes_.end());
  if (!between_leaves_.empty()) deal_out(bytes);
  return bytes;
}

Load load_of(const Router& router, const EachMessage& each, unsigned threads) {
  const NodeId hosts = router.topology().hosts();
  std::vector<Load> loads(std::max(1U, threads), Load(router));
  std::vector<std::exception_ptr> failures(loads.size());
  const auto work = [&](std::size_t own) {
    Load& load = loads[own];
    const auto step = static_cast<NodeId>(loads.size());
    try {
      for (auto source = static_cast<NodeId>(own); source < hosts; source += step)
        each(source, [&](NodeId destination, std::uint64_t bytes) { load.add(source, destination, bytes); });
    } catch (...) {
      failures[own] = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t own = 1; own < loads.size(); ++own) others.emplace_back(work, own);
    work(0);
  }
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
  for (std::size_t own = 1; own < loads.size(); ++own) loads.front() += loads[own];
  return std::move(loads.front());
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

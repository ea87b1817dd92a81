// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/routing/traffic_engineering.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "model/fabric/refuse.hpp"
#include "model/fabric/routing/least_loaded_path.hpp"

namespace assay::model::fabric {

namespace {

constexpr double equal_loads = 1e-9;  // relative: loads that differ by less are equal

}  // namespace

class TrafficPlanner {
 public:
  TrafficPlanner(const Topology& topology, const NextHops& next_hops, const std::vector<Demand>& demands);

  TrafficPlan plan();

 private:
  void put(std::size_t demand);
  void take(std::size_t demand);
  LinkId most_loaded() const;
  double most_on(const std::vector<LinkId>& path) const;
  bool relieve();
  bool move(std::size_t demand, double limit);
  bool exchange(std::size_t one, std::size_t other, double limit);

  const Topology& topology_;
  std::vector<Demand> demands_;
  LeastLoadedPath search_;
  std::vector<double> bytes_;  // of each link
  std::vector<std::vector<LinkId>> paths_;
};

TrafficPlanner::TrafficPlanner(const Topology& topology, const NextHops& next_hops,
                               const std::vector<Demand>& demands)
    : topology_(topology), search_(topology, next_hops), bytes_(topology.links()) {
  std::map<std::pair<NodeId, NodeId>, double> sums;
  for (const Demand& one : demands) {
    if (!(one.bytes > 0) || !std::isfinite(one.bytes))
      refuse("a demand of " + topology.name_of(one.source) + " must be above 0 bytes, got " +
             std::to_string(one.bytes));
    const NodeId from = topology.leaf_of(one.source);
    if (from == one.leaf) continue;
    if (next_hops.towards(one.leaf, from).empty())
      refuse("failed links separate " + topology.name_of(one.source) + " from " + topology.name_of(one.leaf));
    sums[{one.source, one.leaf}] += one.bytes;
  }
  for (const auto& [ends, bytes] : sums) demands_.push_back({ends.first, ends.second, bytes});
  std::ranges::stable_sort(demands_, std::greater(), &Demand::bytes);
  paths_.resize(demands_.size());
}

void TrafficPlanner::put(std::size_t demand) {
  const Demand& one = demands_[demand];
  paths_[demand] = search_.find(topology_.leaf_of(one.source), one.leaf, one.bytes, bytes_);
  for (const LinkId link : paths_[demand]) bytes_[link] += one.bytes;
}

void TrafficPlanner::take(std::size_t demand) {
  for (const LinkId link : paths_[demand]) bytes_[link] -= demands_[demand].bytes;
}

LinkId TrafficPlanner::most_loaded() const {
  LinkId most = 0;
  for (LinkId link = 0; link < bytes_.size(); ++link)
    if (bytes_[link] / topology_.capacity(link) > bytes_[most] / topology_.capacity(most)) most = link;
  return most;
}

double TrafficPlanner::most_on(const std::vector<LinkId>& path) const {
  double most = 0;
  for (const LinkId link : path) most = std::max(most, bytes_[link] / topology_.capacity(link));
  return most;
}

/// To where all links stay below the limit.
bool TrafficPlanner::move(std::size_t demand, double limit) {
  const std::vector<LinkId> before = paths_[demand];
  take(demand);
  put(demand);
  if (most_on(paths_[demand]) < limit * (1 - equal_loads)) return true;
  take(demand);
  paths_[demand] = before;
  for (const LinkId link : before) bytes_[link] += demands_[demand].bytes;
  return false;
}

/// The second makes room for the first, and then finds a place itself.
bool TrafficPlanner::exchange(std::size_t one, std::size_t other, double limit) {
  const std::vector<LinkId> path = paths_[one], other_path = paths_[other];
  take(one);
  take(other);
  put(one);
  put(other);
  if (std::max(most_on(paths_[one]), most_on(paths_[other])) < limit * (1 - equal_loads)) return true;
  take(one);
  take(other);
  paths_[one] = path;
  paths_[other] = other_path;
  for (const LinkId link : path) bytes_[link] += demands_[one].bytes;
  for (const LinkId link : other_path) bytes_[link] += demands_[other].bytes;
  return false;
}

/// Takes one demand off the most loaded link, if any can go without loading another as much.
bool TrafficPlanner::relieve() {
  const LinkId link = most_loaded();
  const double limit = bytes_[link] / topology_.capacity(link);
  std::vector<std::size_t> on_it;
  for (std::size_t demand = 0; demand < demands_.size(); ++demand)
    if (std::ranges::find(paths_[demand], link) != paths_[demand].end()) on_it.push_back(demand);
  for (const std::size_t demand : on_it)
    if (move(demand, limit)) return true;
  constexpr std::size_t most_exchanges = 4096;
  if (on_it.size() * demands_.size() > most_exchanges) return false;
  for (const std::size_t demand : on_it)
    for (std::size_t other = 0; other < demands_.size(); ++other)
      if (other != demand && exchange(demand, other, limit)) return true;
  return false;
}

TrafficPlan TrafficPlanner::plan() {
  TrafficPlan plan;
  for (std::size_t demand = 0; demand < demands_.size(); ++demand) put(demand);
  while (!demands_.empty() && relieve()) continue;
  for (std::size_t demand = 0; demand < demands_.size(); ++demand) {
    plan.most_loaded_us_ = std::max(plan.most_loaded_us_, most_on(paths_[demand]));
    plan.paths_[{demands_[demand].source, demands_[demand].leaf}] = paths_[demand];
  }
  return plan;
}

TrafficPlan plan_traffic(const Topology& topology, const NextHops& next_hops,
                         const std::vector<Demand>& demands) {
  return TrafficPlanner(topology, next_hops, demands).plan();
}

double least_flows_of_busiest(std::uint32_t flows, std::uint32_t links) {
  if (links == 0) refuse("flows need at least 1 link");
  return std::ceil(static_cast<double>(flows) / links);
}

std::span<const LinkId> TrafficPlan::path(NodeId source, NodeId leaf) const {
  const auto found = paths_.find({source, leaf});
  return found == paths_.end() ? std::span<const LinkId>() : std::span(found->second);
}

TrafficController::TrafficController(double interval_s) : interval_s_(interval_s) {
  if (!(interval_s > 0) || !std::isfinite(interval_s))
    refuse("the interval of traffic engineering must be above 0 s, got " + std::to_string(interval_s));
}

const TrafficPlan& TrafficController::plan_at(double time_s, const Topology& now,
                                              const std::vector<Demand>& demands) {
  if (!planned_s_ || time_s >= *planned_s_ + interval_s_) {
    plan_ = plan_traffic(now, NextHops(now), demands);
    planned_s_ = time_s;
  }
  return plan_;
}

void PlannedRouter::route(NodeId source, NodeId destination, std::uint64_t bytes, std::uint32_t message,
                          const VisitPart& visit) const {
  const Topology& topology = fallback_->topology();
  const std::span<const LinkId> planned = plan_->path(source, topology.leaf_of(destination));
  const auto lives = [&topology](LinkId link) { return topology.live(link); };
  if (planned.empty() || !std::ranges::all_of(planned, lives))
    return fallback_->route(source, destination, bytes, message, visit);
  fallback_->check_reach(source, destination);
  std::vector<LinkId> path = {source};
  path.insert(path.end(), planned.begin(), planned.end());
  path.push_back(topology.link_to_host(destination));
  visit(path, bytes);
}

std::vector<Demand> demands_of(const Topology& topology, const EachMessage& each) {
  std::vector<Demand> demands;
  std::map<NodeId, double> to_leaf;
  for (NodeId source = 0; source < topology.hosts(); ++source) {
    to_leaf.clear();
    each(source, [&](NodeId destination, std::uint64_t bytes) {
      const NodeId leaf = topology.leaf_of(destination);
      if (leaf != topology.leaf_of(source) && bytes > 0) to_leaf[leaf] += static_cast<double>(bytes);
    });
    for (const auto& [leaf, bytes] : to_leaf) demands.push_back({source, leaf, bytes});
  }
  return demands;
}

std::vector<double> planned_load(const Router& fallback, const TrafficPlan& plan, const EachMessage& each) {
  const PlannedRouter router(fallback, plan);
  std::vector<double> bytes_of_links(fallback.topology().links());
  for (NodeId source = 0; source < fallback.topology().hosts(); ++source)
    each(source, [&](NodeId destination, std::uint64_t bytes) {
      router.route(source, destination, bytes, 0, [&](std::span<const LinkId> path, std::uint64_t part) {
        for (const LinkId link : path) bytes_of_links[link] += static_cast<double>(part);
      });
    });
  return bytes_of_links;
}

}  // namespace assay::model::fabric

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Centralised traffic engineering: a controller that knows topology and demands gives all flows of a source
// port to a leaf one path (Gangidi et al. 2024, "RDMA over Ethernet for distributed AI training at Meta
// scale"). A plan serves until the next one, also where links have failed or demands have changed since.
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "model/fabric/load.hpp"
#include "model/fabric/routing/routing.hpp"

namespace assay::model::fabric {

/// The bytes that a source sends to all hosts of a leaf.
struct Demand {
  NodeId source = 0, leaf = 0;
  double bytes = 0;  // above 0
};

/// The demands that a controller measures: what every host sends, added up by leaf of the receivers. By
/// rising source; none within a leaf.
std::vector<Demand> demands_of(const Topology& topology, const EachMessage& each);

class TrafficPlan {
 public:
  /// The links between the leaves; empty where there is no plan, or both are on one leaf.
  std::span<const LinkId> path(NodeId source, NodeId leaf) const;

  /// The largest bytes over capacity (us) of a link between switches, of the demands that were planned.
  double most_loaded_us() const { return most_loaded_us_; }

 private:
  friend class TrafficPlanner;
  std::map<std::pair<NodeId, NodeId>, std::vector<LinkId>> paths_;
  double most_loaded_us_ = 0;
};

/// Demands in falling order take the path whose most loaded link is loaded least, among equal ones that with
/// the least sum; then demands are moved off the most loaded link, alone or in exchange with one other, while
/// that makes its load fall. Demands of one source and leaf are added up. Throws a usage Error for demands
/// that are not above 0 and hosts that failures separate.
TrafficPlan plan_traffic(const Topology& topology, const NextHops& next_hops,
                         const std::vector<Demand>& demands);

/// ceil(flows / links): the least possible number of equal flows, one path each, on the busiest of equal
/// links.
double least_flows_of_busiest(std::uint32_t flows, std::uint32_t links);

class TrafficController {
 public:
  /// Throws a usage Error for an interval that is not above 0.
  explicit TrafficController(double interval_s = 30);

  /// The plan in force at a time, which never falls: a new one of topology and demands as they are now where
  /// the interval has passed since the last.
  const TrafficPlan& plan_at(double time_s, const Topology& now, const std::vector<Demand>& demands);

 private:
  double interval_s_;
  std::optional<double> planned_s_;
  TrafficPlan plan_;
};

/// Follows a plan on the topology as it is now.
class PlannedRouter {
 public:
  /// All must outlive it. `fallback` routes what has no plan, or whose path has failed: E-ECMP, with its
  /// queue pairs.
  PlannedRouter(const Router& fallback, const TrafficPlan& plan) : fallback_(&fallback), plan_(&plan) {}

  /// As Router::route; a message with a plan is one part.
  void route(NodeId source, NodeId destination, std::uint64_t bytes, std::uint32_t message,
             const VisitPart& visit) const;

 private:
  const Router* fallback_;
  const TrafficPlan* plan_;
};

/// Bytes of each link where messages follow the plan.
std::vector<double> planned_load(const Router& fallback, const TrafficPlan& plan, const EachMessage& each);

}  // namespace assay::model::fabric

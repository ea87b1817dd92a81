// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/locate/paths/known_paths.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "model/fabric/sharing/max_min.hpp"

namespace assay::model::fabric::locate {

namespace {

/// All parts of all measurements whose paths are known.
struct Parts {
  Paths paths;
  std::vector<std::uint32_t> measurement;
  std::vector<double> share, rate;  // of the flow's bytes; bytes/us

  void add(std::uint32_t of, std::span<const LinkId> path, double part) {
    paths.append(path);
    measurement.push_back(of);
    share.push_back(part);
    rate.push_back(0);
  }
  double flow_rate(FlowId part) const { return rate[part] / share[part]; }
};

bool is_known(const Measurement& measurement, RoutingKind kind) {
  if (kind == RoutingKind::adaptive || kind == RoutingKind::tables) return true;
  return std::ranges::all_of(measurement.flows, [](const MeasuredFlow& flow) {
    return std::ranges::all_of(flow.queue_pairs,
                               [](const MeasuredQueuePair& one) { return one.ports || !one.path.empty(); });
  });
}

void add_flow(Parts& parts, const Router& router, std::uint32_t measurement, const MeasuredFlow& flow) {
  const double share = 1 / static_cast<double>(flow.queue_pairs.size());
  if (router.settings().kind == RoutingKind::adaptive) {
    constexpr std::uint64_t bytes = 1ULL << 40U;  // so that they divide among all paths
    router.route(flow.source, flow.destination, bytes, 0,
                 [&](std::span<const LinkId> path, std::uint64_t part) {
                   parts.add(measurement, path, static_cast<double>(part) / static_cast<double>(bytes));
                 });
    return;
  }
  for (const MeasuredQueuePair& one : flow.queue_pairs)
    parts.add(measurement,
              one.path.empty()
                  ? router.path_of(flow.source, flow.destination, one.ports.value_or(QueuePairPorts{}))
                  : one.path,
              share);
}

/// One crossing for each hop of these parts, which run at once.
class Crossings {
 public:
  Crossings(const Parts& parts, std::span<const FlowId> together) : parts_(&parts) {
    for (const FlowId part : together)
      for (const LinkId link : parts.paths[part]) hops_.push_back({link, part});
    std::ranges::sort(hops_, [&parts](const Hop& one, const Hop& other) {
      if (one.link != other.link) return one.link < other.link;
      return parts.flow_rate(one.part) < parts.flow_rate(other.part);
    });
  }

  void add_to(KnownPaths& known, const std::vector<double>& capacity, QueuePairRule rule) const {
    for (std::size_t first = 0; first < hops_.size();) {
      std::size_t end = first;
      double weight = 0, slower = 0;
      for (; end < hops_.size() && hops_[end].link == hops_[first].link; ++end)
        weight += parts_->share[hops_[end].part];
      for (; first < end; ++first) {
        const FlowId part = hops_[first].part;
        const double flow_rate = parts_->flow_rate(part);
        const double begins_at = slower + flow_rate * weight;
        slower += parts_->rate[part];
        weight -= parts_->share[part];
        const std::uint32_t measurement = parts_->measurement[part];
        const double share = parts_->share[part];
        const double slack = std::log(capacity[hops_[first].link] / begins_at) +
                             (rule == QueuePairRule::slowest ? std::log(flow_rate / known.rate[measurement])
                                                             : std::log(share));
        known.crossings.push_back({measurement, hops_[first].link, part, share, std::max(0.0, slack)});
      }
    }
  }

 private:
  struct Hop {
    LinkId link;
    FlowId part;
  };
  const Parts* parts_;
  std::vector<Hop> hops_;
};

void solve(Parts& parts, KnownPaths& known, const std::vector<double>& capacity, MaxMin& sharing,
           std::span<const FlowId> together, QueuePairRule rule) {
  sharing.share(together, parts.rate);
  for (const FlowId part : together) {
    double& rate = known.rate[parts.measurement[part]];
    rate = rate == 0 ? parts.flow_rate(part) : std::min(rate, parts.flow_rate(part));
  }
  Crossings(parts, together).add_to(known, capacity, rule);
}

}  // namespace

KnownPaths known_paths(const Router& router, std::span<const Measurement> measurements,
                       Concurrency concurrency, QueuePairRule rule) {
  Parts parts;
  std::map<std::uint32_t, std::vector<FlowId>> groups;
  for (std::uint32_t at = 0; at < measurements.size(); ++at) {
    if (!is_known(measurements[at], router.settings().kind)) continue;
    const std::size_t first = parts.paths.size();
    for (const MeasuredFlow& flow : measurements[at].flows) add_flow(parts, router, at, flow);
    std::vector<FlowId>& group = groups[concurrency == Concurrency::alone ? at : measurements[at].round];
    for (std::size_t part = first; part < parts.paths.size(); ++part)
      group.push_back(static_cast<FlowId>(part));
  }
  const std::vector<double>& capacity = router.topology().capacities();
  MaxMin sharing(parts.paths, capacity, parts.share);
  KnownPaths known{std::vector<double>(measurements.size()), {}};
  for (const auto& [group, together] : groups) solve(parts, known, capacity, sharing, together, rule);
  std::ranges::sort(known.crossings, {},
                    [](const KnownCrossing& one) { return std::tuple(one.measurement, one.link, one.part); });
  return known;
}

}  // namespace assay::model::fabric::locate

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/routes/judge_routes.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <queue>

#include "harness/core/process/side_by_side.hpp"
#include "model/fabric/load.hpp"
#include "model/fabric/routing/route_rule.hpp"
#include "model/fabric/table_cycle.hpp"

namespace assay::model::fabric::routes {
namespace {

constexpr std::uint32_t far = ~std::uint32_t{0};

/// Links on the shortest way from each node to the switch.
std::vector<std::uint32_t> hops_to(const Topology& topology, NodeId to) {
  std::vector<std::uint32_t> hops(topology.nodes(), far);
  std::queue<NodeId> open;
  hops[to] = 0;
  for (open.push(to); !open.empty(); open.pop()) {
    const NodeId at = open.front();
    const auto enter = [&](LinkId link) {
      const NodeId next = topology.to(link);
      if (next < topology.hosts() || hops[next] != far) return;
      hops[next] = hops[at] + 1;
      open.push(next);
    };
    for (LinkId link = topology.first_up(at); link < topology.end_up(at); ++link) enter(link);
    for (LinkId link = topology.first_down(at); link < topology.end_down(at); ++link) enter(link);
  }
  return hops;
}

Detours detours_of(const Topology& topology, const ForwardingTables& tables) {
  Detours detours;
  std::map<NodeId, std::vector<NodeId>> hosts_of;  // by leaf
  for (NodeId host = 0; host < topology.hosts(); ++host) hosts_of[topology.leaf_of(host)].push_back(host);
  for (const auto& [to, receivers] : hosts_of) {
    const std::vector<std::uint32_t> shortest = hops_to(topology, to);
    for (const NodeId host : receivers)
      for (const auto& [from, senders] : hosts_of) {
        std::uint32_t hops = 0;
        const auto followed = tables.follow(topology, from, host, 0, [&](LinkId) { ++hops; });
        if (followed.end != ForwardingTables::End::delivered || hops <= shortest[from] + 1) continue;
        detours.pairs += senders.size() - (from == to ? 1 : 0);
        detours.most_hops = std::max(detours.most_hops, hops - shortest[from] - 1);
      }
  }
  return detours;
}

std::vector<TierBalance> balance_of(const Topology& topology, const PatternPaths& paths) {
  std::map<std::pair<std::size_t, std::size_t>, TierBalance> tiers;
  for (LinkId link = 0; link < topology.links(); ++link) {
    if (!topology.between_switches(link)) continue;
    const std::size_t from = topology.tier_of(topology.from(link)), to = topology.tier_of(topology.to(link));
    TierBalance& tier = tiers[{from, to}];
    const std::uint64_t count = paths.of_links[link];
    tier.least = tier.links == 0 ? count : std::min(tier.least, count);
    tier.most = std::max(tier.most, count);
    tier.sum += count;
    ++tier.links;
    tier.name = topology.kind_of_tier(from) + ">" + topology.kind_of_tier(to);
  }
  std::vector<TierBalance> all;
  for (auto& [ends, tier] : tiers) all.push_back(std::move(tier));
  return all;
}

template <class Paths>
double switches_time(const Topology& topology, const Paths& of_links) {
  double longest = 0;
  for (LinkId link = 0; link < topology.links(); ++link)
    if (topology.between_switches(link))
      longest = std::max(longest, static_cast<double>(of_links[link]) / topology.capacity(link));
  return longest;
}

std::vector<double> even_all_to_all(const Topology& topology, const Planes& planes) {
  const Router router(topology, {.kind = RoutingKind::adaptive});
  std::vector<const std::vector<NodeId>*> plane_of(topology.hosts());
  for (const std::vector<NodeId>& hosts : planes)
    for (const NodeId host : hosts) plane_of[host] = &hosts;
  return load_of(router,
                 [&](NodeId from, const std::function<void(NodeId, std::uint64_t)>& send) {
                   for (const NodeId to : *plane_of[from])
                     if (to != from) send(to, 1);
                 })
      .bytes_of_links();
}

void judge_permutations(const Topology& topology, const ForwardingTables& tables, const Planes& planes,
                        const JudgeSettings& settings, RouteJudgement& judged) {
  judged.permutations.resize(settings.permutations);
  std::vector<double> bandwidths(settings.permutations);
  core::side_by_side(settings.permutations,
                     [&](std::size_t at) {
                       std::mt19937_64 random(settings.seed + at);
                       judged.permutations[at] =
                           paths_of(topology, tables, drawn_permutation(planes, random)).worst;
                       bandwidths[at] = bandwidth_of(topology, tables, drawn_bisection(planes, random));
                     },
                     {.most = settings.threads});
  std::ranges::sort(judged.permutations);
  judged.effective_bisection =
      std::accumulate(bandwidths.begin(), bandwidths.end(), 0.0) / std::max(1.0, 1.0 * settings.permutations);
}

}  // namespace

double RouteJudgement::mean_shift() const {
  const double sum = static_cast<double>(std::accumulate(shifts.begin(), shifts.end(), std::uint64_t{0}));
  return shifts.empty() ? 0 : sum / static_cast<double>(shifts.size());
}

std::uint64_t RouteJudgement::worst_shift() const { return shifts.empty() ? 0 : std::ranges::max(shifts); }

std::size_t RouteJudgement::free_shifts() const {
  return static_cast<std::size_t>(std::ranges::count_if(shifts, [](std::uint64_t one) { return one <= 1; }));
}

Planes planes_of(const Topology& topology) { return parts_of_hosts(topology); }

RouteJudgement judge_routes(const Topology& topology, const ForwardingTables& tables, const Subnet& subnet,
                            const JudgeSettings& settings) {
  const Planes planes = planes_of(topology);
  RouteJudgement judged;
  judged.hosts = topology.hosts();
  judged.planes = planes.size();
  std::size_t largest = 0;
  for (const std::vector<NodeId>& hosts : planes) {
    largest = std::max(largest, hosts.size());
    judged.pairs += hosts.size() * (hosts.size() - 1);
  }
  judged.shifts.resize(largest - 1);
  core::side_by_side(judged.shifts.size(),
                     [&](std::size_t at) {
                       judged.shifts[at] = paths_of(topology, tables, shift_pairs(planes, at + 1)).worst;
                     },
                     {.most = settings.threads});
  judge_permutations(topology, tables, planes, settings, judged);
  judged.ring = paths_of(topology, tables, shift_pairs(planes, 1));
  judged.all_to_all = all_to_all_paths(topology, tables, planes);
  const double of_hosts = hosts_time(topology, planes);
  judged.all_to_all_times = times_of_hosts(switches_time(topology, judged.all_to_all.of_links), of_hosts);
  judged.even_all_to_all_times =
      times_of_hosts(switches_time(topology, even_all_to_all(topology, planes)), of_hosts);
  judged.tiers = balance_of(topology, judged.all_to_all);
  judged.detours = detours_of(topology, tables);
  judged.findings = route_findings(topology, tables, subnet);
  judged.cycle = table_cycle(topology, tables);
  return judged;
}

}  // namespace assay::model::fabric::routes

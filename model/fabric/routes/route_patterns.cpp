// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/routes/route_patterns.hpp"

#include <algorithm>
#include <map>

namespace assay::model::fabric::routes {
namespace {

/// As std::shuffle, whose draws differ among standard libraries.
std::vector<NodeId> shuffled(std::vector<NodeId> hosts, std::mt19937_64& random) {
  for (std::size_t left = hosts.size(); left > 1; --left) std::swap(hosts[left - 1], hosts[random() % left]);
  return hosts;
}

void find_worst(PatternPaths& paths) {
  const auto most = std::ranges::max_element(paths.of_links);
  if (most == paths.of_links.end()) return;
  paths.worst = *most;
  paths.busiest = static_cast<LinkId>(most - paths.of_links.begin());
}

/// Adds `paths` from one leaf to the host, if they are delivered.
void add(const Topology& topology, const ForwardingTables& tables, NodeId leaf, NodeId host,
         std::uint64_t paths, PatternPaths& sum) {
  const auto change = [&](std::uint64_t by) {
    return tables.follow(topology, leaf, host, 0, [&](LinkId link) {
      if (topology.between_switches(link)) sum.of_links[link] += by;
    });
  };
  if (change(paths).end == ForwardingTables::End::delivered) return;
  change(~paths + 1);  // takes them back, modulo 2^64
  sum.undelivered += paths;
}

}  // namespace

HostPairs shift_pairs(const Planes& planes, std::size_t by) {
  HostPairs pairs;
  for (const std::vector<NodeId>& hosts : planes)
    for (std::size_t at = 0; at < hosts.size() && by % hosts.size() != 0; ++at)
      pairs.emplace_back(hosts[at], hosts[(at + by) % hosts.size()]);
  return pairs;
}

HostPairs drawn_permutation(const Planes& planes, std::mt19937_64& random) {
  HostPairs pairs;
  for (const std::vector<NodeId>& hosts : planes) {
    const std::vector<NodeId> to = shuffled(hosts, random);
    for (std::size_t at = 0; at < hosts.size(); ++at)
      if (to[at] != hosts[at]) pairs.emplace_back(hosts[at], to[at]);
  }
  return pairs;
}

HostPairs drawn_bisection(const Planes& planes, std::mt19937_64& random) {
  HostPairs pairs;
  for (const std::vector<NodeId>& hosts : planes) {
    const std::vector<NodeId> order = shuffled(hosts, random);
    const std::size_t half = order.size() / 2;
    for (std::size_t at = 0; at < half; ++at) pairs.emplace_back(order[at], order[half + at]);
  }
  return pairs;
}

PatternPaths paths_of(const Topology& topology, const ForwardingTables& tables, const HostPairs& pairs) {
  PatternPaths paths{.of_links = std::vector<std::uint64_t>(topology.links())};
  for (const auto& [from, to] : pairs) add(topology, tables, topology.leaf_of(from), to, 1, paths);
  find_worst(paths);
  return paths;
}

PatternPaths all_to_all_paths(const Topology& topology, const ForwardingTables& tables,
                              const Planes& planes) {
  PatternPaths paths{.of_links = std::vector<std::uint64_t>(topology.links())};
  for (const std::vector<NodeId>& hosts : planes) {
    std::map<NodeId, std::uint64_t> senders;  // by leaf
    for (const NodeId host : hosts) ++senders[topology.leaf_of(host)];
    for (const NodeId host : hosts)
      for (const auto& [leaf, count] : senders) {
        const std::uint64_t others = count - (leaf == topology.leaf_of(host) ? 1 : 0);
        if (others > 0) add(topology, tables, leaf, host, others, paths);
      }
  }
  find_worst(paths);
  return paths;
}

double hosts_time(const Topology& topology, const Planes& planes) {
  double longest = 0;
  for (const std::vector<NodeId>& hosts : planes)
    for (const NodeId host : hosts)
      longest = std::max(longest, static_cast<double>(hosts.size() - 1) / topology.capacity(host));
  return longest;
}

double times_of_hosts(double switches_time, double hosts_time) {
  return hosts_time > 0 ? std::max(1.0, switches_time / hosts_time) : 1;
}

double bandwidth_of(const Topology& topology, const ForwardingTables& tables, const HostPairs& pairs) {
  if (pairs.empty()) return 1;
  const PatternPaths paths = paths_of(topology, tables, pairs);
  double sum = 0;
  for (const auto& [from, to] : pairs) {
    std::uint64_t most = 1;
    const auto followed = tables.follow(topology, topology.leaf_of(from), to, 0,
                                        [&](LinkId link) { most = std::max(most, paths.of_links[link]); });
    if (followed.end == ForwardingTables::End::delivered) sum += 1 / static_cast<double>(most);
  }
  return sum / static_cast<double>(pairs.size());
}

}  // namespace assay::model::fabric::routes

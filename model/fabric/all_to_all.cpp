// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/all_to_all.hpp"

#include <algorithm>
#include <numeric>

#include "harness/core/process/side_by_side.hpp"
#include "model/fabric/routing/leaf_flows.hpp"

namespace assay::model::fabric {

namespace {

/// Those of a group that are on one leaf.
using Members = std::span<const Delivery>;

struct Group {
  AllToAll members;             // by leaf
  std::vector<Members> leaves;  // that have any
};

std::vector<Group> by_leaf(const Topology& topology, std::span<const AllToAll> all) {
  std::vector<Group> groups;
  const auto leaf_of = [&topology](const Delivery& one) { return topology.leaf_of(one.destination); };
  for (const AllToAll& members : all) {
    Group& group = groups.emplace_back(Group{.members = members, .leaves = {}});
    std::ranges::stable_sort(group.members, {}, leaf_of);
    for (auto first = group.members.cbegin(); first != group.members.cend();) {
      const auto end = std::find_if(first, group.members.cend(),
                                    [&](const Delivery& one) { return leaf_of(one) != leaf_of(*first); });
      group.leaves.emplace_back(first, end);
      first = end;
    }
  }
  return groups;
}

/// A group's members on the leaf that they share.
struct Receivers {
  const Group* group;
  Members members;
};

/// The receivers of each leaf, one entry for each group.
std::vector<std::vector<Receivers>> receivers_of_leaves(const Topology& topology,
                                                        const std::vector<Group>& groups) {
  std::vector<std::vector<Receivers>> receivers(topology.edge_switches());
  for (const Group& group : groups)
    for (const Members members : group.leaves)
      receivers[topology.leaf_of(members.front().destination) - topology.hosts()].push_back(
          {&group, members});
  return receivers;
}

/// Whether failures separate none of a group, so that no pair has to be named.
bool reach_all(const Router& router, const Group& group) {
  const Topology& topology = router.topology();
  for (const Delivery& one : group.members)
    if (!topology.live(one.destination) || !topology.live(topology.link_to_host(one.destination)))
      return false;
  for (const Members from : group.leaves)
    for (const Members to : group.leaves)
      if (from.data() != to.data() &&
          router.next_hops()
              .towards(topology.leaf_of(to.front().destination), topology.leaf_of(from.front().destination))
              .empty())
        return false;
  return true;
}

/// On the links of the hosts themselves.
void add_ends(const Topology& topology, const Group& group, std::span<const std::uint32_t> server_of,
              std::vector<std::uint64_t>& bytes) {
  struct Server {
    std::uint64_t members = 0, bytes = 0;
  };
  std::vector<Server> servers(server_of.empty() ? 0 : std::ranges::max(server_of) + std::size_t{1});
  Server all;
  for (const auto& [host, amount] : group.members) {
    for (Server* const sum : {&servers[server_of[host]], &all}) {
      ++sum->members;
      sum->bytes += amount;
    }
  }
  for (const auto& [host, amount] : group.members) {
    const Server& own = servers[server_of[host]];
    bytes[host] += all.bytes - own.bytes;
    bytes[topology.link_to_host(host)] += amount * (all.members - own.members);
  }
}

/// Message by message: for adaptive routing, and to name hosts that are separated.
Load load_by_source(const Router& router, std::span<const AllToAll> groups,
                    std::span<const std::uint32_t> server_of, unsigned threads) {
  std::vector<const AllToAll*> group_of(router.topology().hosts());
  for (const AllToAll& group : groups)
    for (const Delivery& one : group) group_of[one.destination] = &group;
  const EachRow each = [&](NodeId from, const std::function<void(std::span<const Delivery>)>& send) {
    if (group_of[from] == nullptr) return;
    const std::span<const Delivery> row = *group_of[from];
    std::size_t begin = 0;
    for (std::size_t at = 0; at < row.size(); ++at) {
      if (server_of[row[at].destination] != server_of[from]) continue;
      send(row.subspan(begin, at - begin));
      begin = at + 1;
    }
    send(row.subspan(begin));
  };
  return load_of_rows(router, each, threads);
}

/// Messages from all senders of a leaf to one host take one way.
void add_flows_by_tables(const Router& router, const Group& group, const Delivery& receiver,
                         std::span<const std::uint32_t> server_of, std::span<std::uint64_t> bytes) {
  const Topology& topology = router.topology();
  const std::uint32_t own = server_of[receiver.destination];
  for (const Members members : group.leaves) {
    const auto senders = std::ranges::count_if(
        members, [&](const Delivery& one) { return server_of[one.destination] != own; });
    if (senders == 0) continue;
    const std::uint64_t sum = receiver.bytes * static_cast<std::uint64_t>(senders);
    router.visit_links(members.front().destination, receiver.destination, [&](LinkId link) {
      if (topology.between_switches(link)) bytes[link] += sum;
    });
  }
}

Load load_by_tables(const Router& router, const std::vector<Group>& groups,
                    std::span<const std::uint32_t> server_of, unsigned threads) {
  const Topology& topology = router.topology();
  std::vector<std::vector<std::uint64_t>> bytes(std::max(1U, threads),
                                                std::vector<std::uint64_t>(topology.links()));
  Load load(router);
  for (const Group& group : groups) {
    const auto add_receiver = [&](std::size_t at, unsigned thread) {
      add_flows_by_tables(router, group, group.members[at], server_of, bytes[thread]);
    };
    core::side_by_side(group.members.size(), add_receiver, {.most = static_cast<unsigned>(bytes.size())});
    add_ends(topology, group, server_of, bytes.front());
  }
  for (const auto& one : bytes) load += one;
  return load;
}

/// Adds what all senders send to the hosts of one leaf.
void add_flows_to(NodeId leaf, const std::vector<Receivers>& receivers, LeafFlows& flows) {
  if (receivers.empty()) return;
  flows.begin(leaf);
  for (const auto& [group, members] : receivers)
    for (const Members senders : group->leaves)
      if (senders.data() != members.data()) flows.add(senders, members);
  flows.finish();
}

}  // namespace

Load all_to_all_load(const Router& router, std::span<const AllToAll> all,
                     std::span<const std::uint32_t> server_of, unsigned threads) {
  const Topology& topology = router.topology();
  const std::vector<Group> groups = by_leaf(topology, all);
  if (router.settings().kind == RoutingKind::tables && !router.settings().spread_lids)
    return load_by_tables(router, groups, server_of, threads);
  const bool by_message =
      router.settings().kind == RoutingKind::adaptive || router.settings().kind == RoutingKind::tables;
  if (by_message ||
      !std::ranges::all_of(groups, [&](const Group& group) { return reach_all(router, group); }))
    return load_by_source(router, all, server_of, threads);
  const auto receivers = receivers_of_leaves(topology, groups);
  std::vector<LeafFlows> workers(std::max(1U, threads), LeafFlows(router, server_of));
  const auto add_leaf = [&](std::size_t at, unsigned thread) {
    add_flows_to(topology.hosts() + static_cast<NodeId>(at), receivers[at], workers[thread]);
  };
  core::side_by_side(receivers.size(), add_leaf, {.most = static_cast<unsigned>(workers.size())});
  std::vector<std::uint64_t> ends(topology.links());
  for (const Group& group : groups) add_ends(topology, group, server_of, ends);
  Load load(router);
  load += ends;
  for (const LeafFlows& one : workers) load += one.bytes_of_links();
  return load;
}

Load all_to_all_load(const Router& router, std::span<const NodeId> hosts,
                     std::span<const std::uint64_t> bytes_for, unsigned threads) {
  AllToAll group;
  for (std::size_t at = 0; at < hosts.size(); ++at) group.push_back({hosts[at], bytes_for[at]});
  std::vector<std::uint32_t> servers(router.topology().hosts());
  std::iota(servers.begin(), servers.end(), 0U);
  return all_to_all_load(router, std::span(&group, 1), servers, threads);
}

}  // namespace assay::model::fabric

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/all_to_all.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "harness/core/process/side_by_side.hpp"
#include "model/fabric/routing/drawn_flows.hpp"
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

/// Message by message: by tables of several LIDs a host, and to name hosts that are separated.
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

struct Messages {
  std::uint64_t count = 0, bytes = 0;
};

/// Messages of hosts over the fabric to the hosts of one leaf, each to each.
class MessagesTo {
 public:
  MessagesTo(Members receivers, std::span<const std::uint32_t> server_of) : server_of_(server_of) {
    for (const auto& [host, bytes] : receivers) {
      ++all_.count;
      all_.bytes += bytes;
      Messages& near = of_server_[server_of[host]];
      ++near.count;
      near.bytes += bytes;
    }
  }

  Messages from(Members senders) const {
    Messages sum = {senders.size() * all_.count, senders.size() * all_.bytes};
    for (const Delivery& sender : senders) {
      const std::uint32_t server = server_of_[sender.destination];
      if (server < of_server_.begin()->first || server > of_server_.rbegin()->first) continue;
      const auto near = of_server_.find(server);
      if (near == of_server_.end()) continue;
      sum.count -= near->second.count;
      sum.bytes -= near->second.bytes;
    }
    return sum;
  }

 private:
  std::span<const std::uint32_t> server_of_;
  std::map<std::uint32_t, Messages> of_server_;
  Messages all_;
};

/// Calls `use` with the leaf and the messages of each of a group that sends to these receivers over the
/// fabric.
template <class Use>
void each_sending_leaf(const Topology& topology, const Receivers& receivers,
                       std::span<const std::uint32_t> server_of, const Use& use) {
  const MessagesTo messages(receivers.members, server_of);
  for (const Members senders : receivers.group->leaves)
    if (senders.data() != receivers.members.data())
      use(topology.leaf_of(senders.front().destination), messages.from(senders));
}

/// For adaptive routing: pairs of leaves are enough.
void add_between_leaves(const Topology& topology, const std::vector<std::vector<Receivers>>& receivers,
                        std::span<const std::uint32_t> server_of, Load& load) {
  for (NodeId leaf = 0; leaf < receivers.size(); ++leaf)
    for (const Receivers& some : receivers[leaf])
      each_sending_leaf(topology, some, server_of, [&](NodeId from, const Messages& messages) {
        load.add_between(from, topology.hosts() + leaf, messages.bytes);
      });
}

/// Draws what all senders send to the hosts of one leaf.
void draw_flows_to(NodeId leaf, const std::vector<Receivers>& receivers, const Router& router,
                   std::span<const std::uint32_t> server_of, DrawnFlows& flows) {
  const auto parts = static_cast<std::uint64_t>(router.settings().queue_pairs);
  for (std::size_t draw = 0; draw < receivers.size(); ++draw) {
    each_sending_leaf(router.topology(), receivers[draw], server_of,
                      [&](NodeId from, const Messages& messages) {
                        flows.add(from, parts * messages.count, messages.bytes);
                      });
    flows.deal_out(leaf, draw);
  }
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

/// Adds the loads of all leaves that receive, by one worker a thread.
template <class Worker, class AddLeaf>
void add_leaves(std::size_t leaves, unsigned threads, const Worker& worker, const AddLeaf& add_leaf,
                Load& load) {
  std::vector<Worker> workers(std::max(1U, threads), worker);
  core::side_by_side(leaves, [&](std::size_t at, unsigned thread) { add_leaf(at, workers[thread]); },
                     {.most = static_cast<unsigned>(workers.size())});
  for (const Worker& one : workers) load += one.bytes_of_links();
}

}  // namespace

Load all_to_all_load(const Router& router, std::span<const AllToAll> all,
                     std::span<const std::uint32_t> server_of, unsigned threads, FlowChoice choice) {
  const Topology& topology = router.topology();
  const RoutingSettings& settings = router.settings();
  const std::vector<Group> groups = by_leaf(topology, all);
  if (settings.kind == RoutingKind::tables && !settings.spread_lids)
    return load_by_tables(router, groups, server_of, threads);
  if (settings.kind == RoutingKind::tables ||
      !std::ranges::all_of(groups, [&](const Group& group) { return reach_all(router, group); }))
    return load_by_source(router, all, server_of, threads);
  std::vector<std::uint64_t> ends(topology.links());
  for (const Group& group : groups) add_ends(topology, group, server_of, ends);
  Load load(router);
  load += ends;
  const auto receivers = receivers_of_leaves(topology, groups);
  const auto leaf_of = [&](std::size_t at) { return topology.hosts() + static_cast<NodeId>(at); };
  if (settings.kind == RoutingKind::adaptive) {
    add_between_leaves(topology, receivers, server_of, load);
  } else if (choice == FlowChoice::drawn && can_draw(settings, topology)) {
    const auto draw = [&](std::size_t at, DrawnFlows& flows) {
      draw_flows_to(leaf_of(at), receivers[at], router, server_of, flows);
    };
    add_leaves(receivers.size(), threads, DrawnFlows(router), draw, load);
  } else {
    const auto hash = [&](std::size_t at, LeafFlows& flows) {
      add_flows_to(leaf_of(at), receivers[at], flows);
    };
    add_leaves(receivers.size(), threads, LeafFlows(router, server_of), hash, load);
  }
  return load;
}

Load all_to_all_load(const Router& router, std::span<const NodeId> hosts,
                     std::span<const std::uint64_t> bytes_for, unsigned threads, FlowChoice choice) {
  AllToAll group;
  for (std::size_t at = 0; at < hosts.size(); ++at) group.push_back({hosts[at], bytes_for[at]});
  std::vector<std::uint32_t> servers(router.topology().hosts());
  std::iota(servers.begin(), servers.end(), 0U);
  return all_to_all_load(router, std::span(&group, 1), servers, threads, choice);
}

}  // namespace assay::model::fabric

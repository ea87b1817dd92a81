// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/routing/routing.hpp"

#include <array>
#include <utility>

#include "harness/schedule/blocks.hpp"
#include "model/fabric/refuse.hpp"

namespace assay::model::fabric {

std::uint64_t part_of_message(std::uint64_t bytes, std::size_t parts, std::size_t at) {
  const schedule::Blocks blocks{static_cast<std::int64_t>(bytes), static_cast<int>(parts)};
  return static_cast<std::uint64_t>(blocks.size(static_cast<int>(at)));
}

Router::Router(const Topology& topology, RoutingSettings settings)
    : Router(topology, std::make_shared<const NextHops>(topology), std::move(settings)) {}

Router::Router(const Topology& topology, std::shared_ptr<const NextHops> next_hops, RoutingSettings settings)
    : topology_(&topology),
      settings_(std::move(settings)),
      next_hops_(std::move(next_hops)),
      hash_(topology, {.hash = settings_.hash,
                       .with_queue_pair = settings_.kind == RoutingKind::e_ecmp,
                       .seed = settings_.seed,
                       .same_seed = settings_.same_seed,
                       .addresses = settings_.addresses}) {
  if (settings_.queue_pairs < 1)
    refuse("queue_pairs must be at least 1, got " + std::to_string(settings_.queue_pairs));
  if (settings_.kind == RoutingKind::tables && !settings_.tables)
    refuse("routing by tables needs the forwarding tables of the switches");
  for (NodeId host = 0; host < topology.hosts(); ++host)
    hosts_are_down_ |= !topology.live(host) || !topology.live(topology.link_to_host(host));
}

/// The links between the leaves of source and destination.
template <class See>
void Router::walk(const FlowHash::Flow& flow, const See& see) const {
  const NodeId leaf = topology_->leaf_of(flow.destination), first = topology_->leaf_of(flow.source);
  const NextHops::View hops = next_hops_->view(leaf);
  for (NodeId at = first; at != leaf;) {
    const NextHops::Row& row = hops.row(at);
    const bool pinned = settings_.kind == RoutingKind::pinned && at == first;
    const NextHops::Hop hop =
        hops.choose(row, pinned ? topology_->slot_of(flow.destination) : hash_.at(flow, at));
    see(hop.link);
    at = hop.to;
  }
}

void Router::check_reach(NodeId source, NodeId destination) const {
  const NodeId from = topology_->leaf_of(source), to = topology_->leaf_of(destination);
  if (settings_.kind == RoutingKind::tables) return follow_tables(source, destination, 0, [](LinkId) {});
  const bool ends = topology_->live(source) && topology_->live(topology_->link_to_host(destination));
  if (ends && (from == to || !next_hops_->towards(to, from).empty())) return;
  refuse("failed links separate " + topology_->name_of(source) + " from " + topology_->name_of(destination) +
         ", or cables between them are missing");
}

std::uint32_t Router::lid_of(NodeId destination, std::uint32_t part) const {
  return settings_.spread_lids ? part % settings_.tables->lids_of(destination) : 0;
}

/// All links but that from the source, which have to be live.
void Router::follow_tables(NodeId source, NodeId destination, std::uint32_t lid,
                           const std::function<void(LinkId)>& see) const {
  const auto refuse_way = [&](const std::string& why) {
    refuse("the forwarding tables lead no message from " + topology_->name_of(source) + " to " +
           topology_->name_of(destination) + ": " + why);
  };
  if (!topology_->live(source)) refuse_way(topology_->name_of_link(source) + " has failed");
  const auto see_live = [&](LinkId link) {
    if (!topology_->live(link)) refuse_way(topology_->name_of_link(link) + " has failed since they were set");
    see(link);
  };
  const ForwardingTables::Followed followed =
      settings_.tables->follow(*topology_, topology_->leaf_of(source), destination, lid, see_live);
  if (followed.end != ForwardingTables::End::delivered) refuse_way(text_of(*topology_, followed));
}

void Router::add_by_tables(NodeId source, std::span<const Delivery> deliveries, std::uint64_t* bytes) const {
  const auto parts = static_cast<std::uint32_t>(settings_.spread_lids ? settings_.queue_pairs : 1);
  for (const Delivery& one : deliveries) {
    bytes[source] += one.bytes;
    for (std::uint32_t part = 0; part < parts; ++part) {
      const std::uint64_t amount = part_of_message(one.bytes, parts, part);
      follow_tables(source, one.destination, lid_of(one.destination, part),
                    [&](LinkId link) { bytes[link] += amount; });
    }
  }
}

void Router::visit_all(NodeId source, NodeId destination, std::uint64_t bytes, const VisitPart& visit) const {
  const NodeId leaf = topology_->leaf_of(destination);
  std::vector<std::pair<std::vector<LinkId>, std::uint64_t>> open = {{{source}, bytes}};
  while (!open.empty()) {
    auto [path, amount] = std::move(open.back());
    open.pop_back();
    const NodeId at = topology_->to(path.back());
    if (at == leaf) {
      path.push_back(topology_->link_to_host(destination));
      visit(path, amount);
      continue;
    }
    const std::span<const LinkId> links = next_hops_->towards(leaf, at);
    for (std::size_t one = links.size(); one-- > 0;) {
      const std::uint64_t part = part_of_message(amount, links.size(), one);
      if (part == 0) continue;
      open.emplace_back(path, part);
      open.back().first.push_back(links[one]);
    }
  }
}

void Router::route(NodeId source, NodeId destination, std::uint64_t bytes, std::uint32_t message,
                   const VisitPart& visit) const {
  const bool by_tables = settings_.kind == RoutingKind::tables;
  if (!by_tables) check_reach(source, destination);
  if (settings_.kind == RoutingKind::adaptive) return visit_all(source, destination, bytes, visit);
  const auto parts = static_cast<std::uint32_t>(settings_.queue_pairs);
  std::vector<LinkId> path;
  for (std::uint32_t part = 0; part < parts; ++part) {
    path.clear();
    if (by_tables)
      append_table_path(source, destination, lid_of(destination, part), path);
    else
      append_path(source, destination, ports_of(source, destination, message, static_cast<int>(part)), path);
    visit(path, part_of_message(bytes, parts, part));
  }
}

QueuePairPorts Router::ports_of(NodeId source, NodeId destination, std::uint32_t message, int part) const {
  const auto parts = static_cast<std::uint64_t>(settings_.queue_pairs);
  return FlowHash::FromSource(hash_, source)
      .ports(destination, message * parts + static_cast<std::uint64_t>(part));
}

std::vector<LinkId> Router::path_of(NodeId source, NodeId destination, QueuePairPorts ports) const {
  std::vector<LinkId> path;
  if (settings_.kind == RoutingKind::tables) {
    append_table_path(source, destination, 0, path);
    return path;
  }
  check_reach(source, destination);
  append_path(source, destination, ports, path);
  return path;
}

void Router::append_table_path(NodeId source, NodeId destination, std::uint32_t lid,
                               std::vector<LinkId>& path) const {
  path.push_back(source);
  follow_tables(source, destination, lid, [&path](LinkId link) { path.push_back(link); });
}

void Router::append_path(NodeId source, NodeId destination, QueuePairPorts ports,
                         std::vector<LinkId>& path) const {
  path.push_back(source);
  walk({source, destination, FlowHash::FromSource(hash_, source).fields(destination, ports)},
       [&path](LinkId link) { path.push_back(link); });
  path.push_back(topology_->link_to_host(destination));
}

/// Flows between the same two leaves, which take as many hops: one hop of all of them at a time keeps the
/// processor from waiting for one flow's lookups.
struct Router::Together {
  static constexpr std::size_t most = 64;
  std::array<NodeId, most> destination;
  std::array<std::uint64_t, most> fields;
  std::array<std::uint64_t, most> bytes;
  std::array<NodeId, most> at;
  std::array<LinkId, most> link;
  std::size_t count = 0;
};

/// From one leaf to another. `hash_at`: of a flow at a switch.
template <class HashAt>
void Router::walk_together(Together& together, NodeId source, NodeId leaf, const HashAt& hash_at,
                           std::uint64_t* bytes) const {
  const std::size_t count = std::exchange(together.count, 0);
  if (count == 0 || together.at[0] == leaf) return;
  const NextHops::View hops = next_hops_->view(leaf);
  if (hops.row(together.at[0]).count == 0) check_reach(source, together.destination[0]);
  if (settings_.kind == RoutingKind::pinned)
    for (std::size_t one = 0; one < count; ++one) {
      const std::uint32_t slot = topology_->slot_of(together.destination[one]);
      const NextHops::Hop hop = hops.choose(hops.row(together.at[one]), slot);
      bytes[hop.link] += together.bytes[one];
      together.at[one] = hop.to;
    }
  while (together.at[0] != leaf) {
    for (std::size_t one = 0; one < count; ++one) {
      const NodeId at = together.at[one];
      const NextHops::Hop hop =
          hops.choose(hops.row(at), hash_at({source, together.destination[one], together.fields[one]}, at));
      together.link[one] = hop.link;
      together.at[one] = hop.to;
    }
    for (std::size_t one = 0; one < count; ++one) bytes[together.link[one]] += together.bytes[one];
  }
}

template <class HashAt>
void Router::add_row(NodeId source, std::span<const Delivery> deliveries, std::uint32_t message,
                     const HashAt& hash_at, std::uint64_t* bytes) const {
  const auto queue_pairs = static_cast<std::uint32_t>(settings_.queue_pairs);
  const FlowHash::FromSource from(hash_, source);
  const NodeId first = topology_->leaf_of(source);
  Together together;
  NodeId leaf = first;
  std::uint64_t sent = 0;
  for (const Delivery& one : deliveries) {
    const LinkId last = topology_->link_to_host(one.destination);
    if (hosts_are_down_) check_reach(source, one.destination);
    sent += one.bytes;
    bytes[last] += one.bytes;
    const NodeId to = topology_->leaf_of(one.destination);
    for (std::uint32_t part = 0; part < queue_pairs; ++part) {
      if (to != leaf || together.count == Together::most)
        walk_together(together, source, leaf, hash_at, bytes);
      leaf = to;
      const std::size_t place = together.count++;
      together.destination[place] = one.destination;
      together.fields[place] = from.fields(
          one.destination, from.ports(one.destination, std::uint64_t{message} * queue_pairs + part));
      together.bytes[place] = queue_pairs == 1 ? one.bytes : part_of_message(one.bytes, queue_pairs, part);
      together.at[place] = first;
    }
  }
  bytes[source] += sent;
  walk_together(together, source, leaf, hash_at, bytes);
}

void Router::add(NodeId source, std::span<const Delivery> deliveries, std::uint32_t message,
                 std::span<std::uint64_t> bytes_of_links) const {
  if (settings_.kind == RoutingKind::tables) return add_by_tables(source, deliveries, bytes_of_links.data());
  hash_.visit(
      [&](const auto& hash_at) { add_row(source, deliveries, message, hash_at, bytes_of_links.data()); });
}

std::vector<double> sprayed_capacities(const Topology& topology, double efficiency) {
  std::vector<double> capacities = topology.capacities();
  for (LinkId link = 0; link < topology.links(); ++link)
    if (topology.between_switches(link)) capacities[link] *= efficiency;
  return capacities;
}

}  // namespace assay::model::fabric

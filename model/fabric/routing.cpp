// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/routing.hpp"

#include "harness/core/mix.hpp"
#include "harness/path/udp_port.hpp"
#include "model/fabric/refuse.hpp"

namespace assay::model::fabric {

namespace {

/// An IPv4 address in network order: 10.0.0.0 and the host's number.
std::string address_of(NodeId host) {
  const std::uint32_t address = 0x0A000000U + host;
  std::string bytes;
  for (unsigned shift = 32; shift > 0; shift -= 8)
    bytes.push_back(static_cast<char>((address >> (shift - 8)) & 0xFFU));
  return bytes;
}

constexpr std::uint64_t odd_factor = 0xD6E8FEB86659FD93;  // so that hosts and parts do not cancel

std::uint64_t part_of(std::uint64_t bytes, std::size_t parts, std::size_t at) {
  return bytes / parts + (at < bytes % parts ? 1 : 0);
}

}  // namespace

Router::Router(const Topology& topology, RoutingSettings settings)
    : topology_(&topology), settings_(settings), next_hops_(topology) {
  if (settings_.queue_pairs < 1)
    refuse("queue_pairs must be at least 1, got " + std::to_string(settings_.queue_pairs));
  for (NodeId at = topology.hosts(); at < topology.nodes(); ++at)
    seed_of_switch_.push_back(
        core::mix64((std::uint64_t{settings_.same_seed ? 0 : at} << 32U) | settings_.seed));
}

/// `hash`: of the flow at a switch, asked for only where there is a choice.
template <class Hash, class See>
void Router::walk(NodeId source, NodeId destination, const Hash& hash, const See& see) const {
  see(LinkId{source});
  const NodeId leaf = topology_->leaf_of(destination), first = topology_->leaf_of(source);
  for (NodeId at = first; at != leaf;) {
    const std::span<const LinkId> links = next_hops_.towards(leaf, at);
    std::size_t choice = 0;
    if (links.size() > 1) {
      const bool pinned = settings_.kind == RoutingKind::pinned && at == first;
      choice =
          (pinned ? topology_->slot_of(destination) : hash(at)) % static_cast<std::uint32_t>(links.size());
    }
    see(links[choice]);
    at = topology_->to(links[choice]);
  }
  see(topology_->link_to_host(destination));
}

/// `part`: the number of message and queue pair.
QueuePairPorts Router::draw_ports(NodeId source, NodeId destination, std::uint64_t part) const {
  const std::uint64_t hosts = (std::uint64_t{source} << 32U) | destination;
  const std::uint64_t numbers =
      core::mix64(hosts * odd_factor + part + (std::uint64_t{settings_.seed} << 32U));
  const auto local = static_cast<std::uint32_t>(numbers) & path::qp_number_mask;
  const auto remote = static_cast<std::uint32_t>(numbers >> 32U) & path::qp_number_mask;
  return {path::udp_source_port(0, local, remote), remote};
}

template <class See>
void Router::walk_part(NodeId source, NodeId destination, QueuePairPorts ports, const See& see) const {
  const std::uint64_t hosts = (std::uint64_t{source} << 32U) | destination;
  const auto [port, remote] = ports;
  const bool enhanced = settings_.kind == RoutingKind::e_ecmp;
  const auto seed_at = [this](NodeId at) { return seed_of_switch_[at - topology_->hosts()]; };
  if (settings_.hash == path::SwitchHash::ideal) {
    const std::uint64_t transport = port | (enhanced ? std::uint64_t{remote} << 16U : 0);
    const std::uint64_t tuple = core::mix64(hosts * odd_factor + transport);
    const auto hash = [&](NodeId at) {
      return static_cast<std::uint32_t>(core::mix64(tuple ^ seed_at(at)) >> 32U);
    };
    return walk(source, destination, hash, see);
  }
  path::FiveTuple tuple = {address_of(source), address_of(destination), port, std::nullopt};
  if (enhanced) tuple.destination_qpn = remote;
  const auto hash = [&](NodeId at) {
    return hash_of(tuple, settings_.hash, static_cast<std::uint32_t>(seed_at(at)));
  };
  walk(source, destination, hash, see);
}

void Router::check_reach(NodeId source, NodeId destination) const {
  const NodeId from = topology_->leaf_of(source), to = topology_->leaf_of(destination);
  const bool ends = topology_->live(source) && topology_->live(topology_->link_to_host(destination));
  if (ends && (from == to || !next_hops_.towards(to, from).empty())) return;
  refuse("failed links separate " + topology_->name_of(source) + " from " + topology_->name_of(destination));
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
    const std::span<const LinkId> links = next_hops_.towards(leaf, at);
    for (std::size_t one = links.size(); one-- > 0;) {
      const std::uint64_t part = part_of(amount, links.size(), one);
      if (part == 0) continue;
      open.emplace_back(path, part);
      open.back().first.push_back(links[one]);
    }
  }
}

void Router::route(NodeId source, NodeId destination, std::uint64_t bytes, std::uint32_t message,
                   const VisitPart& visit) const {
  check_reach(source, destination);
  if (settings_.kind == RoutingKind::adaptive) return visit_all(source, destination, bytes, visit);
  const auto parts = static_cast<std::uint32_t>(settings_.queue_pairs);
  std::vector<LinkId> path;
  for (std::uint32_t part = 0; part < parts; ++part) {
    path.clear();
    walk_part(source, destination, draw_ports(source, destination, std::uint64_t{message} * parts + part),
              [&path](LinkId link) { path.push_back(link); });
    visit(path, part_of(bytes, parts, part));
  }
}

QueuePairPorts Router::ports_of(NodeId source, NodeId destination, std::uint32_t message, int part) const {
  const auto parts = static_cast<std::uint64_t>(settings_.queue_pairs);
  return draw_ports(source, destination, message * parts + static_cast<std::uint64_t>(part));
}

std::vector<LinkId> Router::path_of(NodeId source, NodeId destination, QueuePairPorts ports) const {
  check_reach(source, destination);
  std::vector<LinkId> path;
  walk_part(source, destination, ports, [&path](LinkId link) { path.push_back(link); });
  return path;
}

void Router::add(NodeId source, NodeId destination, std::uint64_t bytes, std::uint32_t message,
                 std::span<std::uint64_t> bytes_of_links) const {
  check_reach(source, destination);
  const auto parts = static_cast<std::uint32_t>(settings_.queue_pairs);
  for (std::uint32_t part = 0; part < parts; ++part) {
    const std::uint64_t amount = part_of(bytes, parts, part);
    walk_part(source, destination, draw_ports(source, destination, std::uint64_t{message} * parts + part),
              [&](LinkId link) { bytes_of_links[link] += amount; });
  }
}

std::vector<double> sprayed_capacities(const Topology& topology, double efficiency) {
  std::vector<double> capacities = topology.capacities();
  for (LinkId link = 0; link < topology.links(); ++link)
    if (topology.between_switches(link)) capacities[link] *= efficiency;
  return capacities;
}

}  // namespace assay::model::fabric

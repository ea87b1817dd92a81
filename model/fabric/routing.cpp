// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/routing.hpp"

#include "harness/path/mix.hpp"
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

std::uint64_t part_of(std::uint64_t bytes, std::size_t parts, std::size_t at) {
  return bytes / parts + (at < bytes % parts ? 1 : 0);
}

}  // namespace

/// What distinguishes a flow: mixed to one number, or as fields for hashes that are not ideal.
struct Router::Tuple {
  std::uint64_t mixed = 0;
  path::FiveTuple fields = {};
};

Router::Router(const Topology& topology, RoutingSettings settings)
    : topology_(&topology), settings_(settings), next_hops_(topology) {
  if (settings_.queue_pairs < 1)
    refuse("queue_pairs must be at least 1, got " + std::to_string(settings_.queue_pairs));
}

Router::Tuple Router::tuple_of(NodeId source, NodeId destination, std::uint32_t message,
                               int queue_pair) const {
  const std::uint64_t hosts = (std::uint64_t{source} << 32U) | destination;
  const std::uint64_t number = (std::uint64_t{message} << 32U) | static_cast<std::uint32_t>(queue_pair);
  const std::uint64_t qps = path::mix64(path::mix64(hosts ^ path::mix64(settings_.seed)) + number);
  const auto local = static_cast<std::uint32_t>(qps) & path::qp_number_mask;
  const auto remote = static_cast<std::uint32_t>(qps >> 32U) & path::qp_number_mask;
  const std::uint16_t port = path::udp_source_port(0, local, remote);
  const bool enhanced = settings_.kind == RoutingKind::e_ecmp;
  if (settings_.hash == path::SwitchHash::ideal)
    return {.mixed = path::mix64(hosts ^ path::mix64(port | (enhanced ? std::uint64_t{remote} << 16U : 0)))};
  path::FiveTuple fields = {address_of(source), address_of(destination), port, std::nullopt};
  if (enhanced) fields.destination_qpn = remote;
  return {.fields = std::move(fields)};
}

std::uint32_t Router::hash_at(NodeId at, const Tuple& tuple) const {
  const std::uint64_t own = settings_.same_seed ? 0 : at + 1;
  const std::uint64_t seed = path::mix64((own << 32U) | settings_.seed);
  if (settings_.hash == path::SwitchHash::ideal)
    return static_cast<std::uint32_t>(path::mix64(tuple.mixed ^ seed) >> 32U);
  return hash_of(tuple.fields, settings_.hash, static_cast<std::uint32_t>(seed));
}

LinkId Router::pick(NodeId at, NodeId destination, const Tuple& tuple) const {
  const std::span<const LinkId> links = next_hops_.towards(topology_->leaf_of(destination), at);
  if (links.size() == 1) return links.front();
  const bool pinned = settings_.kind == RoutingKind::pinned && topology_->tier_of(at) == 1;
  return links[(pinned ? topology_->slot_of(destination) : hash_at(at, tuple)) % links.size()];
}

template <class See>
void Router::walk(NodeId source, NodeId destination, const Tuple& tuple, const See& see) const {
  see(LinkId{source});
  const NodeId leaf = topology_->leaf_of(destination);
  for (NodeId at = topology_->leaf_of(source); at != leaf;) {
    const LinkId link = pick(at, destination, tuple);
    see(link);
    at = topology_->to(link);
  }
  see(topology_->link_to_host(destination));
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
  std::vector<LinkId> path;
  for (int qp = 0; qp < settings_.queue_pairs; ++qp) {
    path.clear();
    walk(source, destination, tuple_of(source, destination, message, qp),
         [&path](LinkId link) { path.push_back(link); });
    visit(path,
          part_of(bytes, static_cast<std::size_t>(settings_.queue_pairs), static_cast<std::size_t>(qp)));
  }
}

void Router::add(NodeId source, NodeId destination, std::uint64_t bytes, std::uint32_t message,
                 std::span<std::uint64_t> bytes_of_links) const {
  check_reach(source, destination);
  for (int qp = 0; qp < settings_.queue_pairs; ++qp) {
    const std::uint64_t part =
        part_of(bytes, static_cast<std::size_t>(settings_.queue_pairs), static_cast<std::size_t>(qp));
    walk(source, destination, tuple_of(source, destination, message, qp),
         [&](LinkId link) { bytes_of_links[link] += part; });
  }
}

std::vector<double> sprayed_capacities(const Topology& topology, double efficiency) {
  std::vector<double> capacities = topology.capacities();
  for (LinkId link = 0; link < topology.links(); ++link)
    if (topology.between_switches(link)) capacities[link] *= efficiency;
  return capacities;
}

}  // namespace assay::model::fabric

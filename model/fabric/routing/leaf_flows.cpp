// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/routing/leaf_flows.hpp"

#include <algorithm>
#include <utility>

namespace assay::model::fabric {

LeafFlows::LeafFlows(const Router& router, std::span<const std::uint32_t> server_of)
    : router_(&router),
      server_of_(server_of),
      rows_(router.topology().nodes()),
      one_way_(router.topology().nodes()),
      bytes_to_leaf_(router.topology().links()),
      bytes_(router.topology().links()),
      together_(router.topology().nodes()) {}

/// Nodes are numbered in the order of ways that go up and then down; by another route rule, each flow is
/// followed to its end.
void LeafFlows::begin(NodeId leaf) {
  leaf_ = leaf;
  const NodeId first = router_->topology().hosts(), end = router_->topology().nodes();
  const NextHops::View hops = router_->next_hops().view(leaf);
  for (NodeId at = first; at < end; ++at) rows_[at] = hops.row(at);
  const auto leads_on = [&](NodeId at, bool up) {
    if (rows_[at].count != 1) return false;
    const NodeId to = hops.choose(rows_[at], 0).to;
    return (to > at) == up && one_way_[to] != 0;
  };
  std::ranges::fill(one_way_, 0);
  one_way_[leaf] = 1;
  if (router_->topology().route_rule() != RouteRule::up_down) return;
  for (NodeId at = first; at < end; ++at)
    if (leads_on(at, false)) one_way_[at] = 1;
  for (NodeId at = end; at-- > first;)
    if (leads_on(at, true)) one_way_[at] = 1;
}

void LeafFlows::add(std::span<const Delivery> senders, std::span<const Delivery> receivers) {
  const auto parts = static_cast<std::size_t>(router_->settings().queue_pairs);
  parts_.clear();
  for (const auto& [host, bytes] : receivers)
    for (std::size_t part = 0; part < parts; ++part)
      parts_.push_back({host, server_of_[host], part, part_of_message(bytes, parts, part)});
  router_->hash().visit([&](const auto& hash_at) { add_hashed(senders, hash_at); });
}

/// `hash_at`: of a flow at a switch.
template <class HashAt>
void LeafFlows::add_hashed(std::span<const Delivery> senders, const HashAt& hash_at) {
  const Topology& topology = router_->topology();
  const NodeId first = topology.leaf_of(senders.front().destination);
  const NextHops::View hops = router_->next_hops().view(leaf_);
  const NextHops::Row row = rows_[first];
  const bool pinned = router_->settings().kind == RoutingKind::pinned;
  for (const Delivery& sender : senders) {
    const NodeId source = sender.destination;
    const std::uint32_t server = server_of_[source];
    const FlowHash::FromSource from(router_->hash(), source);
    for (const ReceivedPart& part : parts_) {
      if (part.server == server) continue;
      if (flows_.count == Flows::most) follow_all(hash_at);
      const FlowHash::Flow flow = {source, part.host,
                                   from.fields(part.host, from.ports(part.host, part.number))};
      const NextHops::Hop hop = hops.choose(row, pinned ? topology.slot_of(part.host) : hash_at(flow, first));
      bytes_to_leaf_[hop.link] += part.bytes;
      if (one_way_[hop.to] == 0) flows_.put(flows_.count++, flow, part.bytes, hop.to);
    }
  }
  follow_all(hash_at);
}

template <class HashAt>
void LeafFlows::follow_all(const HashAt& hash_at) {
  while (flows_.count > 0) follow(hash_at);
}

/// Moves all flows by one hop.
template <class HashAt>
void LeafFlows::follow(const HashAt& hash_at) {
  const NextHops::View hops = router_->next_hops().view(leaf_);
  std::size_t left = 0;
  for (std::size_t one = 0; one < flows_.count; ++one) {
    const FlowHash::Flow flow = {flows_.source[one], flows_.destination[one], flows_.fields[one]};
    const NodeId at = flows_.at[one];
    const NextHops::Hop hop = hops.choose(rows_[at], hash_at(flow, at));
    const std::uint64_t bytes = flows_.bytes[one];
    bytes_to_leaf_[hop.link] += bytes;
    if (one_way_[hop.to] == 0) flows_.put(left++, flow, bytes, hop.to);
  }
  flows_.count = left;
}

/// Sends what has gathered at the switch over one link.
void LeafFlows::go_on(NodeId at, bool up) {
  if (at == leaf_ || together_[at] == 0) return;
  const NextHops::Hop hop = router_->next_hops().view(leaf_).choose(rows_[at], 0);
  if ((hop.to > at) != up) return;
  const std::uint64_t bytes = std::exchange(together_[at], 0);
  bytes_[hop.link] += bytes;
  together_[hop.to] += bytes;
}

void LeafFlows::finish() {
  const Topology& topology = router_->topology();
  for (LinkId link = 0; link < topology.links(); ++link) {
    const std::uint64_t bytes = std::exchange(bytes_to_leaf_[link], 0);
    if (bytes == 0) continue;
    bytes_[link] += bytes;
    if (one_way_[topology.to(link)] != 0) together_[topology.to(link)] += bytes;
  }
  together_[leaf_] = 0;
  for (NodeId at = topology.hosts(); at < topology.nodes(); ++at) go_on(at, true);
  for (NodeId at = topology.nodes(); at-- > topology.hosts();) go_on(at, false);
  together_[leaf_] = 0;
}

}  // namespace assay::model::fabric

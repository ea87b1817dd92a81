// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/routes/swept_tables.hpp"

#include <algorithm>

namespace assay::model::fabric::routes {

SweptNet::SweptNet(const Topology& topology, const ForwardingTables& tables, const Planes& planes)
    : topology_(topology),
      tables_(tables),
      distances_(topology),
      first_(topology.hosts()),
      paths_(topology.links()),
      senders_(std::size_t{topology.nodes() - first_} * topology.hosts()),
      shortest_(topology.hosts(), 1),
      ports_(topology.nodes() - first_) {
  tables.each_port([&](NodeId at, std::uint8_t port, LinkId link) {
    if (topology.between_switches(link) && topology.live(link)) ports_[at - first_].push_back({port, link});
  });
  for (const std::vector<NodeId>& plane : planes) count(plane);
  count_lids();
}

void SweptNet::count(const std::vector<NodeId>& plane) {
  std::map<NodeId, std::vector<NodeId>> by_leaf;
  for (const NodeId host : plane) by_leaf[topology_.leaf_of(host)].push_back(host);
  for (const auto& [leaf, hosts] : by_leaf) {
    std::vector<NodeId> all_reach;
    for (const NodeId host : hosts) {
      const bool is_reached = std::ranges::all_of(by_leaf, [&](const auto& one) {
        return tables_.follow(topology_, one.first, host, 0, [](LinkId) {}).end ==
               ForwardingTables::End::delivered;
      });
      if (!is_reached) continue;
      all_reach.push_back(host);
      for (const auto& [from, senders] : by_leaf) {
        if (from == leaf) continue;
        const auto count = static_cast<std::uint32_t>(senders.size());
        tables_.follow(topology_, from, host, 0, [&](LinkId link) {
          senders_[index(topology_.from(link), host)] += count;
          if (topology_.between_switches(link)) paths_[link] += count;
        });
      }
    }
    hosts_.emplace_back(leaf, std::move(all_reach));
  }
}

void SweptNet::count_lids() {
  lids_.resize(ports_.size() * 256U);
  for (NodeId at = first_; at < topology_.nodes(); ++at)
    for (NodeId host = 0; host < topology_.hosts(); ++host) {
      for (std::uint32_t lid = 0; lid < tables_.lids_of(host); ++lid)
        ++lids_[(at - first_) * 256U + tables_.port(at, host, lid)];
      const LinkId link = tables_.link(at, host, 0);
      const NodeId leaf = topology_.leaf_of(host);
      if (link == ForwardingTables::no_link || !topology_.between_switches(link)) continue;
      if (distances_.of(topology_.to(link), leaf) + 1 != distances_.of(at, leaf)) shortest_[host] = 0;
    }
}

LinkId SweptTables::link(NodeId at, NodeId host) const {
  const auto own = entries_.find({at, host});
  return own == entries_.end() ? net_.tables().link(at, host, 0) : own->second;
}

std::uint16_t SweptTables::hops(NodeId at, NodeId leaf) const {
  const auto own = raised_.find(at);
  return own == raised_.end() ? net_.distances().of(at, leaf) : own->second;
}

bool SweptTables::is_lost(LinkId link) const {
  return link == lost_ || net_.topology().reverse(link) == lost_;
}

void SweptTables::lose(LinkId cable) {
  lost_ = cable;
  for (const auto& [leaf, hosts] : net_.hosts_of_leaves()) {
    raised_ = net_.distances().raised(leaf, cable);
    sweep(leaf, hosts);
  }
}

void SweptTables::restore() {
  for (const LinkId link : changed_) paths_[link] = net_.paths()[link];
  entries_.clear();
  senders_.clear();
  lids_.clear();
  changed_.clear();
  separated_ = moved_ = 0;
}

/// Switches with entries that may have to change, nearest first: a way goes over settled ones alone.
std::vector<NodeId> SweptTables::to_check(NodeId leaf) const {
  const Topology& topology = net_.topology();
  std::set<NodeId> nodes = {topology.from(lost_), topology.to(lost_)};
  for (const auto& [at, own] : raised_) {
    nodes.insert(at);
    for (const SweptNet::Port& one : net_.ports(at)) nodes.insert(topology.to(one.link));
  }
  std::vector<NodeId> order(nodes.begin(), nodes.end());
  std::ranges::stable_sort(order, {}, [&](NodeId at) { return hops(at, leaf); });
  return order;
}

void SweptTables::sweep(NodeId leaf, std::span<const NodeId> hosts) {
  const std::vector<NodeId> near = to_check(leaf);
  std::vector<NodeId> all;
  for (const NodeId host : hosts) {
    if (net_.is_shortest(host)) {
      for (const NodeId at : near) check(at, leaf, host);
      continue;
    }
    if (std::ranges::none_of(near, [&](NodeId at) {
          const LinkId own = link(at, host);
          return own != ForwardingTables::no_link && is_lost(own);
        }))
      continue;
    if (all.empty()) {
      for (NodeId at = net_.topology().hosts(); at < net_.topology().nodes(); ++at) all.push_back(at);
      std::ranges::stable_sort(all, {}, [&](NodeId at) { return hops(at, leaf); });
    }
    for (const NodeId at : all) check(at, leaf, host);
  }
}

void SweptTables::check(NodeId at, NodeId leaf, NodeId host) {
  const LinkId own = link(at, host);
  if (own == ForwardingTables::no_link || !net_.topology().between_switches(own)) return;
  if (is_lost(own) || hops(net_.topology().to(own), leaf) + 1 != hops(at, leaf)) move(at, leaf, host);
}

SweptNet::Port SweptTables::choose(NodeId at, NodeId leaf) const {
  SweptNet::Port best{0, ForwardingTables::no_link};
  std::uint32_t fewest = 0;
  const std::uint16_t own = hops(at, leaf);
  if (own == SwitchDistances::far) return best;
  for (const SweptNet::Port& one : net_.ports(at)) {
    if (is_lost(one.link) || hops(net_.topology().to(one.link), leaf) + 1 != own) continue;
    const auto more = lids_.find({at, one.port});
    const std::uint32_t count = net_.lids(at, one.port) + (more == lids_.end() ? 0 : more->second);
    if (best.link != ForwardingTables::no_link && count >= fewest) continue;
    best = one;
    fewest = count;
  }
  return best;
}

/// Adds senders, modulo 2^32, to all of the way from the switch to the host.
void SweptTables::add(NodeId at, NodeId host, std::uint32_t senders) {
  const Topology& topology = net_.topology();
  const auto signed_by = static_cast<std::uint64_t>(static_cast<std::int32_t>(senders));
  for (LinkId next = link(at, host); topology.between_switches(next); next = link(at, host)) {
    paths_[next] += signed_by;
    changed_.insert(next);
    at = topology.to(next);
    senders_[{at, host}] += senders;
    if (link(at, host) == ForwardingTables::no_link) return;
  }
}

void SweptTables::move(NodeId at, NodeId leaf, NodeId host) {
  const auto more = senders_.find({at, host});
  const std::uint32_t senders = net_.senders(at, host) + (more == senders_.end() ? 0 : more->second);
  const SweptNet::Port to = choose(at, leaf);
  --lids_[{at, net_.tables().port(at, host, 0)}];
  ++moved_;
  add(at, host, ~senders + 1);
  entries_[{at, host}] = to.link;
  if (to.link == ForwardingTables::no_link) {
    separated_ += senders;
    return;
  }
  ++lids_[{at, to.port}];
  add(at, host, senders);
}

}  // namespace assay::model::fabric::routes

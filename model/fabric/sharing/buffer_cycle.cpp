// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/sharing/buffer_cycle.hpp"

#include <algorithm>
#include <cstdint>
#include <span>

#include "model/fabric/link_cycle.hpp"
#include "model/fabric/routing/next_hops.hpp"

namespace assay::model::fabric {

namespace {

/// Links between switches; each feeds those after it that share a destination. Links of hosts are in no
/// circle.
class Feeds {
 public:
  explicit Feeds(const Topology& topology)
      : topology_(topology), words_((topology.edge_switches() + 63) / 64), leads_(topology.links() * words_) {
    const NextHops hops(topology);
    const std::vector<NodeId> leaves = topology.switches_with_hosts();
    for (const NodeId leaf : leaves) mark(hops, leaves, leaf);
  }

  /// The first at `from` or after it among the links that leave its end: up, then down; or end().
  LinkId next_fed(LinkId link, LinkId from) const {
    const NodeId at = topology_.to(link);
    if (from <= topology_.end_up(at)) {
      const LinkId up = first_fed(link, std::max(from, topology_.first_up(at)), topology_.end_up(at));
      if (up < topology_.end_up(at)) return up;
      from = topology_.first_down(at);
    }
    const LinkId down = first_fed(link, from, topology_.end_down(at));
    return down < topology_.end_down(at) ? down : end();
  }
  LinkId end() const { return topology_.links(); }

 private:
  /// Links on the way to the leaf from switches that traffic of hosts reaches: a switch that none crosses,
  /// such as a spine that lacks a cable to the leaf, fills no buffer.
  void mark(const NextHops& hops, std::span<const NodeId> leaves, NodeId to) {
    const std::uint32_t leaf = to - topology_.hosts();
    std::vector<char> crossed(topology_.nodes());
    std::vector<NodeId> met;
    const auto enter = [&](NodeId node) {
      if (!crossed[node]) met.push_back(node);
      crossed[node] = 1;
    };
    for (const NodeId node : leaves)
      if (node != to) enter(node);
    for (std::size_t next = 0; next < met.size(); ++next)
      for (const LinkId link : hops.towards(to, met[next])) {
        leads_[link * words_ + leaf / 64] |= std::uint64_t{1} << leaf % 64;
        if (topology_.to(link) != to) enter(topology_.to(link));
      }
  }

  LinkId first_fed(LinkId link, LinkId from, LinkId last) const {
    const std::uint64_t* const own = &leads_[link * words_];
    for (; from < last; ++from) {
      const std::uint64_t* const other = &leads_[from * words_];
      for (std::size_t word = 0; word < words_; ++word)
        if ((own[word] & other[word]) != 0) return from;
    }
    return last;
  }

  const Topology& topology_;
  std::size_t words_;
  std::vector<std::uint64_t> leads_;  // of each link, a bit for each leaf
};

}  // namespace

std::vector<LinkId> buffer_cycle(const Topology& topology) {
  if (topology.route_rule() == RouteRule::up_down) return {};
  return find_link_cycle(topology, Feeds(topology));
}

}  // namespace assay::model::fabric

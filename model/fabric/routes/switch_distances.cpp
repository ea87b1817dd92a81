// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/routes/switch_distances.hpp"

#include <functional>
#include <queue>
#include <utility>

namespace assay::model::fabric::routes {
namespace {

constexpr LinkId no_loss = ~LinkId{0};

}  // namespace

template <class Is>
bool SwitchDistances::any_neighbour(NodeId at, LinkId lost, const Is& is) const {
  const auto found = [&](LinkId link) {
    const NodeId to = topology_.to(link);
    return to >= first_ && topology_.live(link) && link != lost && topology_.reverse(link) != lost && is(to);
  };
  for (LinkId link = topology_.first_up(at); link < topology_.end_up(at); ++link)
    if (found(link)) return true;
  for (LinkId link = topology_.first_down(at); link < topology_.end_down(at); ++link)
    if (found(link)) return true;
  return false;
}

template <class See>
void SwitchDistances::each_neighbour(NodeId at, LinkId lost, const See& see) const {
  any_neighbour(at, lost, [&](NodeId next) {
    see(next);
    return false;
  });
}

SwitchDistances::SwitchDistances(const Topology& topology)
    : topology_(topology), first_(topology.hosts()), switches_(topology.nodes() - first_), rows_(switches_) {
  const std::vector<NodeId> leaves = topology.switches_with_hosts();
  hops_.assign(leaves.size() * switches_, far);
  std::vector<NodeId> open;
  for (std::size_t row = 0; row < leaves.size(); ++row) {
    rows_[leaves[row] - first_] = row;
    std::uint16_t* const hops = hops_.data() + row * switches_;
    hops[leaves[row] - first_] = 0;
    open = {leaves[row]};
    for (std::size_t at = 0; at < open.size(); ++at)
      each_neighbour(open[at], no_loss, [&, own = hops[open[at] - first_]](NodeId next) {
        if (hops[next - first_] != far) return;
        hops[next - first_] = static_cast<std::uint16_t>(own + 1);
        open.push_back(next);
      });
  }
}

bool SwitchDistances::has_nearer(NodeId at, NodeId leaf, LinkId lost,
                                 const std::map<NodeId, std::uint16_t>& raised) const {
  return any_neighbour(at, lost, [&, own = of(at, leaf)](NodeId next) {
    return of(next, leaf) + 1 == own && !raised.contains(next);
  });
}

std::map<NodeId, std::uint16_t> SwitchDistances::raised(NodeId leaf, LinkId lost) const {
  std::map<NodeId, std::uint16_t> raised;
  NodeId beyond = topology_.from(lost), nearer = topology_.to(lost);
  if (of(beyond, leaf) < of(nearer, leaf)) std::swap(beyond, nearer);
  if (of(beyond, leaf) == of(nearer, leaf) || has_nearer(beyond, leaf, lost, raised)) return raised;
  std::vector<NodeId> open = {beyond};  // by distance
  raised[beyond] = far;
  for (std::size_t at = 0; at < open.size(); ++at)
    each_neighbour(open[at], lost, [&, own = of(open[at], leaf)](NodeId next) {
      if (of(next, leaf) != own + 1 || raised.contains(next) || has_nearer(next, leaf, lost, raised)) return;
      raised[next] = far;
      open.push_back(next);
    });
  using Reached = std::pair<std::uint16_t, NodeId>;
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> reached;
  const auto reach = [&](NodeId at, std::uint16_t hops) {
    if (hops >= raised.at(at)) return;
    raised[at] = hops;
    reached.emplace(hops, at);
  };
  for (const NodeId at : open)
    each_neighbour(at, lost, [&](NodeId next) {
      if (!raised.contains(next) && of(next, leaf) != far)
        reach(at, static_cast<std::uint16_t>(of(next, leaf) + 1));
    });
  while (!reached.empty()) {
    const auto [hops, at] = reached.top();
    reached.pop();
    if (hops == raised.at(at))
      each_neighbour(at, lost, [&, next_hops = hops](NodeId next) {
        if (raised.contains(next)) reach(next, static_cast<std::uint16_t>(next_hops + 1));
      });
  }
  return raised;
}

}  // namespace assay::model::fabric::routes

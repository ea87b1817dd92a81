// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/next_hops.hpp"

#include <algorithm>

namespace assay::model::fabric {

namespace {

constexpr int unreachable = 1 << 20;

}  // namespace

NextHops::NextHops(const Topology& topology)
    : first_switch_(topology.hosts()),
      switches_(topology.nodes() - topology.hosts()),
      rows_{{}},
      down_(topology.nodes()),
      any_(topology.nodes()) {
  const std::size_t leaves = topology.leaves();
  std::vector<std::uint32_t> rows(switches_.size() * leaves);
  for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
    const auto node = static_cast<NodeId>(first_switch_ + leaf);
    measure(topology, node);
    for (std::size_t at = 0; at < switches_.size(); ++at)
      rows[at * leaves + leaf] = choose(topology, node, static_cast<NodeId>(first_switch_ + at));
  }
  for (std::size_t at = 0; at < switches_.size(); ++at)
    compress(switches_[at], std::span(rows).subspan(at * leaves, leaves));
}

/// Nodes are numbered by tier: what is below has been measured before going down, and after coming up.
void NextHops::measure(const Topology& topology, NodeId leaf) {
  for (NodeId at = first_switch_; at < topology.nodes(); ++at) {
    down_[at] = at == leaf ? 0 : unreachable;
    if (at < first_switch_ + topology.leaves()) continue;
    for (LinkId link = topology.first_down(at); link < topology.end_down(at); ++link)
      if (topology.live(link)) down_[at] = std::min(down_[at], down_[topology.to(link)] + 1);
  }
  for (NodeId at = topology.nodes(); at-- > first_switch_;) {
    any_[at] = down_[at];
    for (LinkId link = topology.first_up(at); link < topology.end_up(at); ++link)
      if (topology.live(link)) any_[at] = std::min(any_[at], any_[topology.to(link)] + 1);
  }
}

/// Most rows are that of the leaf before. Row 0 is empty.
std::uint32_t NextHops::choose(const Topology& topology, NodeId leaf, NodeId at) {
  if (at == leaf || any_[at] >= unreachable) return 0;
  const bool goes_down = down_[at] == any_[at];
  const std::vector<int>& hops = goes_down ? down_ : any_;
  const LinkId first = goes_down ? topology.first_down(at) : topology.first_up(at);
  const LinkId end = goes_down ? topology.end_down(at) : topology.end_up(at);
  const std::size_t begin = links_.size();
  for (LinkId link = first; link < end; ++link)
    if (topology.live(link) && hops[topology.to(link)] + 1 == hops[at]) links_.push_back(link);
  Switch& one = switches_[at - first_switch_];
  std::uint32_t& last = goes_down ? one.last_down : one.last_up;
  const std::span made = std::span(links_).subspan(begin);
  const std::span before = std::span(links_).subspan(rows_[last].first, rows_[last].count);
  if (std::ranges::equal(made, before)) {
    links_.resize(begin);
  } else {
    last = static_cast<std::uint32_t>(rows_.size());
    rows_.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(made.size())});
  }
  return last;
}

/// The other row is that of the first or of the last leaf, whichever more leaves have.
void NextHops::compress(Switch& one, std::span<const std::uint32_t> rows) {
  const bool first = std::ranges::count(rows, rows.front()) > std::ranges::count(rows, rows.back());
  one.other_row = first ? rows.front() : rows.back();
  const auto differs = [&one](std::uint32_t row) { return row != one.other_row; };
  const auto begin = std::ranges::find_if(rows, differs);
  auto end = rows.end();
  while (end != begin && !differs(end[-1])) --end;
  one.first_leaf = static_cast<std::uint32_t>(begin - rows.begin());
  one.leaves = static_cast<std::uint32_t>(end - begin);
  one.first_row = row_of_leaf_.size();
  row_of_leaf_.insert(row_of_leaf_.end(), begin, end);
}

std::vector<NodeId> NextHops::cut_off(const Topology& topology) const {
  const NodeId end = first_switch_ + topology.leaves();
  const auto reaches = [this](NodeId at, NodeId leaf) { return at == leaf || !towards(leaf, at).empty(); };
  std::vector<std::uint32_t> reached(topology.leaves());
  for (NodeId leaf = first_switch_; leaf < end; ++leaf)
    for (NodeId at = first_switch_; at < end; ++at)
      reached[leaf - first_switch_] += reaches(at, leaf) ? 1 : 0;
  const auto best = std::ranges::max_element(reached);
  const auto best_leaf = static_cast<NodeId>(first_switch_ + (best - reached.begin()));
  std::vector<NodeId> hosts;
  for (NodeId host = 0; host < topology.hosts(); ++host) {
    const NodeId leaf = topology.leaf_of(host);
    if (!topology.live(host) || reached[leaf - first_switch_] < *best || !reaches(best_leaf, leaf))
      hosts.push_back(host);
  }
  return hosts;
}

}  // namespace assay::model::fabric

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/routing/next_hops.hpp"

#include <algorithm>
#include <limits>

namespace assay::model::fabric {

namespace {

constexpr int unreachable = 1 << 20;

}  // namespace

/// Goes from leaf to leaf. What lies above a leaf decides all rows but its own: where that is as for the leaf
/// before, only the rows of what lies above, of the leaf and of the one before change.
class NextHopsMaker {
 public:
  NextHopsMaker(const Topology& topology, NextHops& made)
      : topology_(topology),
        made_(made),
        first_(topology.hosts()),
        runs_(made.switches_.size()),
        last_up_(made.switches_.size()),
        last_down_(made.switches_.size()),
        down_(topology.nodes(), unreachable),
        any_(topology.nodes(), unreachable) {}

  void make();

 private:
  /// The row of this leaf and of those after it, up to the next run's.
  struct Run {
    std::uint32_t leaf, row;
  };
  using Above = std::vector<std::pair<NodeId, int>>;  // and hops down to the leaf

  Above above(NodeId leaf);
  void measure_all();
  void measure_shortest(NodeId leaf);
  std::uint32_t choose(NodeId leaf, NodeId at);
  std::uint32_t choose_shortest(NodeId leaf, NodeId at);
  std::uint32_t row_from(std::size_t begin, std::uint32_t& last);
  void find_ways_down(const Above& above);
  void append_towards(LinkId first, LinkId end, const std::vector<int>& hops);
  void set(NodeId leaf, NodeId at, std::uint32_t row);
  void make_up_down();
  void make_shortest();
  void compress(std::size_t at);

  const Topology& topology_;
  NextHops& made_;
  NodeId first_;
  std::vector<std::vector<Run>> runs_;                // of each switch
  std::vector<std::uint32_t> last_up_, last_down_;    // the rows last made
  std::vector<int> down_, any_;                       // hops to the leaf: all down; or any
  std::vector<std::pair<NodeId, LinkId>> ways_down_;  // to the leaf: switches and their links, in order
};

/// The leaf and all switches that reach it by going down, by number.
NextHopsMaker::Above NextHopsMaker::above(NodeId leaf) {
  std::vector<NodeId> met = {leaf};
  down_[leaf] = 0;
  for (std::size_t at = 0; at < met.size(); ++at)
    for (LinkId link = topology_.first_up(met[at]); link < topology_.end_up(met[at]); ++link) {
      int& hops = down_[topology_.to(link)];
      if (!topology_.live(link) || hops != unreachable) continue;
      hops = down_[met[at]] + 1;
      met.push_back(topology_.to(link));
    }
  std::ranges::sort(met);
  Above result;
  for (const NodeId node : met) result.emplace_back(node, down_[node]);
  return result;
}

/// Seen from below, where links are few.
void NextHopsMaker::find_ways_down(const Above& above) {
  ways_down_.clear();
  for (const auto& [node, hops] : above)
    for (LinkId up = topology_.first_up(node); up < topology_.end_up(node); ++up)
      if (topology_.live(up) && down_[topology_.to(up)] == hops + 1)
        ways_down_.emplace_back(topology_.to(up), topology_.reverse(up));
  std::ranges::sort(ways_down_);
}

/// Nodes are numbered by tier: what is above has been measured before.
void NextHopsMaker::measure_all() {
  for (NodeId at = topology_.nodes(); at-- > first_;) {
    any_[at] = down_[at];
    for (LinkId link = topology_.first_up(at); link < topology_.end_up(at); ++link)
      if (topology_.live(link)) any_[at] = std::min(any_[at], any_[topology_.to(link)] + 1);
  }
}

/// Breadth first over switches: hosts forward nothing.
void NextHopsMaker::measure_shortest(NodeId leaf) {
  std::ranges::fill(any_, unreachable);
  any_[leaf] = 0;
  std::vector<NodeId> met = {leaf};
  for (std::size_t next = 0; next < met.size(); ++next) {
    const NodeId at = met[next];
    const auto meet = [&](LinkId first, LinkId end) {
      for (LinkId link = first; link < end; ++link) {
        const NodeId to = topology_.to(link);
        if (to < first_ || !topology_.live(link) || any_[to] != unreachable) continue;
        any_[to] = any_[at] + 1;
        met.push_back(to);
      }
    };
    meet(topology_.first_up(at), topology_.end_up(at));
    meet(topology_.first_down(at), topology_.end_down(at));
  }
}

/// Appends those of a node's links that lead one hop nearer.
void NextHopsMaker::append_towards(LinkId first, LinkId end, const std::vector<int>& hops) {
  for (LinkId link = first; link < end; ++link)
    if (topology_.live(link) && hops[topology_.to(link)] + 1 == hops[topology_.from(link)])
      made_.links_.push_back(link);
}

/// The row of the links appended from `begin` on. Most rows are that of the leaf before.
std::uint32_t NextHopsMaker::row_from(std::size_t begin, std::uint32_t& last) {
  std::vector<LinkId>& links = made_.links_;
  const std::span made = std::span(links).subspan(begin);
  const std::span before = std::span(links).subspan(made_.rows_[last].first, made_.rows_[last].count);
  if (std::ranges::equal(made, before)) {
    links.resize(begin);
  } else {
    last = static_cast<std::uint32_t>(made_.rows_.size());
    made_.rows_.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(made.size()),
                           std::numeric_limits<std::uint64_t>::max() / made.size() + 1});
  }
  return last;
}

/// Row 0 is empty.
std::uint32_t NextHopsMaker::choose(NodeId leaf, NodeId at) {
  if (at == leaf || any_[at] >= unreachable) return 0;
  const bool goes_down = down_[at] == any_[at];
  const std::size_t begin = made_.links_.size();
  if (goes_down)
    for (const auto& [node, link] :
         std::ranges::equal_range(ways_down_, at, {}, &std::pair<NodeId, LinkId>::first))
      made_.links_.push_back(link);
  else
    append_towards(topology_.first_up(at), topology_.end_up(at), any_);
  return row_from(begin, (goes_down ? last_down_ : last_up_)[at - first_]);
}

std::uint32_t NextHopsMaker::choose_shortest(NodeId leaf, NodeId at) {
  if (at == leaf || any_[at] >= unreachable) return 0;
  const std::size_t begin = made_.links_.size();
  append_towards(topology_.first_up(at), topology_.end_up(at), any_);
  append_towards(topology_.first_down(at), topology_.end_down(at), any_);
  return row_from(begin, last_up_[at - first_]);
}

void NextHopsMaker::set(NodeId leaf, NodeId at, std::uint32_t row) {
  std::vector<Run>& runs = runs_[at - first_];
  if (runs.empty() || runs.back().row != row) runs.push_back({leaf - first_, row});
}

void NextHopsMaker::make() {
  if (topology_.route_rule() == RouteRule::up_down)
    make_up_down();
  else
    make_shortest();
  for (std::size_t at = 0; at < runs_.size(); ++at) compress(at);
}

void NextHopsMaker::make_up_down() {
  Above before;
  for (NodeId leaf = first_; leaf < first_ + topology_.edge_switches(); ++leaf) {
    const bool is_lowest = leaf < first_ + topology_.leaves();
    if (!is_lowest && !topology_.has_host(leaf)) continue;
    const Above now = above(leaf);
    find_ways_down(now);
    // All but the leaf itself, which comes first; nothing is below it.
    const bool alike = is_lowest && !before.empty() &&
                       std::ranges::equal(std::span(now).subspan(1), std::span(before).subspan(1));
    if (alike) {
      const NodeId last = before.front().first;
      any_[last] = unreachable;
      for (LinkId link = topology_.first_up(last); link < topology_.end_up(last); ++link)
        if (topology_.live(link)) any_[last] = std::min(any_[last], any_[topology_.to(link)] + 1);
      any_[leaf] = 0;
      set(leaf, last, choose(leaf, last));
      for (const auto& [at, hops] : now) set(leaf, at, choose(leaf, at));
    } else {
      measure_all();
      for (NodeId at = first_; at < topology_.nodes(); ++at) set(leaf, at, choose(leaf, at));
    }
    for (const auto& [at, hops] : now) down_[at] = unreachable;
    before = now;
  }
}

void NextHopsMaker::make_shortest() {
  for (NodeId leaf = first_; leaf < first_ + topology_.edge_switches(); ++leaf) {
    if (leaf >= first_ + topology_.leaves() && !topology_.has_host(leaf)) continue;
    measure_shortest(leaf);
    for (NodeId at = first_; at < topology_.nodes(); ++at) set(leaf, at, choose_shortest(leaf, at));
  }
}

/// The other row is that of the first or of the last leaf, whichever more leaves have.
void NextHopsMaker::compress(std::size_t at) {
  const std::vector<Run>& runs = runs_[at];
  const auto end_of = [&](std::size_t run) {
    return run + 1 < runs.size() ? runs[run + 1].leaf : topology_.edge_switches();
  };
  const auto leaves_with = [&](std::uint32_t row) {
    std::uint32_t leaves = 0;
    for (std::size_t run = 0; run < runs.size(); ++run)
      if (runs[run].row == row) leaves += end_of(run) - runs[run].leaf;
    return leaves;
  };
  const bool first = leaves_with(runs.front().row) > leaves_with(runs.back().row);
  NextHops::Switch& one = made_.switches_[at];
  one.other_row = first ? runs.front().row : runs.back().row;
  std::size_t begin = 0, end = runs.size();
  while (begin < end && runs[begin].row == one.other_row) ++begin;
  while (end > begin && runs[end - 1].row == one.other_row) --end;
  one.first_row = made_.row_of_leaf_.size();
  if (begin == end) return;
  one.first_leaf = runs[begin].leaf;
  one.leaves = end_of(end - 1) - one.first_leaf;
  for (std::size_t run = begin; run < end; ++run)
    made_.row_of_leaf_.insert(made_.row_of_leaf_.end(), end_of(run) - runs[run].leaf, runs[run].row);
}

NextHops::NextHops(const Topology& topology)
    : first_switch_(topology.hosts()), switches_(topology.nodes() - topology.hosts()), rows_{{}} {
  NextHopsMaker(topology, *this).make();
  for (const LinkId link : links_) hops_.push_back({link, topology.to(link)});
}

std::vector<std::uint32_t> NextHops::hops_to(NodeId leaf) const {
  constexpr std::uint32_t unknown = ~0U;
  const View hops = view(leaf);
  std::vector<std::uint32_t> found(switches_.size(), unknown);
  found[leaf - first_switch_] = 0;
  std::vector<NodeId> way;
  for (NodeId start = first_switch_; start < first_switch_ + switches_.size(); ++start) {
    NodeId at = start;
    for (way.clear(); found[at - first_switch_] == unknown && hops.row(at).count > 0;
         at = hops.choose(hops.row(at), 0).to)
      way.push_back(at);
    for (std::uint32_t far = found[at - first_switch_]; !way.empty() && far != unknown; way.pop_back())
      found[way.back() - first_switch_] = ++far;
  }
  return found;
}

std::vector<std::vector<NodeId>> NextHops::rings_around(NodeId leaf) const {
  const std::vector<std::uint32_t> hops = hops_to(leaf);
  std::vector<std::vector<NodeId>> rings;
  for (std::size_t node = 0; node < hops.size(); ++node) {
    if (hops[node] >= hops.size()) continue;
    if (hops[node] >= rings.size()) rings.resize(hops[node] + std::size_t{1});
    rings[hops[node]].push_back(first_switch_ + static_cast<NodeId>(node));
  }
  return rings;
}

std::vector<NodeId> NextHops::cut_off(const Topology& topology) const {
  const std::vector<NodeId> leaves = topology.switches_with_hosts();
  const auto reaches = [this](NodeId at, NodeId leaf) { return at == leaf || !towards(leaf, at).empty(); };
  std::vector<std::uint32_t> reached(topology.edge_switches());
  for (const NodeId leaf : leaves)
    for (const NodeId at : leaves) reached[leaf - first_switch_] += reaches(at, leaf) ? 1 : 0;
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

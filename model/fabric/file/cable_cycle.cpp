// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Whether buffers of an arbitrary list of links can wait for one another in a circle.
#include <array>
#include <deque>
#include <limits>
#include <map>
#include <string>

#include "model/fabric/file/build_fabric.hpp"
#include "model/fabric/link_order.hpp"

namespace assay::model::fabric {

namespace {

struct Edge {
  std::uint32_t from, to;
};

class Graph {
 public:
  explicit Graph(const std::vector<NamedCable>& cables) {
    for (const NamedCable& cable : cables) {
      const std::uint32_t lower = number_of(cable.lower), upper = number_of(cable.upper);
      add({lower, upper});
      add({upper, lower});
    }
  }

  /// Every two links that follow each other on a shortest path between hosts: a pair is a path of two.
  Paths pairs() {
    Paths pairs;
    for (std::uint32_t host = 0; host < names_.size(); ++host) {
      if (!is_host(host)) continue;
      const std::vector<std::uint32_t> hops = hops_to(host);
      for (LinkId first = 0; first < edges_.size(); ++first)
        for (const LinkId second : leaving_[edges_[first].to])
          if (is_next(hops, first) && is_next(hops, second)) pairs.append(std::array{first, second});
    }
    return pairs;
  }

  std::size_t links() const { return edges_.size(); }
  std::string name_of(LinkId link) const { return names_[edges_[link].from] + ">" + names_[edges_[link].to]; }

 private:
  std::uint32_t number_of(const std::string& name) {
    const auto [at, is_new] = numbers_.try_emplace(name, static_cast<std::uint32_t>(names_.size()));
    if (is_new) {
      names_.push_back(name);
      leaving_.emplace_back();
    }
    return at->second;
  }
  void add(Edge edge) {
    leaving_[edge.from].push_back(static_cast<LinkId>(edges_.size()));
    edges_.push_back(edge);
  }
  bool is_host(std::uint32_t node) const { return names_[node].starts_with("host"); }
  bool is_next(const std::vector<std::uint32_t>& hops, LinkId link) const {
    return hops[edges_[link].from] != unreachable && hops[edges_[link].to] + 1 == hops[edges_[link].from];
  }

  /// Hosts forward nothing.
  std::vector<std::uint32_t> hops_to(std::uint32_t host) const {
    std::vector<std::uint32_t> hops(names_.size(), unreachable);
    hops[host] = 0;
    std::deque<std::uint32_t> open = {host};
    for (; !open.empty(); open.pop_front()) {
      const std::uint32_t at = open.front();
      if (at != host && is_host(at)) continue;
      for (const LinkId link : leaving_[at]) {
        const std::uint32_t next = edges_[link].to;
        if (hops[next] != unreachable) continue;
        hops[next] = hops[at] + 1;
        open.push_back(next);
      }
    }
    return hops;
  }

  static constexpr std::uint32_t unreachable = std::numeric_limits<std::uint32_t>::max() - 1;
  std::map<std::string, std::uint32_t> numbers_;
  std::vector<std::string> names_;
  std::vector<std::vector<LinkId>> leaving_;
  std::vector<Edge> edges_;
};

}  // namespace

std::vector<std::string> cycle_of_cables(const std::vector<NamedCable>& cables) {
  Graph graph(cables);
  std::vector<std::string> names;
  for (const LinkId link : order_of_links(graph.pairs(), graph.links()).cycle)
    names.push_back(graph.name_of(link));
  return names;
}

}  // namespace assay::model::fabric

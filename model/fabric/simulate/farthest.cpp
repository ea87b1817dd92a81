// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/simulate/farthest.hpp"

#include <algorithm>
#include <optional>
#include <span>

namespace assay::model::fabric {

namespace {

struct Way {
  int links = 0;
  double us = 0;

  void take(const Way& other) {
    links = std::max(links, other.links);
    us = std::max(us, other.us);
  }
};

class Search {
 public:
  Search(const FabricModel& model, const NextHops& hops)
      : topology_(model.topology()), hops_(hops), beyond_(topology_.nodes()) {
    for (LinkId link = 0; link < topology_.links(); ++link)
      us_.push_back(model.round_trip_us(std::span(&link, 1)));
    hosts_of_.resize(topology_.edge_switches());
    for (NodeId host = 0; host < topology_.hosts(); ++host)
      if (topology_.live(host) && topology_.live(topology_.link_to_host(host)))
        hosts_of_[topology_.leaf_of(host) - topology_.hosts()].push_back(host);
    for (std::uint32_t leaf = 0; leaf < hosts_of_.size(); ++leaf)
      if (!hosts_of_[leaf].empty()) search_to(topology_.hosts() + leaf);
  }

  /// From the host's leaf to the host that is farthest from it; none where it reaches no other.
  std::optional<Way> beyond_leaf_of(NodeId host) const {
    const NodeId leaf = topology_.leaf_of(host);
    std::optional<Way> way = beyond_[leaf];
    for (const NodeId other : hosts_of_[leaf - topology_.hosts()])
      if (other != host) extend(way, {1, us_[topology_.link_to_host(other)]});
    return way;
  }
  double us_of(LinkId link) const { return us_[link]; }

 private:
  static void extend(std::optional<Way>& way, const Way& other) {
    if (!way) way.emplace();
    way->take(other);
  }

  void search_to(NodeId leaf) {
    const NodeId first = topology_.hosts();
    Way last = {1, 0};
    for (const NodeId host : hosts_of_[leaf - first])
      last.us = std::max(last.us, us_[topology_.link_to_host(host)]);
    std::vector<Way> ways(topology_.nodes() - first);
    const NextHops::View view = hops_.view(leaf);
    const std::vector<std::vector<NodeId>> rings = hops_.rings_around(leaf);
    for (const std::vector<NodeId>& ring : std::span(rings).subspan(1))
      for (const NodeId at : ring) {
        Way& way = ways[at - first];
        for (const LinkId link : hops_.towards(view, at)) {
          const Way& rest = ways[topology_.to(link) - first];
          way.take({rest.links + 1, rest.us + us_[link]});
        }
        if (at < first + topology_.edge_switches() && !hosts_of_[at - first].empty())
          extend(beyond_[at], {way.links + last.links, way.us + last.us});
      }
  }

  const Topology& topology_;
  const NextHops& hops_;
  std::vector<double> us_;                     // round trip of each link
  std::vector<std::vector<NodeId>> hosts_of_;  // of each leaf, with live links
  std::vector<std::optional<Way>> beyond_;     // of each node: from there to hosts of other leaves
};

}  // namespace

Farthest farthest_of(const FabricModel& model, const NextHops& hops, double wait_us) {
  const Topology& topology = model.topology();
  const Search search(model, hops);
  Farthest most;
  for (NodeId host = 0; host < topology.hosts(); ++host) {
    if (!topology.live(host) || !topology.live(topology.link_to_host(host))) continue;
    const std::optional<Way> beyond = search.beyond_leaf_of(host);
    if (!beyond) continue;
    const double round_trip_us = search.us_of(host) + beyond->us;
    most.links = std::max(most.links, 1 + beyond->links);
    most.round_trip_us = std::max(most.round_trip_us, round_trip_us);
    most.window_bytes = std::max(most.window_bytes, model.capacity(host) * (round_trip_us + wait_us));
  }
  return most;
}

}  // namespace assay::model::fabric

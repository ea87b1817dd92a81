// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/table_cycle.hpp"

#include <algorithm>
#include <utility>

#include "model/fabric/link_cycle.hpp"

namespace assay::model::fabric {

namespace {

/// Links that follow one another on a way.
class Dependencies {
 public:
  Dependencies(const Topology& topology, const ForwardingTables& tables)
      : topology_(topology), tables_(tables), fed_(topology.links()), crossed_(topology.nodes()) {
    const std::vector<NodeId> leaves = topology.switches_with_hosts();
    for (NodeId host = 0; host < topology.hosts(); ++host)
      for (std::uint32_t lid = 0; lid < tables.lids_of(host); ++lid) {
        ++turn_;
        for (const NodeId leaf : leaves) follow(leaf, host, lid);
      }
    for (std::vector<LinkId>& links : fed_) std::ranges::sort(links);
  }

  LinkId next_fed(LinkId link, LinkId from) const {
    const auto found = std::ranges::lower_bound(fed_[link], from);
    return found == fed_[link].end() ? end() : *found;
  }
  LinkId end() const { return topology_.links(); }

 private:
  /// From the leaf to where another way to the LID has come already.
  void follow(NodeId at, NodeId host, std::uint32_t lid) {
    LinkId before = ForwardingTables::no_link;
    for (;;) {
      const LinkId link = tables_.link(at, host, lid);
      if (link == ForwardingTables::no_link || !topology_.between_switches(link)) return;
      if (before != ForwardingTables::no_link) add(before, link);
      if (std::exchange(crossed_[at], turn_) == turn_) return;
      before = link;
      at = topology_.to(link);
    }
  }

  void add(LinkId before, LinkId link) {
    std::vector<LinkId>& links = fed_[before];
    if (std::ranges::find(links, link) == links.end()) links.push_back(link);
  }

  const Topology& topology_;
  const ForwardingTables& tables_;
  std::vector<std::vector<LinkId>> fed_;  // by link
  std::vector<std::uint32_t> crossed_;    // of each node: the last turn in which a way crossed it
  std::uint32_t turn_ = 0;
};

}  // namespace

std::vector<LinkId> table_cycle(const Topology& topology, const ForwardingTables& tables) {
  return find_link_cycle(topology, Dependencies(topology, tables));
}

}  // namespace assay::model::fabric

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/routes/lane_cycle.hpp"

#include <algorithm>
#include <bit>

#include "model/fabric/link_cycle.hpp"

namespace assay::model::fabric::routes {
namespace {

constexpr std::uint32_t lanes_of_link = 16;

/// Buffers (link times 16, and lane) that follow one another on a way.
class LaneDependencies {
 public:
  LaneDependencies(const Topology& topology, const ForwardingTables& tables, const Subnet& subnet,
                   const LaneMaps& maps)
      : topology_(topology),
        tables_(tables),
        subnet_(subnet),
        maps_(maps),
        ports_(topology.links()),
        fed_(std::size_t{topology.links()} * lanes_of_link) {
    tables.each_port([&](NodeId, std::uint8_t port, LinkId link) { ports_[link] = port; });
  }

  /// False where the way does not end at the host.
  bool follow(NodeId from, NodeId to, std::uint32_t lid, std::uint8_t level) {
    way_.clear();
    LinkId before = from;  // a host's link to its leaf has the host's number
    const auto followed = tables_.follow(topology_, topology_.leaf_of(from), to, lid, [&](LinkId link) {
      if (topology_.between_switches(link)) {
        const NodeId at = topology_.from(link);
        const std::uint8_t lane = maps_.lane(subnet_.switches[at - topology_.hosts()],
                                             ports_[topology_.reverse(before)], ports_[link], level);
        way_.push_back(link * lanes_of_link + lane);
      }
      before = link;
    });
    if (followed.end != ForwardingTables::End::delivered) return false;
    for (std::size_t at = 0; at < way_.size(); ++at) {
      used_ |= 1U << way_[at] % lanes_of_link;
      if (at > 0) add(way_[at - 1], way_[at]);
    }
    return true;
  }
  void sort() {
    for (std::vector<std::uint32_t>& one : fed_) std::ranges::sort(one);
  }

  std::uint32_t next_fed(std::uint32_t buffer, std::uint32_t from) const {
    const auto found = std::ranges::lower_bound(fed_[buffer], from);
    return found == fed_[buffer].end() ? end() : *found;
  }
  std::uint32_t end() const { return static_cast<std::uint32_t>(fed_.size()); }
  std::uint32_t lanes_used() const { return static_cast<std::uint32_t>(std::popcount(used_)); }

 private:
  void add(std::uint32_t before, std::uint32_t next) {
    std::vector<std::uint32_t>& fed = fed_[before];
    if (std::ranges::find(fed, next) == fed.end()) fed.push_back(next);
  }

  const Topology& topology_;
  const ForwardingTables& tables_;
  const Subnet& subnet_;
  const LaneMaps& maps_;
  std::vector<std::uint8_t> ports_;  // by which each link leaves its switch
  std::vector<std::vector<std::uint32_t>> fed_;
  std::vector<std::uint32_t> way_;
  std::uint32_t used_ = 0;  // a bit for each lane
};

}  // namespace

LaneCycle lane_cycle(const Topology& topology, const ForwardingTables& tables, const Subnet& subnet,
                     const PathLevels& levels, const LaneMaps& maps) {
  LaneCycle found;
  LaneDependencies all(topology, tables, subnet, maps);
  for (NodeId from = 0; from < topology.hosts(); ++from)
    for (NodeId to = 0; to < topology.hosts(); ++to)
      for (std::uint32_t lid = 0; from != to && lid < tables.lids_of(to); ++lid) {
        const std::uint8_t level = levels.of(subnet.hosts[from].base, subnet.hosts[to].base + lid);
        const bool is_unknown = level == PathLevels::unknown;
        if (!all.follow(from, to, lid, is_unknown ? std::uint8_t{0} : level)) continue;
        ++found.pairs;
        found.unknown += is_unknown ? 1 : 0;
      }
  all.sort();
  found.lanes_used = all.lanes_used();
  for (const std::uint32_t buffer : find_cycle<std::uint32_t>(
           all.end(), all, [&](std::uint32_t one) { return topology.between_switches(one / lanes_of_link); }))
    found.cycle.push_back({buffer / lanes_of_link, static_cast<std::uint8_t>(buffer % lanes_of_link)});
  return found;
}

}  // namespace assay::model::fabric::routes

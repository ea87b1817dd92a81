// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/routes/lost_cables.hpp"

#include <algorithm>
#include <memory>
#include <set>
#include <tuple>

#include "harness/core/process/side_by_side.hpp"
#include "model/fabric/routes/swept_tables.hpp"

namespace assay::model::fabric::routes {
namespace {

/// The most that links between switches have to carry for their capacity.
class Busiest {
 public:
  Busiest(const Topology& topology, const std::vector<std::uint64_t>& paths) : topology_(topology) {
    for (LinkId link = 0; link < topology.links(); ++link)
      if (topology.between_switches(link)) order_.push_back(link);
    std::ranges::stable_sort(
        order_, [&](LinkId one, LinkId other) { return need(one, paths[one]) > need(other, paths[other]); });
  }

  double need(LinkId link, std::uint64_t paths) const {
    return static_cast<double>(paths) / topology_.capacity(link);
  }
  /// The busiest where loads are as when this was made, but for those of the links that changed.
  LinkId find(const std::vector<std::uint64_t>& paths, const std::set<LinkId>& changed) const {
    LinkId most = order_.front();
    for (const LinkId link : order_) {
      if (changed.contains(link)) continue;
      most = link;
      break;
    }
    for (const LinkId link : changed)
      if (need(link, paths[link]) > need(most, paths[most])) most = link;
    return most;
  }

 private:
  const Topology& topology_;
  std::vector<LinkId> order_;
};

}  // namespace

std::vector<LostCable> lost_cables(const Topology& topology, const ForwardingTables& tables,
                                   const Planes& planes, unsigned threads) {
  std::vector<LostCable> lost;
  for (LinkId link = 0; link < topology.links() / 2; ++link)
    if (topology.between_switches(link) && topology.live(link)) lost.push_back({.cable = link});
  if (lost.empty()) return lost;
  const double of_hosts = hosts_time(topology, planes);
  const SweptNet net(topology, tables, planes);
  const Busiest busiest(topology, net.paths());
  std::vector<std::unique_ptr<SweptTables>> own(std::max(threads, 1U));
  core::side_by_side(lost.size(),
                     [&](std::size_t at, unsigned thread) {
                       if (!own[thread]) own[thread] = std::make_unique<SweptTables>(net);
                       SweptTables& swept = *own[thread];
                       LostCable& one = lost[at];
                       one.pairs = net.paths()[one.cable] + net.paths()[topology.reverse(one.cable)];
                       swept.lose(one.cable);
                       one.separated = swept.separated();
                       one.moved = swept.moved();
                       one.at = busiest.find(swept.paths(), swept.changed());
                       one.busiest = swept.paths()[one.at];
                       one.times = times_of_hosts(busiest.need(one.at, one.busiest), of_hosts);
                       swept.restore();
                     },
                     {.most = std::max(threads, 1U)});
  std::ranges::stable_sort(lost, [](const LostCable& one, const LostCable& other) {
    return std::tuple(one.separated, one.times, one.pairs) >
           std::tuple(other.separated, other.times, other.pairs);
  });
  return lost;
}

}  // namespace assay::model::fabric::routes

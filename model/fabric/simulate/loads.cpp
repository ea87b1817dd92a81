// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/simulate/loads.hpp"

#include <algorithm>
#include <unordered_map>

namespace assay::model::fabric {

namespace {

/// The node that a link's load is fair among: of the lower tier, or the GPU of an NVLink.
NodeId lower_end(const FabricModel& model, LinkId link) {
  const Topology& topology = model.topology();
  if (link >= topology.links()) return (link - topology.links()) % topology.hosts();
  return std::min(topology.from(link), topology.to(link));
}

void measure(const FabricModel& model, const std::vector<double>& bytes, TierLoad& tier) {
  std::unordered_map<NodeId, double> of_node;
  for (const LinkId link : tier.links) of_node[lower_end(model, link)] += bytes[link];
  double sum = 0, most = 0;
  std::size_t links = 0;
  for (const LinkId link : tier.links) {
    const bool live = link >= model.topology().links() || model.topology().live(link);
    if (!live || of_node[lower_end(model, link)] <= 0) continue;
    sum += bytes[link];
    most = std::max(most, bytes[link]);
    ++links;
  }
  if (links == 0) return;
  tier.mean_bytes = sum / static_cast<double>(links);
  tier.max_over_mean = most / tier.mean_bytes;
}

}  // namespace

TierLoad uplink_load(const FabricModel& model, const std::vector<double>& bytes_of_links) {
  const Topology& topology = model.topology();
  TierLoad tier;
  for (NodeId leaf = topology.hosts(); leaf < topology.hosts() + topology.leaves(); ++leaf)
    for (LinkId link = topology.first_up(leaf); link < topology.end_up(leaf); ++link)
      tier.links.push_back(link);
  if (tier.links.empty()) return tier;
  tier.tier = model.tier_of_link(tier.links.front());
  measure(model, bytes_of_links, tier);
  return tier;
}

std::vector<TierLoad> tier_loads(const FabricModel& model, const std::vector<double>& bytes_of_links) {
  const Topology& topology = model.topology();
  std::vector<TierLoad> tiers;
  std::unordered_map<std::uint64_t, std::size_t> place;
  for (LinkId link = 0; link < model.links(); ++link) {
    const std::uint64_t nvlink = link < topology.links() + topology.hosts() ? 1 : 2;
    const std::uint64_t key = link >= topology.links() ? nvlink
                                                       : (topology.tier_of(topology.from(link)) << 32U) +
                                                             (topology.tier_of(topology.to(link)) << 16U);
    const auto [at, is_new] = place.try_emplace(key, tiers.size());
    if (is_new) tiers.push_back({.tier = model.tier_of_link(link), .links = {}});
    tiers[at->second].links.push_back(link);
  }
  for (TierLoad& tier : tiers) measure(model, bytes_of_links, tier);
  return tiers;
}

std::vector<BusyLink> busiest_links(const FabricModel& model, const std::vector<double>& bytes_of_links,
                                    const std::vector<TierLoad>& tiers, std::size_t most) {
  std::vector<BusyLink> links;
  for (const TierLoad& tier : tiers)
    for (const LinkId link : tier.links)
      if (bytes_of_links[link] > 0)
        links.push_back({link, bytes_of_links[link], bytes_of_links[link] / model.capacity(link),
                         bytes_of_links[link] / tier.mean_bytes});
  std::ranges::stable_sort(links, std::greater(), &BusyLink::time_us);
  if (links.size() > most) links.resize(most);
  return links;
}

}  // namespace assay::model::fabric

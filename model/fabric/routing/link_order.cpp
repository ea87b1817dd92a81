// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/routing/link_order.hpp"

#include <algorithm>
#include <utility>

namespace assay::model::fabric {

namespace {

/// Pairs of links of which the first feeds the second: some flow crosses the second right after the first.
/// Sorted, each pair once.
std::vector<std::pair<LinkId, LinkId>> feeds_of(const Paths& paths) {
  std::vector<std::pair<LinkId, LinkId>> feeds;
  for (std::size_t flow = 0; flow < paths.size(); ++flow)
    for (std::size_t hop = 1; hop < paths[flow].size(); ++hop)
      feeds.emplace_back(paths[flow][hop - 1], paths[flow][hop]);
  std::ranges::sort(feeds);
  const auto rest = std::ranges::unique(feeds);
  feeds.erase(rest.begin(), rest.end());
  return feeds;
}

/// From a link that is still waited for back to one that was met before: each has a waiting predecessor.
std::vector<LinkId> cycle_of(const std::vector<std::pair<LinkId, LinkId>>& feeds,
                             const std::vector<std::uint32_t>& waits_for) {
  std::vector<LinkId> before(waits_for.size());
  LinkId at = 0;
  for (const auto& [from, to] : feeds)
    if (waits_for[from] > 0 && waits_for[to] > 0) before[to] = at = from;
  std::vector<LinkId> met;
  while (std::ranges::find(met, at) == met.end()) {
    met.push_back(at);
    at = before[at];
  }
  met.erase(met.begin(), std::ranges::find(met, at));
  std::ranges::reverse(met);
  return met;
}

}  // namespace

LinkOrder order_of_links(const Paths& paths, std::size_t links) {
  const std::vector<std::pair<LinkId, LinkId>> feeds = feeds_of(paths);
  std::vector<std::uint32_t> waits_for(links);
  for (const auto& [from, to] : feeds) ++waits_for[to];
  std::vector<LinkId> order;
  for (LinkId link = 0; link < links; ++link)
    if (waits_for[link] == 0) order.push_back(link);
  LinkOrder result{
      .rank = std::vector<std::uint32_t>(links), .depth = std::vector<std::uint32_t>(links), .cycle = {}};
  for (std::size_t at = 0; at < order.size(); ++at) {
    result.rank[order[at]] = static_cast<std::uint32_t>(at);
    for (auto feed = std::ranges::lower_bound(feeds, std::pair{order[at], LinkId{0}});
         feed != feeds.end() && feed->first == order[at]; ++feed) {
      result.depth[feed->second] = result.depth[order[at]] + 1;  // the last one is the deepest
      if (--waits_for[feed->second] == 0) order.push_back(feed->second);
    }
  }
  if (order.size() < links) result.cycle = cycle_of(feeds, waits_for);
  return result;
}

}  // namespace assay::model::fabric

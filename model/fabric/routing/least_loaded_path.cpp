// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/routing/least_loaded_path.hpp"

#include <algorithm>
#include <limits>

namespace assay::model::fabric {

namespace {

constexpr double no_way = std::numeric_limits<double>::infinity();
constexpr double equal_levels = 1e-12;  // relative

}  // namespace

/// All shortest paths have as many links, so nodes are met in the order of their distance. `join`: what a
/// path's cost and a link's are together.
template <class Cost, class Join>
double LeastLoadedPath::search(NodeId from, NodeId to, const Cost& cost, const Join& join) {
  for (const NodeId node : met_) reached_[node] = {};
  met_ = {from};
  reached_[from].cost = 0;
  for (std::size_t next = 0; next < met_.size(); ++next) {
    const NodeId at = met_[next];
    if (at == to) break;
    for (const LinkId link : next_hops_->towards(to, at)) {
      const double along = join(reached_[at].cost, cost(link));
      Reached& there = reached_[topology_->to(link)];
      if (there.cost < 0) met_.push_back(topology_->to(link));
      if (there.cost < 0 || along < there.cost) there = {along, link};
    }
  }
  return reached_[to].cost;
}

std::vector<LinkId> LeastLoadedPath::find(NodeId from, NodeId to, double more_bytes,
                                          std::span<const double> bytes_of_links) {
  const auto load = [&](LinkId link) {
    return (bytes_of_links[link] + more_bytes) / topology_->capacity(link);
  };
  const double limit = search(from, to, load, [](double path, double link) { return std::max(path, link); }) *
                       (1 + equal_levels);
  const auto allowed = [&](LinkId link) { return load(link) <= limit ? load(link) : no_way; };
  search(from, to, allowed, [](double path, double link) { return path + link; });
  std::vector<LinkId> path;
  for (NodeId at = to; at != from; at = topology_->from(path.back())) path.push_back(reached_[at].by);
  std::ranges::reverse(path);
  return path;
}

}  // namespace assay::model::fabric

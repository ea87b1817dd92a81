// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/placement.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "model/fabric/partition.hpp"
#include "model/fabric/refuse.hpp"

namespace assay::model::fabric {

namespace {

std::vector<int> in_a_row(std::span<const int> sizes) {
  std::vector<int> zone_of;
  for (std::size_t zone = 0; zone < sizes.size(); ++zone)
    zone_of.insert(zone_of.end(), static_cast<std::size_t>(sizes[zone]), static_cast<int>(zone));
  return zone_of;
}

void check(const TrafficGraph& graph, std::span<const int> sizes, const PlacementSettings& settings) {
  const int sum = std::accumulate(sizes.begin(), sizes.end(), 0);
  if (sizes.empty() || std::ranges::min(sizes) < 1 || sum != graph.vertices())
    refuse("zones of " + std::to_string(sum) + " nodes are not those of " + std::to_string(graph.vertices()));
  if (settings.seeds < 1) refuse("seeds must be at least 1, got " + std::to_string(settings.seeds));
}

/// The graph among some vertices, numbered in their order.
TrafficGraph part_of(const TrafficGraph& graph, std::span<const int> vertices) {
  std::vector<int> place_of(static_cast<std::size_t>(graph.vertices()), -1);
  for (std::size_t at = 0; at < vertices.size(); ++at)
    place_of[static_cast<std::size_t>(vertices[at])] = static_cast<int>(at);
  TrafficGraph part(static_cast<int>(vertices.size()));
  for (const int vertex : vertices)
    for (const TrafficGraph::Edge& edge : graph.edges(vertex))
      if (edge.to > vertex && place_of[static_cast<std::size_t>(edge.to)] >= 0)
        part.add(place_of[static_cast<std::size_t>(vertex)], place_of[static_cast<std::size_t>(edge.to)],
                 edge.bytes);
  return part;
}

}  // namespace

Placement place(const TrafficGraph& graph, std::span<const int> sizes, PlacementSettings settings) {
  check(graph, sizes, settings);
  Placement best{.zone_of = in_a_row(sizes)};
  best.cut = best.cut_before = cut_of(graph, best.zone_of);
  best.bound = least_cut(graph, std::ranges::max(sizes));
  const auto take_if_better = [&](std::vector<int> zone_of) {
    const double cut = cut_of(graph, zone_of);
    if (cut >= best.cut) return;
    best.cut = cut;
    best.zone_of = std::move(zone_of);
  };
  best.is_exact = graph.vertices() <= settings.try_all_up_to;
  if (best.is_exact) {
    take_if_better(try_all_partitions(graph, sizes));
    return best;
  }
  std::vector<int> improved = best.zone_of;
  exchange_pairs(graph, sizes.size(), improved);
  take_if_better(std::move(improved));
  for (int seed = 0; seed < settings.seeds && best.cut > best.bound; ++seed)
    take_if_better(grow_partition(graph, sizes, static_cast<std::uint64_t>(seed)));
  return best;
}

Placement place(const TrafficGraph& graph, int zones, PlacementSettings settings) {
  if (zones < 1 || graph.vertices() == 0 || graph.vertices() % zones != 0)
    refuse(std::to_string(zones) + " zones do not divide " + std::to_string(graph.vertices()) + " nodes");
  const std::vector<int> sizes(static_cast<std::size_t>(zones), graph.vertices() / zones);
  return place(graph, sizes, settings);
}

std::vector<int> place_in_tiers(const TrafficGraph& graph, std::span<const std::vector<int>> leaves_of_zones,
                                PlacementSettings settings) {
  const auto members_of = [](const Placement& placement, int zone) {
    std::vector<int> members;
    for (std::size_t vertex = 0; vertex < placement.zone_of.size(); ++vertex)
      if (placement.zone_of[vertex] == zone) members.push_back(static_cast<int>(vertex));
    return members;
  };
  std::vector<int> sizes, order;
  for (const std::vector<int>& leaves : leaves_of_zones)
    sizes.push_back(std::accumulate(leaves.begin(), leaves.end(), 0));
  const Placement into_zones = place(graph, sizes, settings);
  for (std::size_t zone = 0; zone < sizes.size(); ++zone) {
    const std::vector<int> members = members_of(into_zones, static_cast<int>(zone));
    const Placement into_leaves = place(part_of(graph, members), leaves_of_zones[zone], settings);
    for (std::size_t leaf = 0; leaf < leaves_of_zones[zone].size(); ++leaf)
      for (const int at : members_of(into_leaves, static_cast<int>(leaf)))
        order.push_back(members[static_cast<std::size_t>(at)]);
  }
  return order;
}

}  // namespace assay::model::fabric

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/placement.hpp"

#include <string>
#include <utility>

#include "model/fabric/partition.hpp"
#include "model/fabric/refuse.hpp"

namespace assay::model::fabric {

namespace {

std::vector<int> in_a_row(int vertices, int zones) {
  std::vector<int> zone_of;
  for (int vertex = 0; vertex < vertices; ++vertex) zone_of.push_back(vertex / (vertices / zones));
  return zone_of;
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

Placement place(const TrafficGraph& graph, int zones, PlacementSettings settings) {
  if (zones < 1 || graph.vertices() == 0 || graph.vertices() % zones != 0)
    refuse(std::to_string(zones) + " zones do not divide " + std::to_string(graph.vertices()) + " nodes");
  if (settings.seeds < 1) refuse("seeds must be at least 1, got " + std::to_string(settings.seeds));
  Placement best{.zone_of = in_a_row(graph.vertices(), zones)};
  best.cut = best.cut_before = cut_of(graph, best.zone_of);
  best.bound = least_cut(graph, graph.vertices() / zones);
  const auto take_if_better = [&](std::vector<int> zone_of) {
    const double cut = cut_of(graph, zone_of);
    if (cut >= best.cut) return;
    best.cut = cut;
    best.zone_of = std::move(zone_of);
  };
  best.is_exact = graph.vertices() <= settings.try_all_up_to;
  if (best.is_exact) {
    take_if_better(try_all_partitions(graph, zones));
    return best;
  }
  std::vector<int> improved = best.zone_of;
  exchange_pairs(graph, zones, improved);
  take_if_better(std::move(improved));
  for (int seed = 0; seed < settings.seeds && best.cut > best.bound; ++seed)
    take_if_better(grow_partition(graph, zones, static_cast<std::uint64_t>(seed)));
  return best;
}

std::vector<int> place_in_tiers(const TrafficGraph& graph, int zones, int leaves_of_zone,
                                PlacementSettings settings) {
  const auto members_of = [](const Placement& placement, int zone) {
    std::vector<int> members;
    for (std::size_t vertex = 0; vertex < placement.zone_of.size(); ++vertex)
      if (placement.zone_of[vertex] == zone) members.push_back(static_cast<int>(vertex));
    return members;
  };
  const Placement into_zones = place(graph, zones, settings);
  std::vector<int> order;
  for (int zone = 0; zone < zones; ++zone) {
    const std::vector<int> members = members_of(into_zones, zone);
    const Placement into_leaves = place(part_of(graph, members), leaves_of_zone, settings);
    for (int leaf = 0; leaf < leaves_of_zone; ++leaf)
      for (const int at : members_of(into_leaves, leaf))
        order.push_back(members[static_cast<std::size_t>(at)]);
  }
  return order;
}

}  // namespace assay::model::fabric

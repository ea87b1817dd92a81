// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Placement of a traffic graph's vertices (nodes, or ranks) in zones so that little traffic crosses borders.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/fabric/phases.hpp"

namespace assay::model::fabric {

/// A graph of the bytes that each two vertices send to each other, both ways together.
class TrafficGraph {
 public:
  explicit TrafficGraph(int vertices) : edges_(static_cast<std::size_t>(vertices)) {}
  /// A graph of a matrix by sender and receiver; what a vertex sends to itself does not count. Throws a usage
  /// Error where it is not square, or an entry is below 0 or not a number.
  static TrafficGraph of_matrix(const std::vector<std::vector<double>>& bytes);
  /// A graph of what crosses the fabric, ranks in a row on vertices of `per_vertex`. Time: number of
  /// messages.
  static TrafficGraph of_phases(const std::vector<Phase>& phases, int ranks, int per_vertex);

  struct Edge {
    int to = 0;
    double bytes = 0;
  };
  int vertices() const { return static_cast<int>(edges_.size()); }
  std::span<const Edge> edges(int vertex) const { return edges_[static_cast<std::size_t>(vertex)]; }
  double bytes_of(int vertex) const;

  /// Adds bytes between two different vertices to those that are there already.
  void add(int one, int other, double bytes);

 private:
  std::vector<std::vector<Edge>> edges_;  // each at both ends, by rising number
};

/// Bytes between vertices of different zones. `zone_of`: of each vertex.
double cut_of(const TrafficGraph& graph, std::span<const int> zone_of);

/// A cut in zones of so many vertices at most: of each vertex, half of what cannot be with it in one zone.
double least_cut(const TrafficGraph& graph, int vertices_of_zone);

struct Placement {
  std::vector<int> zone_of;  // of each vertex
  double cut_before = 0;     // bytes, vertices in a row
  double cut = 0;
  double bound = 0;       // no placement cuts less
  bool is_exact = false;  // every placement was tried
};

inline constexpr int most_vertices_tried = 14;

struct PlacementSettings {
  int seeds = 16;                           // of the search, at least 1
  int try_all_up_to = most_vertices_tried;  // vertices
};

/// Into zones of these sizes, as few bytes cut as can be found: by trying all of few vertices, else by
/// growing zones from the heaviest vertex and exchanging pairs while that gains (Kernighan and Lin 1970, "An
/// efficient heuristic procedure for partitioning graphs"), the best of several seeds; never worse than
/// vertices in a row. Throws a usage Error where the sizes do not add up to the vertices.
Placement place(const TrafficGraph& graph, std::span<const int> sizes, PlacementSettings settings = {});
/// Into zones of equal size. Throws a usage Error where they do not divide the vertices.
Placement place(const TrafficGraph& graph, int zones, PlacementSettings settings = {});

/// Zones, and then leaves within each zone: of each zone, the sizes of its leaves. Result: the vertex at each
/// position, zone by zone, leaf by leaf, by rising number within a leaf. Throws as place.
std::vector<int> place_in_tiers(const TrafficGraph& graph, std::span<const std::vector<int>> leaves_of_zones,
                                PlacementSettings settings = {});

/// Over `zones` whose uplinks have 1/ratio of their capacity, how many times longer an all-to-all of `ranks`
/// takes than without borders: a rank sends (1 - 1/zones) of its blocks across (derived here).
double all_to_all_slowdown(int zones, double ratio, int ranks);
/// A step whose partners are in other zones.
double crossing_slowdown(double ratio);

}  // namespace assay::model::fabric

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/partition.hpp"

#include <algorithm>
#include <limits>
#include <random>
#include <utility>

namespace assay::model::fabric {

namespace {

/// Vertices get zones in the order of their numbers; a partial cut never falls.
class TryAll {
 public:
  TryAll(const TrafficGraph& graph, int zones)
      : graph_(graph),
        zones_(zones),
        free_(static_cast<std::size_t>(zones), graph.vertices() / zones),
        zone_of_(static_cast<std::size_t>(graph.vertices()), -1) {}

  std::vector<int> best() {
    place(0, 0, 0);
    return best_;
  }

 private:
  /// Zones are alike: only the first of those that are empty is tried.
  void place(int vertex, int used, double cut) {
    if (cut >= least_) return;
    if (vertex == graph_.vertices()) {
      least_ = cut;
      best_ = zone_of_;
      return;
    }
    for (int zone = 0; zone < std::min(used + 1, zones_); ++zone) {
      int& free = free_[static_cast<std::size_t>(zone)];
      if (free == 0) continue;
      --free;
      zone_of_[static_cast<std::size_t>(vertex)] = zone;
      place(vertex + 1, std::max(used, zone + 1), cut + cut_by(vertex, zone));
      ++free;
    }
  }

  double cut_by(int vertex, int zone) const {
    double cut = 0;
    for (const TrafficGraph::Edge& edge : graph_.edges(vertex))
      if (edge.to < vertex && zone_of_[static_cast<std::size_t>(edge.to)] != zone) cut += edge.bytes;
    return cut;
  }

  const TrafficGraph& graph_;
  int zones_;
  std::vector<int> free_, zone_of_, best_;
  double least_ = std::numeric_limits<double>::infinity();
};

/// Bytes between each vertex and each zone, kept while vertices move.
class Exchanges {
 public:
  Exchanges(const TrafficGraph& graph, int zones, std::vector<int>& zone_of)
      : graph_(graph),
        zones_(static_cast<std::size_t>(zones)),
        zone_of_(zone_of),
        bytes_(zone_of.size() * zones_),
        members_(zones_) {
    for (int vertex = 0; vertex < graph.vertices(); ++vertex) {
      members_[static_cast<std::size_t>(zone(vertex))].push_back(vertex);
      for (const TrafficGraph::Edge& edge : graph.edges(vertex)) bytes(vertex, zone(edge.to)) += edge.bytes;
    }
  }

  /// The best partner for the vertex, in any zone. Returns whether one gains.
  bool improve(int vertex) {
    double best = 0;
    int partner = -1;
    for (std::size_t other = 0; other < zones_; ++other) {
      const auto into = static_cast<int>(other);
      const double gain = bytes(vertex, into) - bytes(vertex, zone(vertex));
      if (into == zone(vertex)) continue;
      for (const int candidate : members_[other]) {
        const double theirs = bytes(candidate, zone(vertex)) - bytes(candidate, into);
        if (gain + theirs <= best + least_gain) continue;
        const double both = gain + theirs - 2 * between(vertex, candidate);
        if (both > best + least_gain) best = both, partner = candidate;
      }
    }
    if (partner >= 0) exchange(vertex, partner);
    return partner >= 0;
  }

 private:
  static constexpr double least_gain = 1e-9;  // bytes: less is rounding

  int& zone(int vertex) { return zone_of_[static_cast<std::size_t>(vertex)]; }
  double& bytes(int vertex, int zone) {
    return bytes_[static_cast<std::size_t>(vertex) * zones_ + static_cast<std::size_t>(zone)];
  }
  double between(int one, int other) const {
    const auto edges = graph_.edges(one);
    const auto at = std::ranges::lower_bound(edges, other, {}, &TrafficGraph::Edge::to);
    return at != edges.end() && at->to == other ? at->bytes : 0;
  }
  void move(int vertex, int into) {
    for (const TrafficGraph::Edge& edge : graph_.edges(vertex)) {
      bytes(edge.to, zone(vertex)) -= edge.bytes;
      bytes(edge.to, into) += edge.bytes;
    }
    std::erase(members_[static_cast<std::size_t>(zone(vertex))], vertex);
    members_[static_cast<std::size_t>(into)].push_back(vertex);
    zone(vertex) = into;
  }
  void exchange(int one, int other) {
    const int from = zone(one), to = zone(other);
    move(one, to);
    move(other, from);
  }

  const TrafficGraph& graph_;
  std::size_t zones_;
  std::vector<int>& zone_of_;
  std::vector<double> bytes_;
  std::vector<std::vector<int>> members_;
};

/// The heaviest vertex without a zone for seed 0; else any.
int first_of_zone(const TrafficGraph& graph, std::span<const int> zone_of, std::uint64_t seed,
                  std::mt19937_64& random) {
  std::vector<int> open;
  for (int vertex = 0; vertex < graph.vertices(); ++vertex)
    if (zone_of[static_cast<std::size_t>(vertex)] < 0) open.push_back(vertex);
  if (seed > 0) return open[random() % open.size()];
  return *std::ranges::max_element(open, {}, [&](int vertex) { return graph.bytes_of(vertex); });
}

}  // namespace

std::vector<int> try_all_partitions(const TrafficGraph& graph, int zones) {
  return TryAll(graph, zones).best();
}

void exchange_pairs(const TrafficGraph& graph, int zones, std::vector<int>& zone_of) {
  Exchanges exchanges(graph, zones, zone_of);
  for (bool improved = true; improved;) {
    improved = false;
    for (int vertex = 0; vertex < graph.vertices(); ++vertex) improved |= exchanges.improve(vertex);
  }
}

std::vector<int> grow_partition(const TrafficGraph& graph, int zones, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<int> zone_of(static_cast<std::size_t>(graph.vertices()), -1);
  for (int zone = 0; zone < zones; ++zone) {
    std::vector<double> pull(zone_of.size());  // bytes between each vertex and the zone
    int next = first_of_zone(graph, zone_of, seed, random);
    for (int filled = 0; filled < graph.vertices() / zones; ++filled) {
      zone_of[static_cast<std::size_t>(next)] = zone;
      for (const TrafficGraph::Edge& edge : graph.edges(next))
        pull[static_cast<std::size_t>(edge.to)] += edge.bytes;
      double most = -1;
      for (int vertex = 0; vertex < graph.vertices(); ++vertex)
        if (zone_of[static_cast<std::size_t>(vertex)] < 0 && pull[static_cast<std::size_t>(vertex)] > most) {
          most = pull[static_cast<std::size_t>(vertex)];
          next = vertex;
        }
    }
  }
  exchange_pairs(graph, zones, zone_of);
  return zone_of;
}

}  // namespace assay::model::fabric

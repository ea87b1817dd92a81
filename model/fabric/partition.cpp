// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/partition.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <random>
#include <utility>

namespace assay::model::fabric {

namespace {

/// Vertices get zones in the order of their numbers; a partial cut never falls.
class TryAll {
 public:
  TryAll(const TrafficGraph& graph, std::span<const int> sizes)
      : graph_(graph),
        sizes_(sizes),
        free_(sizes.begin(), sizes.end()),
        zone_of_(static_cast<std::size_t>(graph.vertices()), -1) {}

  std::vector<int> best() {
    place(0, 0);
    return best_;
  }

 private:
  /// Empty zones of one size are alike: only the first is tried.
  bool is_tried(std::size_t zone) const {
    if (free_[zone] == 0) return false;
    for (std::size_t other = 0; free_[zone] == sizes_[zone] && other < zone; ++other)
      if (sizes_[other] == sizes_[zone] && free_[other] == sizes_[other]) return false;
    return true;
  }

  void place(int vertex, double cut) {
    if (cut >= least_) return;
    if (vertex == graph_.vertices()) {
      least_ = cut;
      best_ = zone_of_;
      return;
    }
    for (std::size_t zone = 0; zone < sizes_.size(); ++zone) {
      if (!is_tried(zone)) continue;
      --free_[zone];
      zone_of_[static_cast<std::size_t>(vertex)] = static_cast<int>(zone);
      place(vertex + 1, cut + cut_by(vertex, static_cast<int>(zone)));
      ++free_[zone];
    }
  }

  double cut_by(int vertex, int zone) const {
    double cut = 0;
    for (const TrafficGraph::Edge& edge : graph_.edges(vertex))
      if (edge.to < vertex && zone_of_[static_cast<std::size_t>(edge.to)] != zone) cut += edge.bytes;
    return cut;
  }

  const TrafficGraph& graph_;
  std::span<const int> sizes_;
  std::vector<int> free_, zone_of_, best_;
  double least_ = std::numeric_limits<double>::infinity();
};

/// Bytes between each vertex and each zone, kept while vertices move.
class Exchanges {
 public:
  Exchanges(const TrafficGraph& graph, std::size_t zones, std::vector<int>& zone_of)
      : graph_(graph), zones_(zones), zone_of_(zone_of), bytes_(zone_of.size() * zones_), members_(zones_) {
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

/// Unequal zones, the largest first for seed 0; else in any order.
std::vector<std::size_t> order_of_growth(std::span<const int> sizes, std::uint64_t seed,
                                         std::mt19937_64& random) {
  std::vector<std::size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (std::ranges::adjacent_find(sizes, std::not_equal_to()) == sizes.end()) return order;
  if (seed == 0)
    std::ranges::stable_sort(order, std::greater(), [&](std::size_t zone) { return sizes[zone]; });
  else
    for (std::size_t left = order.size(); left > 1; --left)
      std::swap(order[left - 1], order[random() % left]);
  return order;
}

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

std::vector<int> try_all_partitions(const TrafficGraph& graph, std::span<const int> sizes) {
  return TryAll(graph, sizes).best();
}

void exchange_pairs(const TrafficGraph& graph, std::size_t zones, std::vector<int>& zone_of) {
  Exchanges exchanges(graph, zones, zone_of);
  for (bool improved = true; improved;) {
    improved = false;
    for (int vertex = 0; vertex < graph.vertices(); ++vertex) improved |= exchanges.improve(vertex);
  }
}

std::vector<int> grow_partition(const TrafficGraph& graph, std::span<const int> sizes, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<int> zone_of(static_cast<std::size_t>(graph.vertices()), -1);
  for (const std::size_t zone : order_of_growth(sizes, seed, random)) {
    std::vector<double> pull(zone_of.size());  // bytes between each vertex and the zone
    int next = first_of_zone(graph, zone_of, seed, random);
    for (int filled = 0; filled < sizes[zone]; ++filled) {
      zone_of[static_cast<std::size_t>(next)] = static_cast<int>(zone);
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
  exchange_pairs(graph, sizes.size(), zone_of);
  return zone_of;
}

}  // namespace assay::model::fabric

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "model/fabric/placement.hpp"
#include "model/fabric/refuse.hpp"

namespace assay::model::fabric {

namespace {

void add_to(std::vector<TrafficGraph::Edge>& edges, int to, double bytes) {
  const auto at = std::ranges::lower_bound(edges, to, {}, &TrafficGraph::Edge::to);
  if (at != edges.end() && at->to == to)
    at->bytes += bytes;
  else
    edges.insert(at, {to, bytes});
}

}  // namespace

void TrafficGraph::add(int one, int other, double bytes) {
  add_to(edges_[static_cast<std::size_t>(one)], other, bytes);
  add_to(edges_[static_cast<std::size_t>(other)], one, bytes);
}

double TrafficGraph::bytes_of(int vertex) const {
  double sum = 0;
  for (const Edge& edge : edges(vertex)) sum += edge.bytes;
  return sum;
}

TrafficGraph TrafficGraph::of_matrix(const std::vector<std::vector<double>>& bytes) {
  const auto vertices = static_cast<int>(bytes.size());
  TrafficGraph graph(vertices);
  for (int from = 0; from < vertices; ++from) {
    const std::vector<double>& row = bytes[static_cast<std::size_t>(from)];
    if (row.size() != bytes.size())
      refuse("row " + std::to_string(from) + " of the traffic needs " + std::to_string(vertices) +
             " receivers, got " + std::to_string(row.size()));
    for (int to = 0; to < vertices; ++to) {
      const double amount = row[static_cast<std::size_t>(to)];
      if (!(amount >= 0) || !std::isfinite(amount))
        refuse("traffic from " + std::to_string(from) + " to " + std::to_string(to) +
               " must be at least 0 bytes, got " + std::to_string(amount));
      if (amount > 0 && from != to) graph.add(from, to, amount);
    }
  }
  return graph;
}

TrafficGraph TrafficGraph::of_phases(const std::vector<Phase>& phases, int ranks, int per_vertex) {
  if (per_vertex < 1 || ranks % per_vertex != 0)
    refuse("vertices of " + std::to_string(per_vertex) + " ranks do not divide " + std::to_string(ranks) +
           " ranks");
  TrafficGraph graph(ranks / per_vertex);
  for (const Phase& phase : phases)
    for (int rank = 0; !phase.in_node && rank < ranks; ++rank)
      phase.sends(rank, [&](int to, std::uint64_t bytes) {
        if (to / per_vertex != rank / per_vertex && bytes > 0)
          graph.add(rank / per_vertex, to / per_vertex, static_cast<double>(bytes) * phase.repeats);
      });
  return graph;
}

double cut_of(const TrafficGraph& graph, std::span<const int> zone_of) {
  double cut = 0;
  for (int vertex = 0; vertex < graph.vertices(); ++vertex)
    for (const TrafficGraph::Edge& edge : graph.edges(vertex))
      if (edge.to > vertex &&
          zone_of[static_cast<std::size_t>(vertex)] != zone_of[static_cast<std::size_t>(edge.to)])
        cut += edge.bytes;
  return cut;
}

double least_cut(const TrafficGraph& graph, int vertices_of_zone) {
  double twice = 0;
  for (int vertex = 0; vertex < graph.vertices(); ++vertex) {
    std::vector<double> bytes;
    for (const TrafficGraph::Edge& edge : graph.edges(vertex)) bytes.push_back(edge.bytes);
    std::ranges::sort(bytes, std::greater());
    for (auto at = static_cast<std::size_t>(vertices_of_zone - 1); at < bytes.size(); ++at)
      twice += bytes[at];
  }
  return twice / 2;
}

double all_to_all_slowdown(int zones, double ratio, int ranks) {
  return std::max(1.0, ratio * (1 - 1.0 / zones) * ranks / (ranks - 1.0));
}

double crossing_slowdown(double ratio) { return std::max(1.0, ratio); }

}  // namespace assay::model::fabric

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/locate/tests/planted.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "model/fabric/sharing/max_min.hpp"

namespace assay::model::fabric::locate {

namespace {

double uniform(std::mt19937_64& random) { return (static_cast<double>(random() >> 11U) + 0.5) * 0x1.0p-53; }

double normal(std::mt19937_64& random) {
  const double radius = std::sqrt(-2 * std::log(uniform(random)));
  return radius * std::cos(2 * std::numbers::pi * uniform(random));
}

/// The rate of every flow: of these parts, which run at once, and share links by max-min.
void solve(const Topology& topology, const Router& router, std::vector<Measurement>& measurements,
           std::size_t first, std::size_t end) {
  Paths paths;
  for (std::size_t at = first; at < end; ++at) {
    const MeasuredFlow& flow = measurements[at].flows.front();
    for (const MeasuredQueuePair& one : flow.queue_pairs)
      paths.append(router.path_of(flow.source, flow.destination, *one.ports));
  }
  MaxMin sharing(paths, topology.capacities());
  std::vector<FlowId> flows(paths.size());
  std::iota(flows.begin(), flows.end(), 0);
  std::vector<double> rates(paths.size());
  sharing.share(flows, rates);
  std::size_t part = 0;
  for (std::size_t at = first; at < end; ++at) {
    const std::size_t parts = measurements[at].flows.front().queue_pairs.size();
    const auto begin = rates.begin() + static_cast<std::ptrdiff_t>(part);
    measurements[at].rate =
        *std::min_element(begin, begin + static_cast<std::ptrdiff_t>(parts)) * static_cast<double>(parts);
    part += parts;
  }
}

Measurement flow_between(const Router& router, NodeId source, NodeId destination, std::uint32_t round) {
  Measurement one{{{source, destination, {}}}, 0, 0, round};
  for (int part = 0; part < router.settings().queue_pairs; ++part)
    one.flows.front().queue_pairs.push_back({router.ports_of(source, destination, 0, part), {}});
  return one;
}

}  // namespace

std::vector<std::pair<NodeId, NodeId>> tournament_round(std::uint32_t hosts, std::uint32_t round) {
  const std::uint32_t turning = hosts - 1;
  std::vector<std::pair<NodeId, NodeId>> pairs = {{turning, round % turning}};
  for (std::uint32_t apart = 1; apart <= turning / 2; ++apart)
    pairs.emplace_back((round + apart) % turning, (round + turning - apart) % turning);
  return pairs;
}

RoutingSettings routing_of(const Plan& plan) {
  return {.kind = RoutingKind::e_ecmp,
          .seed = static_cast<std::uint32_t>(plan.seed),
          .queue_pairs = plan.queue_pairs};
}

double draw(PlantedNoise kind, std::mt19937_64& random) {
  if (kind == PlantedNoise::normal) return normal(random);
  constexpr double e = std::numbers::e;
  if (kind == PlantedNoise::lognormal)  // exp(z) has the mean sqrt(e) and the variance e (e - 1)
    return (std::sqrt(e) - std::exp(normal(random))) / std::sqrt(e * (e - 1));
  double sum = 0;
  for (int at = 0; at < 3; ++at) sum += std::pow(normal(random), 2);
  return normal(random) / std::sqrt(sum);  // t with 3 degrees has the variance 3: over sqrt(3), 1
}

std::vector<Measurement> measure(const Topology& topology, const Plan& plan) {
  const Router router(topology, routing_of(plan));
  std::mt19937_64 random(plan.seed);
  std::vector<Measurement> measurements;
  for (std::uint32_t round = 0; round < plan.rounds; ++round) {
    const std::size_t first = measurements.size();
    for (const auto& [one, other] :
         tournament_round(topology.hosts(), plan.first_round + round * plan.round_step)) {
      measurements.push_back(flow_between(router, one, other, round));
      measurements.push_back(flow_between(router, other, one, round));
    }
    if (plan.concurrency == Concurrency::together) {
      solve(topology, router, measurements, first, measurements.size());
    } else {
      for (std::size_t at = first; at < measurements.size(); ++at)
        solve(topology, router, measurements, at, at + 1);
    }
  }
  for (Measurement& one : measurements) {
    one.rate *= plan.level * std::max(0.05, 1 + plan.noise * draw(plan.noise_kind, random));
    if (plan.ports_known) continue;
    for (MeasuredQueuePair& pair : one.flows.front().queue_pairs) pair.ports.reset();
  }
  return measurements;
}

}  // namespace assay::model::fabric::locate

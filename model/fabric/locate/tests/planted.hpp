// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Simulated measurements of a fabric with planted slow elements, and noise on top.
#pragma once

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "model/fabric/locate/measurement.hpp"

namespace assay::model::fabric::locate {

enum class PlantedNoise {
  normal,
  student3,
  lognormal
};  // each with the given standard deviation; the last
    // is skewed to slow rates

struct Plan {
  std::uint32_t first_round = 0, rounds = 16, round_step = 1;  // of the circle method
  int queue_pairs = 1;
  Concurrency concurrency = Concurrency::alone;
  bool ports_known = true;
  PlantedNoise noise_kind = PlantedNoise::normal;
  double noise = 0.02;
  double level = 1;  // all rates are multiplied by it
  std::uint64_t seed = 1;
};

/// Every pair of an even number of hosts once in hosts - 1 rounds, no host twice in a round.
std::vector<std::pair<NodeId, NodeId>> tournament_round(std::uint32_t hosts, std::uint32_t round);

/// Both directions of every pair of the plan's rounds, on `topology` as it is. The router's settings, but for
/// the number of queue pairs, are e_ecmp with the plan's seed.
std::vector<Measurement> measure(const Topology& topology, const Plan& plan);

RoutingSettings routing_of(const Plan& plan);

/// Student's t with 3 degrees, skewed and normal noise of variance 1 and mean 0.
double draw(PlantedNoise kind, std::mt19937_64& random);

}  // namespace assay::model::fabric::locate

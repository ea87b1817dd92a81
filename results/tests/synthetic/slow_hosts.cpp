// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/tests/synthetic/slow_hosts.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <random>
#include <string>

#include "results/judge/population/population_comparison.hpp"

namespace assay::results::synthetic {
namespace {

std::map<std::string, double> draw_hosts(const SlowClusters& clusters, const SlowHosts& slow,
                                         std::mt19937_64& random) {
  std::map<std::string, double> hosts;
  std::uniform_real_distribution<double> uniform;
  for (int host = 0; host < clusters.hosts; ++host) {
    const double place = slow.drawn ? uniform(random) : (host + 0.5) / clusters.hosts;
    hosts[fmt::format("h{}", host)] = clusters.host_spread * draw_noise(clusters.shape, random) +
                                      (place < slow.share ? std::log(slow.factor) : 0);
  }
  return hosts;
}

}  // namespace

SlowShares slow_shares(const SlowClusters& clusters, double margin, int trials, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const double each = 1.0 / trials, bound = std::log1p(margin);
  SlowShares shares;
  for (int trial = 0; trial < trials; ++trial) {
    const auto a = draw_hosts(clusters, clusters.of_a, random),
               b = draw_hosts(clusters, clusters.of_b, random);
    const PopulationShift shift = population_shift(a, b, "host", {});
    const JudgedTail tail = judge_tail(*shift.tail, margin);
    const bool median = shift.shift->lower > -bound && shift.shift->upper < bound;
    shares.median_as_good += median ? each : 0;
    shares.as_good += median && tail.is_within(margin) ? each : 0;
    shares.worse += tail.probability <= population_alpha ? each : 0;
  }
  return shares;
}

}  // namespace assay::results::synthetic

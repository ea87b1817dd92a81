// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/tests/synthetic/population_noise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/core/equivalence.hpp"

namespace assay::results::synthetic {
namespace {

constexpr double expected_power = 0.8, margin = 0.03;

struct DrawnPopulation {
  std::map<std::string, double> hosts;
  FleetPlaces places{.levels = {"rack"}, .of_host = {}};
};

/// The shape belongs to the racks where there are any: hosts are normal then.
DrawnPopulation draw_population(const PopulationNoise& noise, int values, double share,
                                std::mt19937_64& random) {
  DrawnPopulation drawn;
  const bool racks = noise.rack_spread > 0;
  const NoiseShape of_hosts = racks ? NoiseShape::normal : noise.shape;
  std::uniform_int_distribution<int> runs(2, 10);
  for (int value = 0; value < values; ++value) {
    const double rack = racks ? share * noise.rack_spread * draw_noise(noise.shape, random) : 0;
    for (int host = 0; host < (racks ? hosts_of_a_rack : 1); ++host) {
      const std::string name = fmt::format("r{}h{}", value, host);
      drawn.places.of_host[name] = {fmt::format("r{}", value)};
      drawn.hosts[name] = rack + share * noise.host_spread * draw_noise(of_hosts, random) +
                          noise.run_spread / std::sqrt(runs(random)) * draw_noise(NoiseShape::normal, random);
    }
  }
  return drawn;
}

core::IntervalPlan plan_of(PopulationSizes sizes, double deviation) {
  const double m = sizes.a, n = sizes.b;
  return {deviation * std::sqrt(1 / m + 1 / n), m + n - 2, std::min(m, n) - 1};
}

/// At which equal populations are shown to be equal in four of five cases; as a logarithm.
double equal_bound(const core::IntervalPlan& plan) {
  double low = 0, high = 100 * plan.error;
  for (int i = 0; i < 40; ++i) {
    const double middle = (low + high) / 2;
    (core::decision_power(plan, 0, std::expm1(middle)) < expected_power ? low : high) = middle;
  }
  return high;
}

}  // namespace

std::vector<PopulationNoise> population_noises() {
  using enum NoiseShape;
  return {{.name = "normal"},
          {.name = "t(3)", .shape = student_t3},
          {.name = "t(2)", .shape = student_t2},
          {.name = "skewed", .shape = skewed},
          {.name = "normal, baseline 1/4", .baseline_share = 0.25},
          {.name = "racks, normal", .host_spread = 0.005, .rack_spread = 0.01},
          {.name = "racks, t(3)", .shape = student_t3, .host_spread = 0.005, .rack_spread = 0.01},
          {.name = "racks, skewed", .shape = skewed, .host_spread = 0.005, .rack_spread = 0.01}};
}

PopulationShift draw_populations(const PopulationNoise& noise, PopulationSizes sizes,
                                 std::mt19937_64& random) {
  const DrawnPopulation a = draw_population(noise, sizes.a, noise.baseline_share, random);
  const DrawnPopulation b = draw_population(noise, sizes.b, 1, random);
  PopulationPlaces places;
  if (noise.rack_spread > 0 && noise.racks_known) places = {a.places, b.places};
  return population_shift(a.hosts, b.hosts, "host", places);
}

double population_deviation(const PopulationNoise& noise, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  constexpr int times = 4;
  double sum = 0;
  for (int time = 0; time < times; ++time) sum += draw_populations(noise, {1'500, 1'500}, random).deviation();
  return sum / times;
}

PopulationShares population_shares(const PopulationNoise& noise, PopulationSizes sizes, double deviation,
                                   int trials, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const core::IntervalPlan plan = plan_of(sizes, deviation);
  const double equal = equal_bound(plan), bound = std::log1p(margin);
  const double apart = std::log1p(core::smallest_difference_shown(plan, margin, expected_power));
  PopulationShares shares;
  for (int trial = 0; trial < trials; ++trial) {
    const core::StudentisedShift shift = *draw_populations(noise, sizes, random).shift;
    shares.below += shift.upper < 0 ? 1.0 / trials : 0;
    shares.above += shift.lower > 0 ? 1.0 / trials : 0;
    shares.equal_shown += shift.lower > -equal && shift.upper < equal ? 1.0 / trials : 0;
    shares.difference_shown += shift.lower + apart >= bound ? 1.0 / trials : 0;
  }
  return shares;
}

}  // namespace assay::results::synthetic

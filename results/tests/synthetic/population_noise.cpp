// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/tests/synthetic/population_noise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "harness/core/statistics/order_statistic.hpp"
#include "results/judge/population/population_comparison.hpp"

namespace assay::results::synthetic {
namespace {

struct DrawnPopulation {
  std::map<std::string, double> hosts;
  FleetPlaces places{.levels = {"rack"}, .of_host = {}};
};

NoiseShape shape_of(const PopulationNoise& noise, bool of_baseline) {
  return of_baseline ? noise.baseline_shape.value_or(noise.shape) : noise.shape;
}

/// The shape belongs to the racks where there are any: hosts are normal then.
double draw_rack(const PopulationNoise& noise, bool of_baseline, std::mt19937_64& random) {
  if (noise.rack_spread <= 0) return 0;
  const double share = of_baseline ? noise.baseline_share : 1;
  return share * noise.rack_spread * draw_noise(shape_of(noise, of_baseline), random);
}

double draw_host(const PopulationNoise& noise, bool of_baseline, std::mt19937_64& random) {
  std::uniform_int_distribution<int> runs(2, 10);
  const NoiseShape shape = noise.rack_spread > 0 ? NoiseShape::normal : shape_of(noise, of_baseline);
  const double share = of_baseline ? noise.baseline_share : 1;
  return share * noise.host_spread * draw_noise(shape, random) +
         noise.run_spread / std::sqrt(runs(random)) * draw_noise(NoiseShape::normal, random);
}

int hosts_of_a_value(const PopulationNoise& noise) { return noise.rack_spread > 0 ? hosts_of_a_rack : 1; }

DrawnPopulation draw_population(const PopulationNoise& noise, int values, bool of_baseline,
                                std::mt19937_64& random) {
  DrawnPopulation drawn;
  for (int value = 0; value < values; ++value) {
    const double rack = draw_rack(noise, of_baseline, random);
    for (int host = 0; host < hosts_of_a_value(noise); ++host) {
      const std::string name = fmt::format("r{}h{}", value, host);
      drawn.places.of_host[name] = {fmt::format("r{}", value)};
      drawn.hosts[name] = rack + draw_host(noise, of_baseline, random);
    }
  }
  return drawn;
}

struct DrawnValues {
  std::vector<double> a, b;
};

/// As the judge compares them. It has no choice of levels where there are no racks.
DrawnValues draw_values(const PopulationNoise& noise, PopulationSizes sizes, std::mt19937_64& random) {
  if (noise.rack_spread > 0) {
    PopulationShift drawn = draw_populations(noise, sizes, random);
    return {std::move(drawn.a), std::move(drawn.b)};
  }
  DrawnValues drawn;
  for (int value = 0; value < sizes.a; ++value) drawn.a.push_back(draw_value(noise, true, random));
  for (int value = 0; value < sizes.b; ++value) drawn.b.push_back(draw_value(noise, false, random));
  std::ranges::sort(drawn.a);
  std::ranges::sort(drawn.b);
  return drawn;
}

}  // namespace

bool PopulationNoise::is_lopsided() const {
  const NoiseShape of_baseline = baseline_shape.value_or(shape);
  const bool equal = of_baseline == shape && baseline_share == 1;
  return !equal && (of_baseline == NoiseShape::skewed || shape == NoiseShape::skewed);
}

std::vector<PopulationNoise> population_noises() {
  using enum NoiseShape;
  return {{.name = "normal"},
          {.name = "t(3)", .shape = student_t3},
          {.name = "t(2)", .shape = student_t2},
          {.name = "skewed", .shape = skewed},
          {.name = "normal, baseline 1/4", .baseline_share = 0.25},
          {.name = "skewed, baseline 1/4", .shape = skewed, .baseline_share = 0.25},
          {.name = "normal, baseline skewed", .baseline_shape = skewed},
          {.name = "normal, baseline skewed, 1/2", .baseline_share = 0.5, .baseline_shape = skewed},
          {.name = "racks, normal", .host_spread = 0.005, .rack_spread = 0.01},
          {.name = "racks, t(3)", .shape = student_t3, .host_spread = 0.005, .rack_spread = 0.01},
          {.name = "racks, skewed", .shape = skewed, .host_spread = 0.005, .rack_spread = 0.01}};
}

PopulationShift draw_populations(const PopulationNoise& noise, PopulationSizes sizes,
                                 std::mt19937_64& random) {
  const DrawnPopulation a = draw_population(noise, sizes.a, true, random);
  const DrawnPopulation b = draw_population(noise, sizes.b, false, random);
  PopulationPlaces places;
  if (noise.rack_spread > 0 && noise.racks_known) places = {a.places, b.places};
  return population_shift(a.hosts, b.hosts, "host", places);
}

double draw_value(const PopulationNoise& noise, bool of_baseline, std::mt19937_64& random) {
  const int hosts = hosts_of_a_value(noise);
  double value = draw_rack(noise, of_baseline, random);
  for (int host = 0; host < hosts; ++host) value += draw_host(noise, of_baseline, random) / hosts;
  return value;
}

double true_shift(const PopulationNoise& noise, int differences, std::uint64_t seed) {
  if (!noise.is_lopsided()) return 0;
  std::mt19937_64 random(seed);
  std::vector<double> drawn(static_cast<std::size_t>(differences));
  for (double& one : drawn) one = draw_value(noise, false, random) - draw_value(noise, true, random);
  return core::upper_median(std::move(drawn));
}

PopulationShares population_shares(const PopulationNoise& noise, PopulationSizes sizes, double truth,
                                   const PlannedPopulations& plan, int trials, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const double each = 1.0 / trials;
  PopulationShares shares;
  for (int trial = 0; trial < trials; ++trial) {
    const auto [a, b] = draw_values(noise, sizes, random);
    const auto above = [&](double bound) {
      return core::probability_not_above(a, b, bound) <= population_alpha;
    };
    const auto below = [&](double bound) {
      return core::probability_not_above(b, a, -bound) <= population_alpha;
    };
    shares.below += below(truth) ? each : 0;
    shares.above += above(truth) ? each : 0;
    shares.equal_shown += above(truth - plan.equal_margin) && below(truth + plan.equal_margin) ? each : 0;
    shares.difference_shown += above(truth - plan.difference) ? each : 0;
  }
  return shares;
}

}  // namespace assay::results::synthetic

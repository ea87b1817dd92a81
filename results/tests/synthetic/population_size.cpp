// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Prints the size and power of a comparison of populations, by noise and number of hosts or racks: the table
// of docs/evidence/data/judges-populations.txt. Usage: assay-population-size [TRIALS [SEED [NOISE [A B]]]]:
// every noise, or one; all numbers of values, or one pair. Racks take a quarter of the trials, 750 values and
// more a tenth. "slow" instead of a noise: clusters with slow hosts.
#include <fmt/format.h>

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "results/tests/synthetic/population_noise.hpp"
#include "results/tests/synthetic/population_theory.hpp"
#include "results/tests/synthetic/slow_hosts.hpp"

namespace {

using namespace assay::results::synthetic;

constexpr int differences_drawn = 4'000'000, fewest_of_many = 750;

/// 750 racks are 3,000 hosts; what is drawn of a true shift is too coarse for many values.
bool is_too_large(const PopulationNoise& noise, PopulationSizes sizes) {
  return (noise.rack_spread > 0 && sizes.a > fewest_of_many) ||
         (noise.is_lopsided() && sizes.a >= fewest_of_many);
}

void print_noise(const PopulationNoise& noise, const std::vector<PopulationSizes>& all, int trials,
                 std::uint64_t seed) {
  const PopulationDeviations deviations = population_deviations(noise, seed);
  const double truth = true_shift(noise, differences_drawn, seed);
  for (const PopulationSizes sizes : all) {
    if (is_too_large(noise, sizes)) continue;
    const int of_cell = trials / (noise.rack_spread > 0 ? 4 : 1) / (sizes.a < fewest_of_many ? 1 : 10);
    const PopulationShares shares =
        population_shares(noise, sizes, truth, plan_populations(deviations, sizes), of_cell, ++seed);
    fmt::print("| {} | {} and {} | {:.1f} | {:.1f} | {:.1f} | {:.1f} |\n", noise.name, sizes.a, sizes.b,
               100 * shares.below, 100 * shares.above, 100 * shares.equal_shown,
               100 * shares.difference_shown);
  }
}

void print_slow_hosts(int trials, std::uint64_t seed) {
  fmt::print(
      "| noise | spread | hosts a side | sound | one slow | a tenth, drawn | a tenth | a third | worse |\n"
      "|---|---|---|---|---|---|---|---|---|\n");
  for (const auto& [name, shape] : {std::pair{"normal", NoiseShape::normal},
                                    {"t(3)", NoiseShape::student_t3},
                                    {"skewed", NoiseShape::skewed}})
    for (const double spread : {0.005, 0.01})
      for (const int hosts : {8, 12, 24, 40, 64, 128, 400}) {
        const auto shares = [&](const SlowHosts& slow) {
          return slow_shares({.hosts = hosts, .shape = shape, .host_spread = spread, .of_b = slow}, 0.03,
                             trials, ++seed);
        };
        const SlowShares third = shares({1.0 / 3, 1.3});
        fmt::print("| {} | {} % | {} | {:.1f} | {:.1f} | {:.1f} | {:.1f} | {:.1f} | {:.1f} |\n", name,
                   100 * spread, hosts, 100 * shares({}).as_good, 100 * shares({1.0 / hosts, 1.3}).as_good,
                   100 * shares({0.1, 1.3, true}).as_good, 100 * shares({0.1, 1.3}).as_good,
                   100 * third.as_good, 100 * third.worse);
      }
}

}  // namespace

int main(int count, char** words) {
  const int trials = count > 1 ? std::atoi(words[1]) : 20'000;
  std::uint64_t seed = count > 2 ? std::strtoull(words[2], nullptr, 10) : 20261124;
  const std::string only = count > 3 ? words[3] : "";
  if (only == "slow") return print_slow_hosts(trials, seed), 0;
  std::vector<PopulationSizes> sizes{{8, 8},   {8, 40},    {40, 8},    {20, 20},      {40, 40},
                                     {8, 400}, {100, 100}, {750, 750}, {3'000, 3'000}};
  if (count > 5) sizes = {{std::atoi(words[4]), std::atoi(words[5])}};
  fmt::print("| noise | values | too low | too high | equality | difference |\n|---|---|---|---|---|---|\n");
  for (const PopulationNoise& noise : population_noises()) {
    seed += 100;
    if (only.empty() || noise.name == only) print_noise(noise, sizes, trials, seed);
  }
  return 0;
}

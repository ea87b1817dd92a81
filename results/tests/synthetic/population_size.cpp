// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Prints the size and power of a comparison of populations, by noise and number of hosts or racks: the table
// of docs/evidence/data/judges-populations.txt. Usage: assay-population-size [TRIALS [SEED [NOISE [A B]]]]:
// every noise, or one; all numbers of values, or one pair. Racks take a quarter of the trials, 750 values and
// more a tenth.
#include <fmt/format.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "results/tests/synthetic/population_noise.hpp"
#include "results/tests/synthetic/population_theory.hpp"

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

}  // namespace

int main(int count, char** words) {
  const int trials = count > 1 ? std::atoi(words[1]) : 20'000;
  std::uint64_t seed = count > 2 ? std::strtoull(words[2], nullptr, 10) : 20261124;
  const std::string only = count > 3 ? words[3] : "";
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

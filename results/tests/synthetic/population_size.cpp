// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Prints the size and power of a comparison of populations, by noise and number of hosts or racks: the table
// of docs/evidence/data/judges-populations.txt. Usage: assay-population-size [TRIALS [SEED]]
#include <fmt/format.h>

#include <cstdlib>

#include "results/tests/synthetic/population_noise.hpp"

int main(int count, char** words) {
  using namespace assay::results::synthetic;
  const int trials = count > 1 ? std::atoi(words[1]) : 4'000;
  std::uint64_t seed = count > 2 ? std::strtoull(words[2], nullptr, 10) : 20261124;
  fmt::print("| noise | values | too low | too high | equality | difference |\n|---|---|---|---|---|---|\n");
  for (const PopulationNoise& noise : population_noises()) {
    const double deviation = population_deviation(noise, seed++);
    for (const PopulationSizes sizes : {PopulationSizes{8, 8},
                                        {8, 40},
                                        {40, 8},
                                        {20, 20},
                                        {8, 400},
                                        {100, 100},
                                        {750, 750},
                                        {3'000, 3'000}}) {
      if (noise.rack_spread > 0 && sizes.a > 750) continue;  // 750 racks are 3,000 hosts
      const int of_cell = sizes.a < 750 ? trials : trials / 2;
      const PopulationShares shares = population_shares(noise, sizes, deviation, of_cell, seed++);
      fmt::print("| {} | {} and {} | {:.1f} | {:.1f} | {:.1f} | {:.1f} |\n", noise.name, sizes.a, sizes.b,
                 100 * shares.below, 100 * shares.above, 100 * shares.equal_shown,
                 100 * shares.difference_shown);
    }
  }
  return 0;
}

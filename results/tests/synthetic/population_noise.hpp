// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Synthetic pairs of clusters that are equal, but for noise of hosts, runs and racks: how often their
// interval misses the truth, and how often it decides.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/judge/population/population_values.hpp"
#include "results/tests/synthetic/comparison_noise.hpp"

namespace assay::results::synthetic {

/// The noise of ln(time); each host has 2 to 10 runs.
struct PopulationNoise {
  std::string name;
  NoiseShape shape = NoiseShape::normal;  // of what is largest, hosts or racks
  double host_spread = 0.01, run_spread = 0.01, rack_spread = 0;
  double baseline_share = 1;                      // of the spread of hosts and racks that the baseline has
  std::optional<NoiseShape> baseline_shape = {};  // where it is another
  bool racks_known = true;                        // to the judge

  /// The median of differences of such sides is none that follows from symmetry.
  bool is_lopsided() const;
};
inline constexpr int hosts_of_a_rack = 4;

std::vector<PopulationNoise> population_noises();

/// Hosts, or racks where there are any.
struct PopulationSizes {
  int a = 0, b = 0;
};

PopulationShift draw_populations(const PopulationNoise& noise, PopulationSizes sizes,
                                 std::mt19937_64& random);

/// Draws the value of a host, or of the mean of a rack.
double draw_value(const PopulationNoise& noise, bool of_baseline, std::mt19937_64& random);

/// The median of all differences of values of b and a. That of a lopsided noise is drawn, from this many.
double true_shift(const PopulationNoise& noise, int differences, std::uint64_t seed);

/// In ln(time), where four of five comparisons should decide.
struct PlannedPopulations {
  double equal_margin = 0;  // at which equal ones are shown to be equal
  double difference = 0;    // beyond the margin, that is shown
};

/// As shares of all trials. The first two are the size of "equivalent" at a true difference of the margin to
/// either side, and of "worse" and "better" there.
struct PopulationShares {
  double below = 0, above = 0;  // the interval lies below the truth, above it
  double equal_shown = 0;       // at the margin of the plan
  double difference_shown = 0;  // at its difference
};
PopulationShares population_shares(const PopulationNoise& noise, PopulationSizes sizes, double truth,
                                   const PlannedPopulations& plan, int trials, std::uint64_t seed);

}  // namespace assay::results::synthetic

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The theory of a comparison of populations under a noise: the shift is normal, its variance that of
// placements over the squared slope at which the share of pairs grows with a shift (E. Brunner and U. Munzel,
// Biometrical Journal 42, 2000; Hodges and Lehmann 1963). It is exact for many values only.
#pragma once

#include <cstdint>

#include "results/tests/synthetic/population_noise.hpp"

namespace assay::results::synthetic {

/// The deviation of one value of either side, in ln(time): the variance of the shift is a² / m + b² / n.
struct PopulationDeviations {
  double a = 0, b = 0;
};
PopulationDeviations population_deviations(const PopulationNoise& noise, std::uint64_t seed);

/// The margin and difference at which four of five comparisons should decide, with an interval as wide as the
/// values that count in it make it.
PlannedPopulations plan_populations(const PopulationDeviations& deviations, PopulationSizes sizes);

}  // namespace assay::results::synthetic

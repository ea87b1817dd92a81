// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Every run of a fleet as deviations from equals: logarithms, less what the day did to all of a kind. A round
// in which few were measured again is centred on partners that are known to be sound.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "results/judge/fleet_deviations.hpp"

namespace assay::results {

/// Fewer sound units measured at the same time cannot tell what time did to all.
inline constexpr std::size_t least_partners = 3;

struct FleetRounds {
  std::vector<Deviations> rounds;            // of units, one for each run; NaN where nothing can be said
  std::vector<std::size_t> block_of;         // of each unit
  std::vector<std::vector<double>> widened;  // by round, then metric and block: noise of the centre, from 1
  std::size_t blocks = 0;

  double widening(std::size_t round, std::size_t metric, std::size_t unit) const {
    return widened[round][metric * blocks + block_of[unit]];
  }
};

/// Throws std::invalid_argument for a value that is not above 0, naming unit and metric.
FleetRounds rounds_of(const Fleet& first, std::span<const Fleet> again);

}  // namespace assay::results

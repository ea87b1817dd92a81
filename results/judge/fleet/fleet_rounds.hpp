// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Every run of a fleet as deviations from equals: logarithms, less what the day did to all of a kind. A round
// in which few were measured again is centred on partners that are known to be sound.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "results/judge/fleet/fleet_judgement.hpp"

namespace assay::results {

/// One run of all places of a level. A deviation of -0.05 is 5 % worse than the block's median; NaN where not
/// measured.
struct Deviations {
  std::size_t places = 0;
  std::vector<double> values = {};  // by metric, then place

  std::size_t metrics() const { return values.size() / places; }
  /// The values of one metric, indexed by place.
  std::span<const double> of(std::size_t metric) const {
    return std::span(values).subspan(metric * places, places);
  }
  double at(std::size_t metric, std::size_t place) const { return values[metric * places + place]; }
  double& at(std::size_t metric, std::size_t place) { return values[metric * places + place]; }
};

/// Units of each block, which are compared with each other alone.
std::vector<std::vector<std::size_t>> blocks_of(const Fleet& fleet);

/// Fewer sound units measured at the same time do not show what time did to all.
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

/// Units without enough equals are not judged, and that is reported. Where there are several kinds, all of a
/// kind in few hosts are equals of themselves only. Returns lines such as "H100 PCIe: 3 units in 2 hosts".
std::vector<std::string> leave_out_small_blocks(const Fleet& fleet, FleetRounds& rounds);

}  // namespace assay::results

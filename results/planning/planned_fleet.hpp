// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A fleet that is to be measured, simulated round by round: sound, or with one slow unit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/judge/series/fleet_store.hpp"

namespace assay::results {

/// Standard deviations of the logarithm of one point's times.
struct PointNoise {
  double changing = 0.01;  // from round to round, of one unit
  double lasting = 0;      // between units, in every round
};

struct PlannedFleet {
  int hosts = 0, units_per_host = 8;
  std::string unit_level = "gpu";
  std::vector<PointNoise> points;
};

/// Measurements of that many rounds. Noise is Student's t with five degrees of freedom, heavier in
/// its tails than normal, and independent between units, points and rounds. `loss`, where there is one, is of
/// one unit in one point. The same seed has the same first rounds, whatever their number.
MeasuredFleet simulated_rounds(const PlannedFleet& planned, int rounds, std::optional<double> loss,
                               std::uint64_t seed);

/// The slow unit of simulated_rounds().
std::string slow_unit(const PlannedFleet& planned);

}  // namespace assay::results

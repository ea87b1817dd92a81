// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What a unit measured in some of its runs and not in others: a GPU that is gone, or whose driver is, says
// nothing or "unsupported", which alone is no reason to doubt it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "results/judge/fleet_store.hpp"

namespace assay::results {

/// Of one run.
struct FleetValue {
  std::uint32_t metric = 0, unit = 0;
  double seconds = 0;
};

using FleetRunValues = std::vector<std::vector<FleetValue>>;  // by run

/// By unit and name of the metric: how often it was called unsupported.
using UnsupportedPoints = std::map<std::pair<std::uint32_t, std::string>, std::size_t>;

/// Those that the same unit measured at another time.
std::vector<DoubtedPoint> contradicted_points(const Fleet& fleet, const FleetRunValues& runs,
                                              const UnsupportedPoints& unsupported);

/// "h3/gpu2: not measured in 1 run that measured those beside it", of units whose first place is their host.
/// A run that measured fewer than half of them was meant for those.
std::vector<std::string> left_out_of_runs(const Fleet& fleet, const FleetRunValues& runs);

}  // namespace assay::results

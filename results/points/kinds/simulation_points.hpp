// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Points of simulated fabrics (assay fabric --journal): workloads, their steps, the uplinks of leaves,
// placements.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "results/points/run_points.hpp"

namespace assay::results {

using SimulationPoint = MeasuredPoint;

std::vector<SimulationPoint> simulated_workloads(const RunPoints& run);
std::vector<SimulationPoint> simulated_steps(const RunPoints& run);
std::vector<SimulationPoint> simulated_leaves(const RunPoints& run);
std::vector<SimulationPoint> simulated_placements(const RunPoints& run);

/// Its axes, words with their names where they say little alone: "switch.xoff 64KiB".
Fields axes_in_words(const SimulationPoint& point);
std::vector<Fields> axes_in_words(const std::vector<SimulationPoint>& points);
/// Time of the whole workload, or of one of the steps alike, times `times`; milliseconds.
Number simulated_ms(const SimulationPoint& point, double times = 1);
/// The rules by which they were simulated, the known errors and the coefficients: each line once.
std::vector<std::string> bases_of(const std::vector<SimulationPoint>& points);

/// Metrics named PREFIX_REST, by REST in order of the names.
std::vector<std::pair<std::string, Number>> metrics_after(const SimulationPoint& point,
                                                          const std::string& prefix);
/// The uplinks of a leaf: the number of each, and its bytes over the mean of all leaves' uplinks. Failed ones
/// are missing.
std::vector<std::pair<std::int64_t, double>> uplink_loads(const SimulationPoint& leaf);

}  // namespace assay::results

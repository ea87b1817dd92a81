// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What would help most: one change of the fabric at a time, simulated with the same hash seeds.
#pragma once

#include <string>
#include <vector>

#include "model/fabric/simulate/simulation.hpp"

namespace assay::model::fabric {

struct Change {
  std::string what;                       // "4 times the queue pairs"
  double time_us = 0;                     // median
  double gain = 0;                        // of the median: time before over time after, less 1
  double gain_lower = 0, gain_upper = 0;  // 5 and 95 % over seeds, each against itself
};

inline constexpr std::size_t most_advised_flows = 4'000'000;  // of all seeds together

/// The greatest gain first. Empty where nothing can be changed; nothing where it would take more than
/// most_advised_flows.
std::optional<std::vector<Change>> what_would_help(const Scenario& scenario, const Simulation& simulation,
                                                   const SimulationOptions& options);

/// Ratios of times, one for each seed.
std::vector<double> gains_of(const std::vector<double>& before_us, const std::vector<double>& after_us);

}  // namespace assay::model::fabric

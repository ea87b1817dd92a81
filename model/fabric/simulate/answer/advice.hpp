// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Changes that would help most: one change of the fabric at a time, simulated with the same hash seeds.
#pragma once

#include <string>
#include <vector>

#include "model/fabric/simulate/simulation.hpp"

namespace assay::model::fabric {

struct Change {
  std::uint32_t seeds = 1;                // 1 to this one
  std::string what;                       // "4 times the queue pairs"
  double time_us = 0;                     // median
  double gain = 0;                        // of the median: time before over time after, less 1
  double gain_lower = 0, gain_upper = 0;  // 5 and 95 % over seeds, each against itself
  std::string refused = {};               // why it cannot be simulated, without times; else empty
};

/// The most flows of all seeds together. A flow under a rule that solves for rates counts as
/// flows_of_a_solved_one.
inline constexpr double most_advised_flows = 4e6, flows_of_a_solved_one = 20;

/// True where links of hosts alone need as long as the median: no other network is faster.
bool hosts_decide(const Simulation& simulation);

/// The greatest gain first, what cannot be simulated last, over as many of the seeds as most_advised_flows
/// allows. None where hosts decide; nothing where it allows no seed, or streams overlap.
std::optional<std::vector<Change>> what_would_help(const Scenario& scenario, const Simulation& simulation,
                                                   const SimulationOptions& options);

/// Ratios of times, one for each seed.
std::vector<double> gains_of(const std::vector<double>& before_us, const std::vector<double>& after_us);

}  // namespace assay::model::fabric

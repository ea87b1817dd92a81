// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The time that jobs lose by sharing the fabric.
#pragma once

#include "model/fabric/simulate/simulation.hpp"

namespace assay::model::fabric {

/// Fills `alone_us` of the jobs of a workload with several, each simulated alone on the fabric with the same
/// hash seeds and by the rule of `result`, message by message as together.
void simulate_jobs_alone(const Scenario& scenario, const SimulationOptions& options, Simulation& result);

/// Time together over time alone, of each seed.
std::vector<double> slowdown_of(const JobTimes& job);

}  // namespace assay::model::fabric

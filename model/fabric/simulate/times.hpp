// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// For questions that compare many simulations.
#pragma once

#include <functional>
#include <vector>

#include "model/fabric/file/key_value.hpp"
#include "model/fabric/simulate/simulation.hpp"

namespace assay::model::fabric {

/// As simulate. Throws a usage Error also where failures have cut ranks off.
Simulation simulate_connected(const Scenario& scenario, const SimulationOptions& options);

/// Nothing where no measured goodput of the fabric has an interval.
std::optional<GoodputEnds> simulate_goodput_ends(const Scenario& scenario, const SimulationOptions& options);

/// The median time of the whole workload, over hash seeds.
double median_us(const Simulation& simulation);

/// Called with each simulation of a question and the keys of the fabric file that were replaced for it.
using SeeSimulation = std::function<void(const Scenario& scenario, const Simulation& simulation,
                                         const std::vector<KeyValue>& replaced)>;

}  // namespace assay::model::fabric

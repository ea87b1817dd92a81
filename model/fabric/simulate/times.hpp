// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Times alone, for questions that compare many simulations.
#pragma once

#include "model/fabric/simulate/simulation.hpp"

namespace assay::model::fabric {

/// Without loads of links. Throws a usage Error where failures have cut ranks off, and as simulate.
Simulation simulate_times(const Scenario& scenario, const SimulationOptions& options);

/// Nothing where no measured goodput of the fabric has an interval.
std::optional<GoodputEnds> simulate_goodput_ends(const Scenario& scenario, const SimulationOptions& options);

/// Of the whole workload, over hash seeds.
double median_us(const Simulation& simulation);

}  // namespace assay::model::fabric

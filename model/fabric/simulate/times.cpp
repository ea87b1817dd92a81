// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/simulate/times.hpp"

#include "harness/core/error.hpp"
#include "harness/core/statistics.hpp"
#include "model/fabric/simulate/answer.hpp"

namespace assay::model::fabric {

Simulation simulate_connected(const Scenario& scenario, const SimulationOptions& options) {
  if (const auto cut = cut_off_answer(scenario)) core::usage_error(cut->sentence);
  return simulate(scenario, options);
}

double median_us(const Simulation& simulation) { return core::quantile_of(simulation.time_us, 0.5); }

}  // namespace assay::model::fabric

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/simulate/times.hpp"

#include "harness/core/error.hpp"
#include "harness/core/statistics/statistics.hpp"
#include "model/fabric/file/measured_ports.hpp"
#include "model/fabric/simulate/answer/answer.hpp"

namespace assay::model::fabric {

Simulation simulate_connected(const Scenario& scenario, const SimulationOptions& options) {
  if (const auto cut = cut_off_answer(scenario)) core::usage_error(cut->sentence);
  return simulate(scenario, options);
}

std::optional<GoodputEnds> simulate_goodput_ends(const Scenario& scenario, const SimulationOptions& options) {
  SimulationOptions times_only = options;
  times_only.loads = false;
  const auto at = [&](GoodputEnd end) -> std::optional<double> {
    std::optional<FabricFile> fabric = at_goodput(scenario.model().file(), end);
    if (!fabric) return std::nullopt;
    const Scenario there(*std::move(fabric), scenario.workload(), scenario.host_of_rank());
    return median_us(simulate_connected(there, times_only));
  };
  const std::optional<double> fastest_us = at(GoodputEnd::upper), slowest_us = at(GoodputEnd::lower);
  if (!fastest_us || !slowest_us) return std::nullopt;
  return GoodputEnds{*fastest_us, *slowest_us};
}

double median_us(const Simulation& simulation) { return core::quantile_of(simulation.time_us, 0.5); }

}  // namespace assay::model::fabric

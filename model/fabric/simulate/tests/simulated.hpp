// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A workload simulated on a fabric, both as TOML.
#pragma once

#include <numeric>
#include <string>

#include "model/fabric/simulate/simulation.hpp"

namespace assay::model::fabric {

struct Simulated {
  Simulated(const std::string& fabric, const std::string& workload, const SimulationOptions& options = {})
      : scenario(parse_fabric(fabric, "f.toml"), parse_workload(workload, "w.toml")),
        result(simulate(scenario, options)) {}

  double time_us() const { return result.time_us.front(); }
  double mean_us() const {
    return std::accumulate(result.time_us.begin(), result.time_us.end(), 0.0) /
           static_cast<double>(result.time_us.size());
  }

  Scenario scenario;
  Simulation result;
};

inline std::string one_operation(int ranks, const std::string& lines) {
  return "ranks = " + std::to_string(ranks) + "\n[[stream]]\n[[stream.op]]\n" + lines;
}

}  // namespace assay::model::fabric

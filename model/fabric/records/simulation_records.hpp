// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Journal records of a simulated workload. Samples are times of hash seeds; bounds of a metric are their 5
// and 95 %.
#pragma once

#include <span>
#include <vector>

#include "model/fabric/file/key_value.hpp"
#include "model/fabric/simulate/simulation.hpp"
#include "model/fabric/simulate/variants/placing.hpp"
#include "results/record/record.hpp"

namespace assay::model::fabric {

/// A simulation, and what was asked.
struct Simulated {
  const Scenario& scenario;
  const Simulation& simulation;
  const SimulationOptions& options;
  std::span<const KeyValue> replaced;  // keys of the fabric file
};

/// The number of leaves of a simulation that are recorded; of more, those with the most loaded uplinks.
inline constexpr std::size_t most_recorded_leaves = 64;

/// The workload (us, GB/s, most over mean); each kind of step of an operation, or the operation where streams
/// overlap; each leaf with the load of its uplinks over the mean, where the simulation has loads.
std::vector<results::PointRecord> simulation_records(const Simulated& one);

/// The order of the workload and the one found: time, and bytes that leave each tier's groups.
std::vector<results::PointRecord> placement_records(const Simulated& before, const Simulated& after,
                                                    const std::vector<TierCut>& cuts);

}  // namespace assay::model::fabric

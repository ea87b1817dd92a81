// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Streams that run at the same time: every message waits for what its sender has sent and received before.
#pragma once

#include "model/fabric/simulate/simulation.hpp"

namespace assay::model::fabric {

inline constexpr std::size_t most_graph_flows = 1'000'000;

/// Fills `result`, whose operations are those of `plans`, in the order of streams.
void simulate_overlap(const Scenario& scenario, const std::vector<OperationPlan>& plans,
                      const SimulationOptions& options, Simulation& result);

}  // namespace assay::model::fabric

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Microbursts of the all-to-alls of a workload.
#pragma once

#include <string>
#include <vector>

#include "model/fabric/sharing/burst.hpp"
#include "model/fabric/simulate/simulation.hpp"
#include "results/table/table.hpp"

namespace assay::model::fabric {

struct OperationBursts {
  std::string operation;
  double round_trip_us = 0;  // over the longest path from the first rank
  BurstQueues unaligned, staggered;
};

/// Bursts of operations in which equal blocks go to all others at once; starts are drawn by the median seed.
std::vector<OperationBursts> bursts_of(const Scenario& scenario, const Simulation& simulation);

results::Table burst_table(const std::vector<OperationBursts>& bursts);

}  // namespace assay::model::fabric

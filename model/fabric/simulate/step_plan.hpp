// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What holds for a step whatever the hash: how many flows it has, its latency, and how fast it would be were
// every message spread evenly.
#pragma once

#include <vector>

#include "model/fabric/simulate/exchange.hpp"
#include "model/fabric/simulate/fabric_model.hpp"
#include "model/fabric/simulate/sharing.hpp"

namespace assay::model::fabric {

struct StepPlan {
  DistinctStep step;
  std::uint32_t message = 0;  // which of the queue pairs that messages take in turn
  StepFlows flows = {};
  SharingRuleKind rule = SharingRuleKind::bound;
  double latency_us = 0;  // of the longest path
  double window_us = 0;   // of the message that its window limits most, alone on the fabric; 0 for none
  double even_us = 0;     // what the links allow
};

/// One operation, ready to be simulated with any hash seed.
struct OperationPlan {
  Exchange exchange;
  std::vector<StepPlan> steps = {};
};

/// Throws a usage Error where failures separate ranks, and for rules other than the bound of more flows than
/// memory holds.
OperationPlan plan_operation(const FabricModel& model, const Operation& operation,
                             std::span<const NodeId> host_of_rank, SharingChoice choice, unsigned threads);

/// Bytes on each link of the model when the step goes through `router`, shared among threads by sender.
std::vector<double> step_load(const FabricModel& model, const Router& router, const Exchange& exchange,
                              const StepPlan& step, unsigned threads);

}  // namespace assay::model::fabric

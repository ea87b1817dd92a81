// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Streams that run at the same time: every message waits for what its sender has sent and received before.
// Beyond most_graph_flows, steps alike of an operation are one, with all of their bytes and latencies.
#pragma once

#include "model/fabric/simulate/answer/sections.hpp"
#include "model/fabric/simulate/load_sum.hpp"
#include "model/fabric/simulate/simulation.hpp"
#include "model/fabric/simulate/steps/message_graph.hpp"

namespace assay::model::fabric {

/// How a section together is simulated.
struct OverlapPlan {
  SharingRuleKind rule = SharingRuleKind::max_min;
  GraphGrain grain = GraphGrain::message;
};

/// Throws a usage Error for the bound, which does not hold for it, and where even steps alike as one make
/// more than `most_flows`. `plans`: of the section's operations, here and below.
OverlapPlan plan_overlap(const Scenario& scenario, const StreamSection& section,
                         std::span<const OperationPlan> plans, SharingChoice choice, std::size_t most_flows);

/// One hash seed, number `at` from 0; returns the time in us. Fills the times of the section's operations and
/// of jobs, and adds to `loads`.
double run_together(const Scenario& scenario, const StreamSection& section,
                    std::span<const OperationPlan> plans, const OverlapPlan& how, const MessageRouter& router,
                    std::uint32_t at, unsigned threads, Simulation& result, LoadSum& loads);

}  // namespace assay::model::fabric

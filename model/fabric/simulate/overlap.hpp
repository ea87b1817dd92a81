// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Streams that run at the same time: every message waits for what its sender has sent and received before.
#pragma once

#include "model/fabric/simulate/load_sum.hpp"
#include "model/fabric/simulate/sections.hpp"
#include "model/fabric/simulate/simulation.hpp"

namespace assay::model::fabric {

inline constexpr std::size_t most_graph_flows = 1'000'000;

/// The rule for a section together. Throws a usage Error for the bound, which does not hold for it, and for
/// more than most_graph_flows. `plans`: of the section's operations, here and below.
SharingRuleKind rule_of_section(const Scenario& scenario, const StreamSection& section,
                                std::span<const OperationPlan> plans, SharingChoice choice);

/// One hash seed, number `at` from 0; returns the time in us. Fills the times of the section's operations and
/// of jobs, and adds to `loads`.
double run_together(const Scenario& scenario, const StreamSection& section,
                    std::span<const OperationPlan> plans, SharingRuleKind rule, const MessageRouter& router,
                    std::uint32_t at, unsigned threads, Simulation& result, LoadSum& loads);

}  // namespace assay::model::fabric

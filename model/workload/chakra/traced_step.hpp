// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The step of ranks that all do the same, from their traces.
#pragma once

#include <cstdint>
#include <span>

#include "model/workload/chakra/trace.hpp"

namespace assay::model::workload {

struct TracedStep {
  training::TrainingStep step;
  std::size_t left_out = 0;        // nodes that exchange, yet are not in the step
  std::vector<std::string> notes;  // what was assumed or looks wrong, for people
};

/// Traces by rank; one alone stands for `ranks` ranks. Exchanges of equal place are one operation, in each
/// rank's group. Groups as traced_groups.hpp has them, sends as traced_sends.hpp.
/// Chains of nodes are streams. Throws a usage Error for ranks whose exchanges differ in kind or size, and
/// for more than most_streams chains.
TracedStep traced_step(std::span<const Trace> traces, std::uint32_t ranks);

}  // namespace assay::model::workload

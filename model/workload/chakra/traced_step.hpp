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
  std::size_t left_out = 0;  // nodes that exchange, yet are not in the step
};

/// Traces by rank. One alone stands for `ranks` ranks, all of them in every group. Of several, a group is the
/// ranks that have exchanges of its name; exchanges of equal place are one operation, in each rank's group.
/// Sends as traced_sends.hpp has them.
/// Chains of nodes are streams. Throws a usage Error for ranks whose exchanges differ in kind or size, and
/// for more than most_streams chains.
TracedStep traced_step(std::span<const Trace> traces, std::uint32_t ranks);

}  // namespace assay::model::workload

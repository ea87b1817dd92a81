// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The step of ranks, from their traces.
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

/// Traces by rank; one alone stands for `ranks` ranks. Where all exchange the same, exchanges of equal place
/// are one operation, in each rank's group, groups as traced_groups.hpp has them and sends as
/// traced_sends.hpp; otherwise as joined_ranks.hpp. Chains of nodes are streams. Throws a usage Error as
/// those, and for more than most_streams chains.
TracedStep traced_step(std::span<const Trace> traces, std::uint32_t ranks);

}  // namespace assay::model::workload

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Ranks that do different things, as stages of a pipeline do: what all of them compute and exchange, once.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/workload/chakra/operation_chains.hpp"
#include "model/workload/chakra/trace.hpp"

namespace assay::model::workload {

struct JoinedRanks {
  OperationGraph graph;
  std::size_t left_out = 0;  // receives without a send, and messages without the other side's rank
  std::vector<std::string> notes = {};
  std::vector<std::uint32_t> group_sizes = {};  // of the exchanges of the first trace
};

/// Traces by rank. The n-th exchange of a group at each of its ranks is one operation, the n-th send from a
/// rank to another and the n-th receive there too; compute is its rank's alone. Throws a usage Error for
/// ranks whose exchanges in a group differ in number, kind or size (of an all-to-all the largest counts), for
/// a rank in a group without it, and for exchanges that wait for one another in a circle.
JoinedRanks joined_ranks(std::span<const Trace> traces);

}  // namespace assay::model::workload

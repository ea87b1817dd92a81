// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Exchanges of traces, and which ranks are in their groups.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "model/workload/chakra/trace.hpp"

namespace assay::model::workload {

using Members = std::set<std::uint32_t>;

std::vector<const TraceNode*> exchanges_of(const Trace& trace);

/// An exchange of groups of `ranks` ranks, of the whole vector. comm_size sums what a rank gives
/// (mlcommons/chakra 21585d8f, pytorch_node.py): of an all-gather one share of it, so that ASTRA-sim ends
/// with comm_size times ranks (518bd51, Ring.cc).
training::StepOperation exchange_of(const TraceNode& node, std::string groups, std::uint32_t ranks);

/// "0-3+8".
std::string listed(const Members& ranks);

/// In quotation marks, for messages.
std::string shown_group(const std::string& group);

/// As the trace states it; nullptr where it does not.
const TraceGroup* stated_group(const Trace& trace, const std::string& name);

/// PyTorch lists no ranks of a group that all are in. `group` as stated_group has it.
bool has_all_ranks(const std::string& name, const TraceGroup* group, std::uint32_t ranks);

/// Traces by rank. A group that a trace does not state is the ranks that name it.
class GroupMembers {
 public:
  GroupMembers(std::span<const Trace> traces, std::uint32_t ranks);

  Members of(std::size_t rank, const std::string& name) const;

 private:
  std::span<const Trace> traces_;
  std::uint32_t ranks_;
  std::map<std::string, Members> named_by_;
};

/// Throws a usage Error for a rank in a stated group from `ranks` on.
void refuse_ranks_beyond(std::span<const Trace> traces, std::uint32_t ranks);

}  // namespace assay::model::workload

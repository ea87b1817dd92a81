// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/workload/chakra/traced_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "harness/core/error.hpp"
#include "harness/core/printable.hpp"
#include "model/workload/chakra/group_members.hpp"
#include "model/workload/chakra/joined_ranks.hpp"
#include "model/workload/chakra/operation_chains.hpp"
#include "model/workload/chakra/size_hints.hpp"
#include "model/workload/chakra/traced_groups.hpp"
#include "model/workload/chakra/traced_sends.hpp"

namespace assay::model::workload {
namespace {

using training::StepOperation;
using training::Traffic;

/// comm_size sums what a rank gives (mlcommons/chakra 21585d8f, pytorch_node.py): of an all-gather one share
/// of the vector, so that ASTRA-sim ends with comm_size times ranks (518bd51, Ring.cc).
double whole_bytes(const TraceNode& node, std::uint32_t group_size) {
  return node.traffic == Traffic::all_gather ? node.bytes * group_size : node.bytes;
}

/// Number, kind and size of exchanges, and the numbers of sends and receives, are those of the first rank:
/// not so of a pipeline, whose ends have one neighbour.
bool exchange_alike(std::span<const Trace> traces) {
  const auto same = [](const TraceNode* one, const TraceNode* other) {
    return one->traffic == other->traffic && one->bytes == other->bytes;
  };
  const auto messages = [](const Trace& trace) {
    return std::pair(std::ranges::count(trace.nodes, Side::sends, &TraceNode::side),
                     std::ranges::count(trace.nodes, Side::receives, &TraceNode::side));
  };
  const Trace& first = traces.front();
  const std::vector<const TraceNode*> exchanges = exchanges_of(first);
  return std::ranges::all_of(traces, [&](const Trace& trace) {
    return messages(trace) == messages(first) && std::ranges::equal(exchanges, exchanges_of(trace), same);
  });
}

/// Every exchange has groups of one size.
bool has_equal_groups(std::span<const Trace> traces, const TracedGroups& groups) {
  for (std::size_t at = 0; at < exchanges_of(traces.front()).size(); ++at)
    if (!groups.size_of(at)) return false;
  return true;
}

/// What the first rank does, for all.
OperationGraph graph_of_alike(const Trace& trace, const TracedGroups& groups, const TracedSends& sends) {
  OperationGraph graph;
  std::size_t exchange = 0;
  for (std::size_t at = 0; at < trace.nodes.size(); ++at) {
    const TraceNode& node = trace.nodes[at];
    graph.before.push_back(node.before);
    StepOperation& one = graph.operations.emplace_back();
    if (node.traffic == Traffic::none) {
      one = sends.of(at).value_or(StepOperation{.name = "compute", .compute_s = node.compute_s});
      continue;
    }
    one = {.name = std::string(training::traffic_words.of(node.traffic)),
           .traffic = node.traffic,
           .among = node.group.empty() ? "" : "group " + core::printable(node.group, 40),
           .groups = groups.of(exchange),
           .bytes = whole_bytes(node, groups.size_of(exchange).value_or(1))};
    ++exchange;
  }
  return graph;
}

struct RanksRead {
  OperationGraph graph;
  std::size_t left_out = 0;
  std::vector<std::string> notes = {};
};

RanksRead read_alike(std::span<const Trace> traces, const TracedGroups& groups, std::uint32_t ranks) {
  const TracedSends sends(traces, ranks);
  RanksRead read{graph_of_alike(traces.front(), groups, sends), sends.left_out(), groups.notes()};
  std::vector<std::uint32_t> sizes;
  for (std::size_t at = 0; at < exchanges_of(traces.front()).size(); ++at)
    sizes.push_back(groups.size_of(at).value_or(1));
  for (std::string& hint : size_hints(traces.front(), sizes)) read.notes.push_back(std::move(hint));
  return read;
}

RanksRead read_joined(std::span<const Trace> traces) {
  JoinedRanks joined = joined_ranks(traces);
  RanksRead read{
      std::move(joined.graph),
      joined.left_out,
      {"ranks do different things: each computes its own, exchanges are joined by group and number"}};
  std::ranges::move(joined.notes, std::back_inserter(read.notes));
  const GroupMembers members(traces, static_cast<std::uint32_t>(traces.size()));
  std::vector<std::uint32_t> sizes;
  for (const TraceNode* node : exchanges_of(traces.front()))
    sizes.push_back(static_cast<std::uint32_t>(members.of(0, node->group).size()));
  for (std::string& hint : size_hints(traces.front(), sizes)) read.notes.push_back(std::move(hint));
  return read;
}

RanksRead read_traces(std::span<const Trace> traces, std::uint32_t ranks) {
  if (exchange_alike(traces))
    if (const TracedGroups groups(traces, ranks); has_equal_groups(traces, groups))
      return read_alike(traces, groups, ranks);
  return read_joined(traces);
}

}  // namespace

TracedStep traced_step(std::span<const Trace> traces, std::uint32_t ranks) {
  const Trace& first = traces.front();
  RanksRead read = read_traces(traces, ranks);
  training::TrainingStep step{.name = std::filesystem::path(first.file).stem(),
                              .ranks = ranks,
                              .streams = operation_chains(read.graph, first.file)};
  if (step.streams.empty())
    core::usage_error(first.file + ": nothing to do: expected nodes that compute or exchange");
  for (const Trace& trace : traces) {
    read.left_out += trace.left_out;
    read.notes.insert(read.notes.end(), trace.notes.begin(), trace.notes.end());
  }
  return {std::move(step), read.left_out, std::move(read.notes)};
}

}  // namespace assay::model::workload

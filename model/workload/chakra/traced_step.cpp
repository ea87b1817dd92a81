// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/workload/chakra/traced_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "harness/core/error.hpp"
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

struct RanksRead {
  OperationGraph graph;
  std::vector<std::uint32_t> group_sizes;  // of the exchanges of the first trace
  std::size_t left_out = 0;
  std::vector<std::string> notes = {};
};

/// The operations of the first rank, which stand for those of all ranks.
OperationGraph graph_of_alike(const Trace& trace, const TracedGroups& groups,
                              std::span<const std::uint32_t> sizes, const TracedSends& sends) {
  OperationGraph graph;
  std::size_t exchange = 0;
  for (std::size_t at = 0; at < trace.nodes.size(); ++at) {
    const TraceNode& node = trace.nodes[at];
    graph.before.push_back(node.before);
    if (node.traffic == Traffic::none)
      graph.operations.push_back(
          sends.of(at).value_or(StepOperation{.name = "compute", .compute_s = node.compute_s}));
    else
      graph.operations.push_back(exchange_of(node, groups.of(exchange), sizes[exchange])), ++exchange;
  }
  return graph;
}

RanksRead read_traces(std::span<const Trace> traces, std::uint32_t ranks) {
  if (exchange_alike(traces)) {
    const TracedGroups groups(traces, ranks);
    if (auto sizes = groups.sizes()) {
      const TracedSends sends(traces, ranks);
      OperationGraph graph = graph_of_alike(traces.front(), groups, *sizes, sends);
      return {std::move(graph), *std::move(sizes), sends.left_out(), groups.notes()};
    }
  }
  JoinedRanks joined = joined_ranks(traces);
  joined.notes.insert(
      joined.notes.begin(),
      "ranks do different things: each computes its own, exchanges are joined by group and number");
  return {std::move(joined.graph), std::move(joined.group_sizes), joined.left_out, std::move(joined.notes)};
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
  for (std::string& hint : size_hints(first, read.group_sizes)) read.notes.push_back(std::move(hint));
  for (const Trace& trace : traces) {
    read.left_out += trace.left_out;
    read.notes.insert(read.notes.end(), trace.notes.begin(), trace.notes.end());
  }
  return {std::move(step), read.left_out, std::move(read.notes)};
}

}  // namespace assay::model::workload

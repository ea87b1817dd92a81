// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Numbers of node types and collectives are those of mlcommons/chakra, schema/protobuf/et_def.proto. As in
// Chakra's own feeder only data_deps order nodes: ctrl_deps name callers, which its converter may have
// removed.
#include "model/workload/chakra/trace_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "harness/core/error.hpp"
#include "model/workload/chakra/process_groups.hpp"

namespace assay::model::workload {
namespace {

using training::Traffic;

constexpr double most_bytes = 1e15, most_us = 1e15;  // of one node
constexpr double most_rank = 1U << 31U;

enum NodeType { compute_node = 4, send_node = 5, receive_node = 6, collective_node = 7 };

/// Indexed by CollectiveCommType; `none`: left out.
constexpr std::array<Traffic, 10> collectives{
    Traffic::all_reduce,     Traffic::reduce,    Traffic::all_gather, Traffic::none,
    Traffic::none,           Traffic::broadcast, Traffic::all_to_all, Traffic::reduce_scatter,
    Traffic::reduce_scatter, Traffic::none};

bool is_size(double bytes) { return bytes >= 1 && bytes <= most_bytes; }

}  // namespace

void TraceBuilder::refuse_node(std::uint64_t id, const std::string& why) const {
  core::usage_error(fmt::format("{}: node {} {}", trace_.file, id, why));
}

void TraceBuilder::add(const StatedNode& stated) {
  if (!places_.try_emplace(stated.id, trace_.nodes.size()).second)
    refuse_node(stated.id, "is there twice: expected each id once");
  TraceNode node{.id = stated.id, .start_us = stated.start_us};
  if (!(stated.duration_us >= 0 && stated.duration_us <= most_us))
    refuse_node(node.id, "has no duration of at most 1e15 us");
  if (states_process_groups(stated.name))
    take_groups(stated);
  else if (stated.type == collective_node)
    take_collective(stated, node);
  else if (stated.type == send_node || stated.type == receive_node)
    take_message(stated, node);
  else if (stated.type == compute_node && !stated.on_cpu)
    node.compute_s = 1e-6 * stated.duration_us;
  trace_.nodes.push_back(std::move(node));
  parents_.push_back(stated.data_deps);
}

void TraceBuilder::take_groups(const StatedNode& stated) {
  if (stated.input_values.empty()) return;
  if (auto groups = process_groups(stated.input_values)) {
    for (auto& [name, group] : *groups) trace_.groups.insert_or_assign(name, std::move(group));
  } else {
    trace_.notes.push_back(
        fmt::format("{}: node {} has process groups that are not used: expected PyTorch's list, "
                    R"([{{"pg_name": "1", "ranks": [0, 1]}}])",
                    trace_.file, stated.id));
  }
}

/// A side of a message; writers of traces often leave out who has the other.
void TraceBuilder::take_message(const StatedNode& stated, TraceNode& node) {
  const bool is_send = stated.type == send_node;
  const std::optional<double>& peer = is_send ? stated.comm_dst : stated.comm_src;
  if (!stated.comm_size && stated.on_cpu) return;  // starts one that is a node of its own
  if (!stated.comm_size || !is_size(*stated.comm_size)) {
    ++trace_.left_out;
    return;
  }
  node.side = is_send ? Side::sends : Side::receives;
  node.bytes = *stated.comm_size;
  if (peer && *peer >= 0 && *peer <= most_rank) node.peer = static_cast<std::int64_t>(*peer);
}

void TraceBuilder::take_collective(const StatedNode& stated, TraceNode& node) {
  const std::optional<double>& kind = stated.comm_type;
  if (!kind && stated.on_cpu) return;  // starts one that is a node of its own
  if (!kind || *kind < 0 || *kind >= static_cast<double>(collectives.size()))
    refuse_node(node.id, "is a collective without a known comm_type");
  node.traffic = collectives[static_cast<std::size_t>(*kind)];
  if (node.traffic == Traffic::none) {
    ++trace_.left_out;
    return;
  }
  if (!stated.comm_size || !is_size(*stated.comm_size))
    refuse_node(node.id, "is a collective without a comm_size of 1 to 1e15");
  node.bytes = *stated.comm_size;
  node.group = stated.group;
}

void TraceBuilder::resolve() {
  for (std::size_t at = 0; at < parents_.size(); ++at) {
    std::vector<std::size_t>& before = trace_.nodes[at].before;
    for (const std::uint64_t parent : parents_[at]) {
      const auto place = places_.find(parent);
      if (place == places_.end())
        refuse_node(
            trace_.nodes[at].id,
            fmt::format("depends on node {}, which is missing: expected every node that others wait for",
                        parent));
      before.push_back(place->second);
    }
    std::ranges::sort(before);
    before.erase(std::unique(before.begin(), before.end()), before.end());
  }
}

Trace TraceBuilder::finish() {
  resolve();
  sort_nodes(trace_);
  return std::move(trace_);
}

}  // namespace assay::model::workload

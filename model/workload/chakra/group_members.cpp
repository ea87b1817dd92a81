// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/workload/chakra/group_members.hpp"

#include <fmt/format.h>

#include <numeric>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/core/printable.hpp"

namespace assay::model::workload {

std::vector<const TraceNode*> exchanges_of(const Trace& trace) {
  std::vector<const TraceNode*> all;
  for (const TraceNode& node : trace.nodes)
    if (node.traffic != training::Traffic::none) all.push_back(&node);
  return all;
}

training::StepOperation exchange_of(const TraceNode& node, std::string groups, std::uint32_t ranks) {
  return {.name = std::string(training::traffic_words.of(node.traffic)),
          .traffic = node.traffic,
          .among = node.group.empty() ? "" : "group " + core::printable(node.group, 40),
          .groups = std::move(groups),
          .bytes = node.traffic == training::Traffic::all_gather ? node.bytes * ranks : node.bytes};
}

std::string listed(const Members& ranks) {
  std::string text;
  for (auto at = ranks.begin(); at != ranks.end();) {
    const std::uint32_t first = *at;
    std::uint32_t last = first;
    for (++at; at != ranks.end() && *at == last + 1; ++at) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : "+", first);
    if (last > first) text += fmt::format("-{}", last);
  }
  return text;
}

std::string shown_group(const std::string& group) { return "'" + core::printable(group, 40) + "'"; }

const TraceGroup* stated_group(const Trace& trace, const std::string& name) {
  const auto found = trace.groups.find(name);
  return found == trace.groups.end() ? nullptr : &found->second;
}

bool has_all_ranks(const std::string& name, const TraceGroup* group, std::uint32_t ranks) {
  if (name.empty()) return true;
  return group != nullptr && group->ranks.empty() && (group->size == 0 || group->size == ranks);
}

GroupMembers::GroupMembers(std::span<const Trace> traces, std::uint32_t ranks)
    : traces_(traces), ranks_(ranks) {
  for (std::uint32_t rank = 0; rank < traces.size(); ++rank)
    for (const TraceNode* node : exchanges_of(traces[rank])) named_by_[node->group].insert(rank);
}

Members GroupMembers::of(std::size_t rank, const std::string& name) const {
  const TraceGroup* const group = stated_group(traces_[rank], name);
  if (has_all_ranks(name, group, ranks_)) {
    std::vector<std::uint32_t> all(ranks_);
    std::iota(all.begin(), all.end(), 0U);
    return {all.begin(), all.end()};
  }
  if (group != nullptr && !group->ranks.empty()) return {group->ranks.begin(), group->ranks.end()};
  return named_by_.at(name);
}

void refuse_ranks_beyond(std::span<const Trace> traces, std::uint32_t ranks) {
  for (const Trace& trace : traces)
    for (const TraceNode* node : exchanges_of(trace))
      if (const TraceGroup* const group = stated_group(trace, node->group);
          group != nullptr && !group->ranks.empty() && group->ranks.back() >= ranks)
        core::usage_error(fmt::format("{}: group {} has rank {}: expected at least {} ranks, got {}",
                                      trace.file, shown_group(node->group), group->ranks.back(),
                                      group->ranks.back() + 1, ranks));
}

}  // namespace assay::model::workload

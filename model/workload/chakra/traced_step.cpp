// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/workload/chakra/traced_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "harness/core/error.hpp"
#include "harness/core/printable.hpp"
#include "model/workload/chakra/size_hints.hpp"
#include "model/workload/chakra/traced_groups.hpp"
#include "model/workload/chakra/traced_sends.hpp"

namespace assay::model::workload {
namespace {

using training::StepOperation;
using training::Traffic;

constexpr std::size_t most_waits = 50'000'000;

/// Joins nodes that follow one another alone into streams.
class Chains {
 public:
  Chains(const Trace& trace, const TracedGroups& groups, const TracedSends& sends)
      : trace_(trace), groups_(groups), sends_(sends) {}

  training::TrainingStep build() {
    find_operations();
    find_waits();
    for (std::size_t at = 0; at < operations_.size(); ++at)
      if (is_kept(at)) place(at);
    return std::move(step_);
  }

 private:
  /// comm_size sums what a rank gives (mlcommons/chakra 21585d8f, pytorch_node.py): of an all-gather one
  /// share of the vector, so that ASTRA-sim ends with comm_size times ranks (518bd51, Ring.cc).
  double whole_bytes(const TraceNode& node, std::size_t exchange) const {
    return node.traffic == Traffic::all_gather ? node.bytes * groups_.size_of(exchange) : node.bytes;
  }

  bool is_kept(std::size_t at) const {
    return operations_[at].traffic == Traffic::none ? operations_[at].compute_s > 0
                                                    : !operations_[at].groups.empty();
  }

  void find_operations() {
    std::size_t exchange = 0;
    for (std::size_t at = 0; at < trace_.nodes.size(); ++at) {
      const TraceNode& node = trace_.nodes[at];
      StepOperation& one = operations_.emplace_back();
      if (node.traffic == Traffic::none) {
        one = sends_.of(at).value_or(StepOperation{.name = "compute", .compute_s = node.compute_s});
        continue;
      }
      one = {.name = std::string(training::traffic_words.of(node.traffic)),
             .traffic = node.traffic,
             .among = node.group.empty() ? "" : "group " + core::printable(node.group, 40),
             .groups = groups_.of(exchange),
             .bytes = whole_bytes(node, exchange)};
      ++exchange;
    }
  }

  /// What each kept node waits for, over nodes that are not.
  void find_waits() {
    std::vector<std::vector<std::size_t>> reached(operations_.size());
    waits_.resize(operations_.size());
    followers_.resize(operations_.size());
    std::size_t all = 0;
    for (std::size_t at = 0; at < operations_.size(); ++at) {
      std::vector<std::size_t>& waits = waits_[at];
      for (const std::size_t before : trace_.nodes[at].before)
        waits.insert(waits.end(), reached[before].begin(), reached[before].end());
      std::ranges::sort(waits);
      waits.erase(std::unique(waits.begin(), waits.end()), waits.end());
      all += waits.size();
      if (all > most_waits) core::usage_error(trace_.file + ": too many dependencies");
      reached[at] = is_kept(at) ? std::vector<std::size_t>{at} : waits;
      if (is_kept(at))
        for (const std::size_t before : waits) ++followers_[before];
    }
    stream_of_.resize(operations_.size());
  }

  void place(std::size_t at) {
    const std::vector<std::size_t>& waits = waits_[at];
    if (waits.size() == 1 && followers_[waits.front()] == 1) {
      stream_of_[at] = stream_of_[waits.front()];
      std::vector<StepOperation>& operations = step_.streams[stream_of_[at]].operations;
      if (operations_[at].traffic == Traffic::none && operations.back().traffic == Traffic::none)
        operations.back().compute_s += operations_[at].compute_s;
      else
        operations.push_back(operations_[at]);
      return;
    }
    stream_of_[at] = step_.streams.size();
    if (step_.streams.size() == training::most_streams)
      core::usage_error(
          fmt::format("{}: expected at most {} chains of nodes", trace_.file, training::most_streams));
    std::set<std::size_t> after;
    for (const std::size_t before : waits) after.insert(stream_of_[before]);
    training::StepStream stream{.name = fmt::format("chain {}", step_.streams.size() + 1)};
    for (const std::size_t before : after) stream.after.push_back(step_.streams[before].name);
    stream.operations.push_back(operations_[at]);
    step_.streams.push_back(std::move(stream));
  }

  const Trace& trace_;
  const TracedGroups& groups_;
  const TracedSends& sends_;
  training::TrainingStep step_;
  // By node:
  std::vector<StepOperation> operations_;
  std::vector<std::vector<std::size_t>> waits_;
  std::vector<std::size_t> followers_, stream_of_;
};

}  // namespace

TracedStep traced_step(std::span<const Trace> traces, std::uint32_t ranks) {
  const Trace& first = traces.front();
  const TracedGroups groups(traces, ranks);
  const TracedSends sends(traces, ranks);
  training::TrainingStep step = Chains(first, groups, sends).build();
  if (step.streams.empty())
    core::usage_error(first.file + ": nothing to do: expected nodes that compute or exchange");
  step.ranks = ranks;
  step.name = std::filesystem::path(first.file).stem();
  std::size_t left_out = sends.left_out();
  std::vector<std::string> notes = groups.notes();
  for (const Trace& trace : traces) {
    left_out += trace.left_out;
    notes.insert(notes.end(), trace.notes.begin(), trace.notes.end());
  }
  for (std::string& hint : size_hints(first, groups)) notes.push_back(std::move(hint));
  return {std::move(step), left_out, std::move(notes)};
}

}  // namespace assay::model::workload

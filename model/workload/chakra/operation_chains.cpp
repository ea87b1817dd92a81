// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/workload/chakra/operation_chains.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "harness/core/error.hpp"

namespace assay::model::workload {
namespace {

using training::StepOperation;
using training::Traffic;

constexpr std::size_t most_waits = 50'000'000;

bool is_kept(const StepOperation& operation) {
  return operation.traffic == Traffic::none ? operation.compute_s > 0 : !operation.groups.empty();
}

bool are_compute_of_the_same_ranks(const StepOperation& one, const StepOperation& other) {
  return one.traffic == Traffic::none && other.traffic == Traffic::none && one.groups == other.groups;
}

class Chains {
 public:
  Chains(const OperationGraph& graph, const std::string& file) : graph_(graph), file_(file) {}

  std::vector<training::StepStream> build() {
    find_waits();
    for (std::size_t at = 0; at < graph_.operations.size(); ++at)
      if (is_kept(graph_.operations[at])) place(at);
    return std::move(streams_);
  }

 private:
  /// Finds the kept operations that each kept one waits for, across those that are not kept.
  void find_waits() {
    const std::size_t count = graph_.operations.size();
    std::vector<std::vector<std::size_t>> reached(count);
    waits_.resize(count);
    followers_.resize(count);
    std::size_t all = 0;
    for (std::size_t at = 0; at < count; ++at) {
      std::vector<std::size_t>& waits = waits_[at];
      for (const std::size_t before : graph_.before[at])
        waits.insert(waits.end(), reached[before].begin(), reached[before].end());
      std::ranges::sort(waits);
      waits.erase(std::unique(waits.begin(), waits.end()), waits.end());
      all += waits.size();
      if (all > most_waits) core::usage_error(file_ + ": too many dependencies");
      const bool kept = is_kept(graph_.operations[at]);
      reached[at] = kept ? std::vector<std::size_t>{at} : waits;
      if (kept)
        for (const std::size_t before : waits) ++followers_[before];
    }
    stream_of_.resize(count);
  }

  void place(std::size_t at) {
    const StepOperation& operation = graph_.operations[at];
    const std::vector<std::size_t>& waits = waits_[at];
    if (waits.size() == 1 && followers_[waits.front()] == 1) {
      stream_of_[at] = stream_of_[waits.front()];
      std::vector<StepOperation>& operations = streams_[stream_of_[at]].operations;
      if (are_compute_of_the_same_ranks(operation, operations.back()))
        operations.back().compute_s += operation.compute_s;
      else
        operations.push_back(operation);
      return;
    }
    stream_of_[at] = streams_.size();
    if (streams_.size() == training::most_streams)
      core::usage_error(
          fmt::format("{}: expected at most {} chains of nodes", file_, training::most_streams));
    std::set<std::size_t> after;
    for (const std::size_t before : waits) after.insert(stream_of_[before]);
    training::StepStream stream{.name = fmt::format("chain {}", streams_.size() + 1)};
    for (const std::size_t before : after) stream.after.push_back(streams_[before].name);
    stream.operations.push_back(operation);
    streams_.push_back(std::move(stream));
  }

  const OperationGraph& graph_;
  const std::string& file_;
  std::vector<training::StepStream> streams_;
  // Indexed by operation:
  std::vector<std::vector<std::size_t>> waits_;
  std::vector<std::size_t> followers_, stream_of_;
};

}  // namespace

std::vector<training::StepStream> operation_chains(const OperationGraph& graph, const std::string& file) {
  return Chains(graph, file).build();
}

}  // namespace assay::model::workload

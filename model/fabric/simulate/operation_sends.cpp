// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/simulate/operation_sends.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <random>

namespace assay::model::fabric {

namespace {

constexpr std::uint32_t no_group = ~0U;

/// Steps that send over the same flows as `step`, whichever way the pattern is named: the first of them.
int first_alike(const Pattern& pattern, int ranks, int step) {
  if (pattern.name.starts_with("ring_")) return 0;
  if (pattern.name != "halving_doubling_all_reduce") return step;
  return std::min(step, pattern.steps(ranks) - 1 - step);  // doubling mirrors halving
}

}  // namespace

OperationSends::OperationSends(const Operation& operation, std::span<const NodeId> host_of_rank,
                               double window_bytes)
    : operation_(&operation), host_of_rank_(host_of_rank) {
  const NodeId hosts = host_of_rank.empty() ? 0 : 1 + std::ranges::max(host_of_rank);
  group_of_host_.assign(hosts, no_group);
  index_of_host_.resize(hosts);
  for (std::uint32_t group = 0; group < operation.groups.size(); ++group)
    for (std::uint32_t index = 0; index < operation.groups[group].size(); ++index) {
      const NodeId at = host(group, index);
      group_of_host_[at] = group;
      index_of_host_[at] = index;
      hosts_.push_back(at);
    }
  std::ranges::sort(hosts_);
  if (operation.kind == OperationKind::permutation) draw_permutation();
  if (operation.kind != OperationKind::compute) list_steps(window_bytes);
}

int OperationSends::largest_group() const {
  std::size_t largest = 1;
  for (const RankGroup& group : operation_->groups) largest = std::max(largest, group.size());
  return static_cast<int>(largest);
}

void OperationSends::list_steps(double window_bytes) {
  const int ranks = largest_group();
  if (operation_->kind == OperationKind::collective) {
    std::map<int, double> repeats;
    for (int step = 0; step < operation_->pattern->steps(ranks); ++step)
      ++repeats[first_alike(*operation_->pattern, ranks, step)];
    for (const auto& [step, count] : repeats) steps_.push_back({step, count});
    return;
  }
  const bool large = window_bytes > 0 && static_cast<double>(operation_->bytes) / ranks > window_bytes;
  const AllToAllSteps how = operation_->all_to_all_steps;
  const bool shifts = operation_->kind == OperationKind::all_to_all &&
                      (how == AllToAllSteps::shifts || (how == AllToAllSteps::by_window && large));
  if (!shifts) {
    steps_.push_back({all_at_once, 1});
    return;
  }
  const int count = ranks - 1, kept = std::min(count, ranks > 4096 ? most_shifts : count);
  sampled_ = kept < count;
  for (int at = 0; at < kept; ++at)
    steps_.push_back({static_cast<int>(std::int64_t{count} * at / kept), static_cast<double>(count) / kept});
}

void OperationSends::draw_permutation() {
  permuted_.resize(group_of_host_.size());
  std::mt19937_64 random(operation_->seed);
  for (std::uint32_t group = 0; group < operation_->groups.size(); ++group) {
    std::vector<std::uint32_t> to(operation_->groups[group].size());
    std::iota(to.begin(), to.end(), 0U);
    for (std::size_t at = to.size(); at-- > 1;) std::swap(to[at], to[random() % (at + 1)]);
    for (std::uint32_t index = 0; index < to.size(); ++index)
      permuted_[host(group, index)] = host(group, to[index]);
  }
}

std::vector<int> OperationSends::steps_in_order() const {
  std::vector<int> steps;
  if (operation_->kind == OperationKind::collective) {
    steps.resize(static_cast<std::size_t>(operation_->pattern->steps(largest_group())));
    std::iota(steps.begin(), steps.end(), 0);
    return steps;
  }
  for (const DistinctStep& one : steps_) steps.push_back(one.step);
  return steps;
}

void OperationSends::sends_of(NodeId from, int step, const Send& send) const {
  if (from >= group_of_host_.size() || group_of_host_[from] == no_group) return;
  const std::uint32_t group = group_of_host_[from], index = index_of_host_[from];
  const auto ranks = static_cast<std::uint32_t>(operation_->groups[group].size());
  const auto put = [&](NodeId to, std::uint64_t bytes) {
    if (to != from) send(to, std::max<std::uint64_t>(1, bytes));
  };
  const auto block = [&](std::uint32_t at) {
    return operation_->bytes / ranks + (at < operation_->bytes % ranks ? 1 : 0);
  };
  switch (operation_->kind) {
    case OperationKind::collective:
      if (step < operation_->pattern->steps(static_cast<int>(ranks)))
        if (const auto sent = operation_->pattern->send({static_cast<int>(ranks), operation_->bytes}, step,
                                                        static_cast<int>(index)))
          put(host(group, static_cast<std::uint32_t>(sent->to)), sent->bytes);
      return;
    case OperationKind::all_to_all:
      if (step != all_at_once) {
        const std::uint32_t to = (index + static_cast<std::uint32_t>(step) + 1) % ranks;
        return put(host(group, to), block(to));
      }
      for (std::uint32_t to = 0; to < ranks; ++to) put(host(group, to), block(to));
      return;
    case OperationKind::incast:
      return put(host(group, 0), operation_->bytes);
    case OperationKind::permutation:
      return put(permuted_[from], operation_->bytes);
    case OperationKind::shift:
      return put(host(group, (index + operation_->by) % ranks), operation_->bytes);
    case OperationKind::compute:
      return;
  }
}

}  // namespace assay::model::fabric

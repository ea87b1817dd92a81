// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/simulate/steps/operation_sends.hpp"

#include <algorithm>

namespace assay::model::fabric {

namespace {

constexpr std::uint32_t no_group = ~0U;

}  // namespace

OperationSends::OperationSends(const Operation& operation, std::span<const NodeId> host_of_rank,
                               const SendSettings& settings)
    : operation_(&operation), host_of_rank_(host_of_rank) {
  const NodeId hosts = host_of_rank.empty() ? 0 : 1 + std::ranges::max(host_of_rank);
  group_of_host_.assign(hosts, no_group);
  index_of_host_.resize(hosts);
  for (std::uint32_t group = 0; group < operation.groups.size(); ++group)
    for (std::uint32_t index = 0; index < operation.groups[group].size(); ++index) {
      const NodeId at = host_of_rank_[operation.groups[group][index]];
      group_of_host_[at] = group;
      index_of_host_[at] = index;
      hosts_.push_back(at);
    }
  std::ranges::sort(hosts_);
  for (const RankGroup& group : operation.groups)
    if (!phases_.contains(group.size()))
      phases_[group.size()] = phases_of(operation, static_cast<int>(group.size()),
                                        {.per_server = settings.per_server,
                                         .window_bytes = settings.window_bytes,
                                         .shifts = sample(group, settings)});
  if (phases_.empty()) return;
  const auto ranks = static_cast<int>(phases_.rbegin()->first);
  equal_at_once_ = operation.kind == OperationKind::all_to_all && operation.blocks == BlockSizes::equal &&
                   !goes_in_shifts(operation, ranks, settings.window_bytes);
  list_steps();
}

/// A shift's kind is how far most of its messages go. The largest group's strata are kept.
std::vector<Shift> OperationSends::sample(const RankGroup& group, const SendSettings& settings) {
  const auto ranks = static_cast<int>(group.size());
  if (ranks <= most_ranks_of_all_shifts || !goes_in_shifts(*operation_, ranks, settings.window_bytes))
    return {};
  ShiftSample drawn = sample_shifts(ranks, sampled_shifts, [&](int distance) {
    if (!settings.distance) return 0;
    constexpr int senders = 63;
    std::map<int, int> kinds;
    for (int at = 0; at < senders; ++at) {
      const std::size_t from = group.size() * static_cast<std::size_t>(at) / senders;
      ++kinds[settings.distance(
          host_of_rank_[group[from]],
          host_of_rank_[group[(from + static_cast<std::size_t>(distance)) % group.size()]])];
    }
    return std::ranges::max_element(kinds, {}, [](const auto& kind) { return kind.second; })->first;
  });
  if (phases_.empty() || group.size() > phases_.rbegin()->first) strata_ = std::move(drawn.strata);
  return std::move(drawn.shifts);
}

const std::vector<Phase>& OperationSends::longest() const { return phases_.rbegin()->second; }

void OperationSends::list_steps() {
  std::map<std::size_t, std::size_t> place;  // among the steps, by the first phase alike
  for (std::size_t at = 0; at < longest().size(); ++at) {
    const Phase& phase = longest()[at];
    const auto [known, is_new] = place.try_emplace(phase.alike.value_or(at), steps_.size());
    if (is_new) steps_.push_back({static_cast<int>(at), 0, phase.latency_steps});
    steps_[known->second].repeats += operation_->times * phase.repeats;
  }
}

std::vector<int> OperationSends::steps_in_order() const {
  std::vector<int> steps;
  if (phases_.empty()) return steps;
  for (std::uint32_t time = 0; time < operation_->times; ++time)
    for (std::size_t at = 0; at < longest().size(); ++at)
      steps.insert(steps.end(), static_cast<std::size_t>(longest()[at].repeats), static_cast<int>(at));
  return steps;
}

void OperationSends::sends_of(NodeId from, int step, const Send& send) const {
  if (from >= group_of_host_.size() || group_of_host_[from] == no_group) return;
  const RankGroup& group = operation_->groups[group_of_host_[from]];
  const std::vector<Phase>& phases = phases_.at(group.size());
  if (static_cast<std::size_t>(step) >= phases.size()) return;
  phases[static_cast<std::size_t>(step)].sends(
      static_cast<int>(index_of_host_[from]), [&](int to, std::uint64_t bytes) {
        send(host_of_rank_[group[static_cast<std::size_t>(to)]], std::max<std::uint64_t>(1, bytes));
      });
}

}  // namespace assay::model::fabric

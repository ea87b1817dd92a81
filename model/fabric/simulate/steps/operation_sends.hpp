// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Who sends what to whom in each step of an operation, as places on the fabric.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <vector>

#include "model/fabric/simulate/steps/operation_phases.hpp"
#include "model/fabric/simulate/steps/shift_sample.hpp"
#include "model/fabric/topology.hpp"

namespace assay::model::fabric {

/// Steps with equal flows count as one that is repeated, as do those of an operation that is.
struct DistinctStep {
  int step = 0;  // the number of the operation's phase
  double repeats = 1;
  int latency_steps = 1;  // latencies until all of it has arrived
};

/// Places of senders and receivers, for all operations.
struct SendSettings {
  int per_server = 1;       // as PhaseSettings
  double window_bytes = 0;  // as PhaseSettings
  /// How far apart two hosts are: 0 on one leaf, and more the farther. Null: all alike.
  std::function<int(NodeId, NodeId)> distance = nullptr;
};

/// An all-to-all in shifts of more ranks goes by a sample of this many shifts.
inline constexpr int most_ranks_of_all_shifts = 4096, sampled_shifts = 64;

class OperationSends {
 public:
  using Send = std::function<void(NodeId to, std::uint64_t bytes)>;

  /// Both must outlive it.
  OperationSends(const Operation& operation, std::span<const NodeId> host_of_rank,
                 const SendSettings& settings);

  const Operation& operation() const { return *operation_; }
  /// Those that take part, by rising number.
  const std::vector<NodeId>& hosts() const { return hosts_; }
  const std::vector<DistinctStep>& steps() const { return steps_; }
  /// The kinds of shifts in the order of steps where some shifts stand for all, else none.
  const std::vector<ShiftStratum>& strata() const { return strata_; }
  /// Every rank of a group sends an equal block to every other, in one step.
  bool is_equal_at_once() const { return equal_at_once_; }
  /// Every step in its order. Not for a sample.
  std::vector<int> steps_in_order() const;
  int latency_steps_of(int step) const { return longest()[static_cast<std::size_t>(step)].latency_steps; }
  NodeId host_of(std::uint32_t rank) const { return host_of_rank_[rank]; }
  /// Calls `send` with what this host sends in the step.
  void sends_of(NodeId host, int step, const Send& send) const;

 private:
  std::vector<Shift> sample(const RankGroup& group, const SendSettings& settings);
  void list_steps();
  const std::vector<Phase>& longest() const;

  const Operation* operation_;
  std::span<const NodeId> host_of_rank_;
  std::vector<NodeId> hosts_;
  std::vector<std::uint32_t> group_of_host_, index_of_host_;
  std::map<std::size_t, std::vector<Phase>> phases_;  // by the ranks of a group
  std::vector<DistinctStep> steps_;
  std::vector<ShiftStratum> strata_;
  bool equal_at_once_ = false;
};

}  // namespace assay::model::fabric

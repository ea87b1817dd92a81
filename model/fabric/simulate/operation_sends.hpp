// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Who sends what to whom in each step of an operation, as places on the fabric.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "model/fabric/file/workload_file.hpp"
#include "model/fabric/topology.hpp"

namespace assay::model::fabric {

/// Steps with equal flows count as one that is repeated.
struct DistinctStep {
  int step = 0;  // all_at_once, or of the operation
  double repeats = 1;
};
inline constexpr int all_at_once = -1;

class OperationSends {
 public:
  using Send = std::function<void(NodeId to, std::uint64_t bytes)>;

  /// Both must outlive it. `window_bytes`: what a sender may have in flight, 0 for no limit; an all-to-all
  /// whose blocks are larger goes in shifts, unless the operation says how.
  OperationSends(const Operation& operation, std::span<const NodeId> host_of_rank, double window_bytes = 0);

  const Operation& operation() const { return *operation_; }
  /// Those that take part, by rising number.
  const std::vector<NodeId>& hosts() const { return hosts_; }
  /// Of more than most_shifts shifts, a sample evenly spaced.
  const std::vector<DistinctStep>& steps() const { return steps_; }
  bool sampled() const { return sampled_; }
  /// Every step in its order, or the sample.
  std::vector<int> steps_in_order() const;
  /// What this host sends in the step. A block of no bytes counts as one: it costs its latency.
  void sends_of(NodeId host, int step, const Send& send) const;

 private:
  void list_steps(double window_bytes);
  int largest_group() const;
  void draw_permutation();
  NodeId host(std::uint32_t group, std::uint32_t index) const {
    return host_of_rank_[operation_->groups[group][index]];
  }

  const Operation* operation_;
  std::span<const NodeId> host_of_rank_;
  std::vector<NodeId> hosts_;
  std::vector<std::uint32_t> group_of_host_, index_of_host_;
  std::vector<NodeId> permuted_;  // of each host
  std::vector<DistinctStep> steps_;
  bool sampled_ = false;
};

inline constexpr int most_shifts = 64;

}  // namespace assay::model::fabric

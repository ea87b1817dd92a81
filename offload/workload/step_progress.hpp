// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A step of compute and transfers under way: one thread passes through its compute, others move. Compute is a
// timer of the stated length that takes no core, as a GPU's compute takes none of the host's.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "harness/training/host_traffic.hpp"
#include "offload/pipeline/lane.hpp"

namespace assay::offload {

/// Times of one step.
struct HostStepTimes {
  double whole_s = 0;
  std::array<double, 2> link_s{};  // of all transfers, each from its begin to its end; by Direction
};

class StepProgress {
 public:
  explicit StepProgress(const training::HostStep& step);

  /// The next transfer of this direction, by its place in the step; nothing while it may not begin, or where
  /// all are done. For the thread that moves that direction.
  std::optional<std::size_t> next(Direction direction);
  void ended(Direction direction);
  /// Whether all of a direction have ended, or a mover failed.
  bool over(Direction direction) const;

  /// Passes through the step's compute, and returns when all transfers have ended, or when fail() was called.
  HostStepTimes run();
  void fail() { failed_ = true; }

 private:
  struct Lane {
    std::vector<std::size_t> transfers;
    std::atomic<std::size_t> ended = 0;
    double begin_s = 0, busy_s = 0;
  };
  Lane& lane(Direction direction) { return lanes_[static_cast<std::size_t>(direction)]; }
  const Lane& lane(Direction direction) const { return lanes_[static_cast<std::size_t>(direction)]; }
  bool has_ended(std::size_t transfer) const { return done_[transfer].load(std::memory_order_acquire); }
  void await_transfers_of(std::size_t pass) const;

  const training::HostStep& step_;
  std::array<Lane, 2> lanes_;
  std::unique_ptr<std::atomic<bool>[]> done_;  // by transfer
  std::atomic<std::size_t> passes_ = 0;
  std::atomic<bool> failed_ = false;
};

}  // namespace assay::offload

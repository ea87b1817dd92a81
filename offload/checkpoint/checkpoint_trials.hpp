// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Checkpoints as what is measured: one iteration saves one whole checkpoint, or restores it.
#pragma once

#include <vector>

#include "harness/core/benchmark.hpp"
#include "harness/host/arena.hpp"
#include "offload/checkpoint/checkpoint.hpp"

namespace assay::offload {

/// What both have: a state whose bytes no storage can compress, and its checkpoint.
class CheckpointTrial {
 public:
  CheckpointTrial(const CheckpointSettings& settings, std::int64_t bytes);
  virtual ~CheckpointTrial() = default;

  core::Timing enqueue(std::int64_t iterations);
  void sampling_begins() { times_.clear(); }
  std::vector<core::Fact> facts();

 protected:
  virtual std::vector<ShardTimes> run_once() = 0;

  const CheckpointSettings& settings() const { return settings_; }
  /// Of the samples: the slowest shard of each.
  const std::vector<ShardTimes>& times() const { return times_; }
  /// Restores into other memory and compares bit by bit.
  core::Verification compare_restored();
  std::span<std::byte> state() { return state_.as<std::byte>(); }
  std::span<std::byte> restored() { return restored_.as<std::byte>(); }
  Checkpoint& checkpoint() { return checkpoint_; }

 private:
  CheckpointSettings settings_;
  host::Arena state_, restored_;
  Checkpoint checkpoint_;
  std::vector<ShardTimes> times_;
};

/// Until every shard is synced.
class SaveTrial : public CheckpointTrial {
 public:
  using CheckpointTrial::CheckpointTrial;
  core::Verification check();
  std::vector<core::Metric> metrics(const core::Measurement& measurement);

 private:
  std::vector<ShardTimes> run_once() override { return checkpoint().write(state()); }
};

/// From the device, the page cache having been told to forget.
class RestoreTrial : public CheckpointTrial {
 public:
  RestoreTrial(const CheckpointSettings& settings, std::int64_t bytes);
  core::Verification check();

 private:
  std::vector<ShardTimes> run_once() override { return checkpoint().read(restored()); }
};

}  // namespace assay::offload

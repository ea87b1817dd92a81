// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A checkpoint as training takes it, in two stages: a snapshot into memory set aside, then the snapshot's way
// to storage while compute continues. One iteration is one whole checkpoint; compute runs all the
// time and is measured alone, during the snapshot and during the save.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "harness/core/measure/benchmark.hpp"
#include "offload/checkpoint/checkpoint_state.hpp"
#include "offload/checkpoint/checkpoint_store.hpp"
#include "offload/timed_steps.hpp"

namespace assay::offload {

enum class Snapshot {
  blocking,    // compute pauses: the state may change with every step
  concurrent,  // compute continues, as in a step's forward and backward pass, which only read the weights
};

/// As the point's axis `snapshot` says.
inline Snapshot snapshot_of(const core::Point& point) {
  return point.text("snapshot") == "blocking" ? Snapshot::blocking : Snapshot::concurrent;
}

/// Times of one checkpoint, in seconds.
struct TwoStageTimes {
  double snapshot_s = 0, stall_s = 0;  // the stall: from compute's pause until it may continue
  double save_s = 0, commit_s = 0;     // the commit is a part of the save
  double alone_step_s = 0, snapshot_step_s = 0, save_step_s = 0;  // median step; 0: none ended meanwhile
};

/// The time of a step as a multiple of its time alone.
inline double slowdown(double step_s, double alone_step_s) { return step_s / alone_step_s; }
/// Seconds of compute that did not happen for this checkpoint: the stall, and the share 1 - alone / during of
/// each stage during which compute continued.
double lost_s(const TwoStageTimes& times);

class TwoStageTrial {
 public:
  struct Setup {
    std::filesystem::path folder;  // a folder of this trial's own is made in it, and removed
    ShardSettings shards = {};
    std::unique_ptr<CheckpointState> state;
    Snapshot snapshot = Snapshot::blocking;
    TimedSteps::MakeStep make_step;
    std::string compute;  // what a step is, for the record
  };
  explicit TwoStageTrial(Setup setup);

  core::Timing enqueue(std::int64_t iterations);
  void sampling_begins();
  void sampling_ends() { setup_.state->sampling_ends(); }
  core::Verification check();
  std::vector<core::Metric> metrics(const core::Measurement& measurement);
  std::vector<core::Fact> facts();

 private:
  /// Removed with all it holds. Made only where `parent` has space for all the generations of a store.
  class OwnFolder {
   public:
    OwnFolder(const std::filesystem::path& parent, std::int64_t checkpoint_bytes);
    ~OwnFolder();
    OwnFolder(const OwnFolder&) = delete;
    OwnFolder& operator=(const OwnFolder&) = delete;
    const std::filesystem::path& path() const { return path_; }

   private:
    std::filesystem::path path_;
  };

  TwoStageTimes take_checkpoint();
  void take_snapshot(TwoStageTimes& times);

  Setup setup_;
  OwnFolder folder_;
  CheckpointStore store_;
  TimedSteps steps_;
  std::int64_t checkpoints_ = 0;
  bool direct_ = false;
  std::vector<TwoStageTimes> times_;
  double restore_s_ = 0;  // of the last checkpoint, from storage to where the state lies
};

}  // namespace assay::offload

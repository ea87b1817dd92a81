// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Training steps of one data-parallel rank, timed: 50 from fixed weights and data, then the same 50 again and
// again. The first run is made before anything is timed; all that follows must repeat it bit by bit.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "collectives/algorithms/table.hpp"
#include "collectives/measure/connected_ranks.hpp"
#include "collectives/measure/stragglers.hpp"
#include "collectives/training/resident_memory.hpp"
#include "collectives/training/training_rank.hpp"
#include "collectives/training/training_verdict.hpp"
#include "collectives/transport/executor.hpp"
#include "harness/core/measure/benchmark.hpp"
#include "harness/core/seconds_since.hpp"
#include "harness/team/team.hpp"

namespace assay::collectives {

inline constexpr std::int64_t training_steps = 50;  // of a run

/// Sums the gradients of all ranks.
Problem exchange_problem(const ModelShape& shape, int ranks);

class TrainingTrial {
 public:
  struct Setup {
    ConnectedRanks connected = {};
    ModelShape shape = {};
    const Algorithm* algorithm = nullptr;  // of the all-reduce
    std::unique_ptr<MatrixProducts> products = {};
    std::function<std::int64_t()> read_memory = resident_bytes;
    std::function<double()> seconds = core::steady_seconds;
  };
  /// Makes the first run, with all ranks.
  TrainingTrial(team::Team& team, Setup setup);

  core::Timing enqueue(std::int64_t iterations);
  core::Verification check();
  void sampling_begins() { times_.clear(); }
  std::vector<core::Metric> metrics(const core::Measurement& measurement);
  std::vector<core::Fact> facts() const;

 private:
  struct StepTimes {
    double whole_s = 0, pass_s = 0, exchange_s = 0;  // pass: until the exchange begins
  };

  StepTimes run_step();
  void exchange();
  void gather_late_ranks();
  std::vector<core::Metric> share_metrics();

  team::Team& team_;
  Setup setup_;
  Executor barrier_;
  std::optional<Executor> all_reduce_;  // one rank has none
  TrainingRank rank_;
  StepLog log_;
  ResidentMemory memory_;
  TrainingVerdict verdict_;
  Stragglers stragglers_;         // at rank 0
  std::vector<StepTimes> times_;  // since sampling began
  std::int64_t run_ = 0, repeated_ = 0;
};

}  // namespace assay::collectives

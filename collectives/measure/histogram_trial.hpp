// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Every kind of collective of a training step at one rank, one after the other, each timed by itself: busbw
// weighted by how often a step has it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "collectives/measure/connected_ranks.hpp"
#include "collectives/measure/group_part.hpp"
#include "collectives/measure/steps/step_plan.hpp"
#include "harness/core/measure/benchmark.hpp"

namespace assay::collectives {

class HistogramTrial {
 public:
  /// `rounds`: parts of the rank that has most. All ranks pass a barrier before each.
  HistogramTrial(team::Team& team, const Content& content, StepPlan plan, std::string name,
                 std::size_t rounds, ConnectedRanks connected);

  /// Times all parts, each once an iteration.
  core::Timing enqueue(std::int64_t iterations);
  core::Verification check();
  void sampling_begins();
  std::vector<core::Metric> metrics(const core::Measurement& measurement);
  std::vector<core::Fact> facts();

 private:
  std::vector<double> slowest_s() const;

  team::Team& team_;
  Content content_;
  StepPlan plan_;
  std::string name_;
  std::size_t rounds_;
  ConnectedRanks connected_;
  Executor barrier_;
  std::vector<GroupPart> parts_;
  std::vector<std::vector<double>> seconds_;  // of each part since sampling began
  std::vector<std::string> by_size_;
};

}  // namespace assay::collectives

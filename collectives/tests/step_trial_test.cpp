// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Steps on ranks that are threads: what is exposed, what hides, and that results are checked.
#include "collectives/measure/steps/step_trial.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <thread>

#include "collectives/measure/steps/small_step.hpp"
#include "harness/core/measure/measure.hpp"
#include "harness/team/thread_team.hpp"

namespace assay::collectives {
namespace {

using training::StepOperation;
using training::Traffic;

struct SeenSteps {
  core::Timing timing;
  core::Verification verification;
  std::map<std::string, double> metrics;
  std::vector<core::Fact> facts;
};

/// Runs five steps and returns what rank 0 sees.
SeenSteps measured_steps(const training::TrainingStep& step) {
  const auto ranks = static_cast<int>(step.ranks);
  auto teams = team::make_thread_teams(ranks);
  auto transports = make_thread_transports(ranks);
  std::vector<SeenSteps> seen(teams.size());
  std::vector<std::thread> threads;
  for (std::size_t rank = 0; rank < teams.size(); ++rank)
    threads.emplace_back([&, rank] {
      StepTrial trial(
          *teams[rank],
          host_step({.step = step}, {.post = std::make_shared<WatchPost>(static_cast<int>(rank), "127.0.0.1"),
                                     .transport = std::move(transports[rank]),
                                     .transport_name = "threads"}));
      trial.enqueue(1);
      trial.sampling_begins();
      seen[rank].timing = trial.enqueue(5);
      seen[rank].verification = trial.check();
      for (const core::Metric& one : trial.metrics({})) seen[rank].metrics[one.name] = one.value;
      seen[rank].facts = trial.facts();
    });
  for (std::thread& thread : threads) thread.join();
  for (const SeenSteps& one : seen)
    EXPECT_EQ(one.verification.result, core::Verification::Result::right) << one.verification.why;
  return seen.front();
}

StepOperation reduction(double bytes) {
  return {.name = "gradients", .traffic = Traffic::all_reduce, .groups = "0:2", .bytes = bytes};
}
StepOperation pass(double seconds) { return {.name = "pass", .compute_s = seconds}; }

TEST(StepTrial, TakesComputeAndExchangesThatWaitForEachOther) {
  training::TrainingStep step{.name = "in turn", .ranks = 2};
  add(step, {.name = "all", .operations = {pass(0.004), reduction(1 << 20), pass(0.006), reduction(64)}});
  const SeenSteps seen = measured_steps(step);
  EXPECT_EQ(seen.timing.each_s.size(), 5U);
  EXPECT_DOUBLE_EQ(seen.metrics.at("compute_us"), 10000);
  for (const double step_s : seen.timing.each_s) EXPECT_GE(step_s, 0.010);
  EXPECT_GE(seen.metrics.at("exposed_us"), 0.999 * seen.metrics.at("communication_us"));  // nothing hides
  EXPECT_GT(seen.metrics.at("busbw_gb_per_s"), 0);
}

TEST(StepTrial, HidesAnExchangeBehindComputeOfAnotherStream) {
  training::TrainingStep step{.name = "next to", .ranks = 2};
  add(step, {.name = "backward", .operations = {pass(0.100)}});
  add(step, {.name = "bucket", .operations = {reduction(16 << 20)}});
  const SeenSteps seen = measured_steps(step);
  EXPECT_LT(seen.metrics.at("exposed_us"), seen.metrics.at("communication_us"));
  EXPECT_DOUBLE_EQ(seen.metrics.at("compute_us"), 100000);
}

TEST(StepTrial, RunsEveryPresetAndFindsItsResultsRight) {
  for (const char* preset : {"ddp", "fsdp", "megatron", "moe", "dlrm"}) {
    const SeenSteps seen = measured_steps(small_step(preset, 4, 2, 64));
    EXPECT_GT(seen.metrics.at("communication_us"), 0) << preset;
    EXPECT_GT(seen.metrics.at("busbw_gb_per_s"), 0) << preset;
  }
}

TEST(StepTrial, SaysHowAPipelineRuns) {
  const SeenSteps seen = measured_steps(small_step("megatron", 4, 2, 64));
  EXPECT_THAT(seen.facts,
              testing::Contains(core::Fact("pipeline", "run as a shift: the last stage sends to the first")));
}

}  // namespace
}  // namespace assay::collectives

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Whole training steps by NCCL, on ranks that are threads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collectives/measure/steps/small_step.hpp"
#include "collectives/measure/steps/step_trial.hpp"
#include "collectives/nccl/tests/measured_world.hpp"

namespace assay::collectives {
namespace {

using testing::HasSubstr;

struct SeenStep {
  core::Verification verification;
  std::map<std::string, double> metrics;
  std::map<std::string, std::string> facts;
};

SeenStep step_of_rank(const training::TrainingStep& step, const How& how, const nccl::Calls& calls,
                      team::Team& team, std::unique_ptr<Transport> transport) {
  KeptSlot kept;
  const auto world = make_nccl_world(team, {.kept = &kept}, parts_of(how, calls, team.rank()));
  StepTrial trial(team, nccl_step({.step = step},
                                  {.post = std::make_shared<WatchPost>(team.rank(), "127.0.0.1"),
                                   .transport = std::move(transport),
                                   .transport_name = "threads"},
                                  *world));
  trial.enqueue(1);
  trial.sampling_begins();
  trial.enqueue(3);
  SeenStep seen;
  seen.verification = trial.check();
  for (const core::Metric& one : trial.metrics({})) seen.metrics[one.name] = one.value;
  seen.facts = as_texts(trial.facts());
  return seen;
}

std::vector<SeenStep> steps_by_nccl(const training::TrainingStep& step, const How& how = {}) {
  reset_fake();
  const nccl::Calls calls = fake_calls(true);
  const auto ranks = static_cast<int>(step.ranks);
  auto teams = team::make_thread_teams(ranks);
  auto transports = make_thread_transports(ranks);
  std::vector<SeenStep> seen(teams.size());
  on_threads(ranks, [&](int rank) {
    const auto index = static_cast<std::size_t>(rank);
    OneHostTeam team(std::move(teams[index]));
    seen[index] = step_of_rank(step, how, calls, team, std::move(transports[index]));
  });
  return seen;
}

TEST(NcclStep, RunsEveryPresetAndFindsItsResultsRight) {
  for (const char* preset : {"ddp", "fsdp", "megatron", "moe", "dlrm"}) {
    const auto seen = steps_by_nccl(small_step(preset, 4, 2, 64));
    for (const SeenStep& rank : seen)
      EXPECT_EQ(rank.verification.result, core::Verification::Result::right)
          << preset << ": " << rank.verification.why;
    EXPECT_GT(seen[0].metrics.at("communication_us"), 0) << preset;
    EXPECT_EQ(seen[0].facts.at("transport"), "nccl");
    EXPECT_EQ(seen[3].facts.at("gpu_pci_address"), "0000:03:00.0");
    EXPECT_THAT(seen[0].facts.at("time_counts"), HasSubstr("the host waits for each collective"));
  }
}

TEST(NcclStep, RunsVectorsThatTheRanksDoNotDivide) {
  training::TrainingStep step{.name = "odd", .ranks = 5};
  training::StepStream stream{.name = "all"};
  for (const auto traffic : {training::Traffic::all_gather, training::Traffic::reduce_scatter,
                             training::Traffic::all_reduce, training::Traffic::all_to_all})
    stream.operations.push_back({.name = "odd", .traffic = traffic, .groups = "0:5:1:5", .bytes = 4 * 23});
  add(step, stream);
  for (const auto& preset : {step, small_step("fsdp", 5, 2, 64)})
    for (const SeenStep& rank : steps_by_nccl(preset))
      EXPECT_EQ(rank.verification.result, core::Verification::Result::right) << rank.verification.why;
}

TEST(NcclStep, SplitsACommunicatorForEachGroupOnce) {
  training::TrainingStep step{.name = "pairs", .ranks = 4};
  const auto reduction = [](const char* groups, double bytes) {
    return training::StepOperation{
        .name = "r", .traffic = training::Traffic::all_reduce, .groups = groups, .bytes = bytes};
  };
  add(step, {.name = "all",
             .operations = {reduction("0-1 2-3", 64), reduction("0-1 2-3", 128), reduction("0:4:1:4", 64)}});
  steps_by_nccl(step);
  EXPECT_EQ(fake().count("comm_split"), 3 * 4) << "every rank takes part in every split";
  EXPECT_EQ(fake().count("comm_destroy child"), 2 * 4) << "a rank is in a pair, and among all";
}

TEST(NcclStep, WithAWrongResultSaysWhichRankSawIt) {
  const auto seen = steps_by_nccl(small_step("ddp", 2, 2, 64), {.spoils = true});
  EXPECT_EQ(seen[0].verification.result, core::Verification::Result::right);
  EXPECT_EQ(seen[1].verification.result, core::Verification::Result::wrong);
}

}  // namespace
}  // namespace assay::collectives

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/measure/steps/step_plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collectives/measure/steps/small_step.hpp"

namespace assay::collectives {
namespace {

using training::Traffic;

training::TrainingStep two_groups() {
  training::TrainingStep step{.name = "two groups", .ranks = 4};
  add(step,
      {.name = "all",
       .operations = {
           {.name = "compute", .compute_s = 1},
           {.name = "near", .traffic = Traffic::all_reduce, .groups = "0:4:1:2", .bytes = 4096, .times = 3},
           {.name = "far", .traffic = Traffic::all_gather, .groups = "0+3", .bytes = 30}}});
  return step;
}

TEST(StepPlan, HasTheCollectivesOfTheRanksOwnGroups) {
  const StepPlan first = step_plan(two_groups(), 0, {}, DataType::fp32);
  ASSERT_EQ(first.parts.size(), 2U);
  EXPECT_THAT(first.parts[0].members, testing::ElementsAre(0, 1));
  EXPECT_EQ(first.parts[0].problem.count, 1024);
  EXPECT_EQ(first.parts[0].times, 3);
  EXPECT_EQ(first.parts[1].problem.count, 8);  // 30 bytes are 8 elements
  const StepPlan second = step_plan(two_groups(), 1, {}, DataType::fp32);
  ASSERT_EQ(second.parts.size(), 1U);
  EXPECT_EQ(second.actions.size(), first.actions.size());
  EXPECT_EQ(second.actions.back().part, -1);
}

TEST(StepPlan, ComputesWhatItsRankComputes) {
  training::TrainingStep step = two_groups();
  step.streams[0].operations[0].groups = "1-2";
  EXPECT_EQ(step_plan(step, 0, {}, DataType::fp32).actions[0].compute_s, 0);
  EXPECT_EQ(step_plan(step, 2, {}, DataType::fp32).actions[0].compute_s, 1);
}

TEST(StepPlan, CountsBytesAndSizes) {
  const StepPlan plan = step_plan(two_groups(), 0, {0, 0, 1, 1}, DataType::fp32);
  EXPECT_DOUBLE_EQ(counted_bytes(plan, DataType::fp32), 3 * 4096 + 32);
  EXPECT_EQ(sizes_text(plan, DataType::fp32), "32B: 1 all_gather, 4KiB: 3 all_reduce");
  EXPECT_DOUBLE_EQ(bus_bytes(plan.parts[0].problem, DataType::fp32), 4096);      // 2 (n - 1) / n
  EXPECT_DOUBLE_EQ(bus_bytes(plan.parts[1].problem, DataType::fp32), 32.0 / 2);  // (n - 1) / n
  EXPECT_DOUBLE_EQ(buffer_bytes(plan, 0, DataType::fp32), 2 * 4096 + 32 + 16);
  EXPECT_EQ(plan.parts[1].problem.nodes(), 2);
}

TEST(StepPlan, OfAMatrixCountsWhatIsSentToOthers) {
  const StepPlan plan = step_plan(small_step("dlrm", 4, 1, 32), 0, {}, DataType::fp32);
  double most = 0;
  for (const StepPart& part : plan.parts)
    if (part.problem.operation == Operation::all_to_all_v)
      most = std::max(most, bus_bytes(part.problem, DataType::fp32));
  EXPECT_DOUBLE_EQ(most, 3 * 7 * 64 * 64 * 4);  // 7 tables of 26 at most, to 3 ranks
}

TEST(StepPlan, OfARankIsInTheOrderOfAllRanksParts) {
  for (const char* preset : {"ddp", "fsdp", "megatron", "moe", "dlrm"}) {
    const training::TrainingStep step = small_step(preset, 4, 2, 64);
    const std::vector<StepPart> all = parts_of_all_ranks(step, {}, DataType::fp32);
    for (int rank = 0; rank < 4; ++rank) {
      const StepPlan plan = step_plan(step, rank, {}, DataType::fp32);
      std::size_t own = 0;
      for (const StepPart& part : all) {
        if (std::ranges::find(part.members, rank) == part.members.end()) continue;
        ASSERT_LT(own, plan.parts.size()) << preset;
        EXPECT_EQ(plan.parts[own].members, part.members) << preset;
        EXPECT_EQ(plan.parts[own].problem.operation, part.problem.operation) << preset;
        EXPECT_EQ(plan.parts[own].problem.count, part.problem.count) << preset;
        ++own;
      }
      EXPECT_EQ(own, plan.parts.size()) << preset;
    }
  }
}

}  // namespace
}  // namespace assay::collectives

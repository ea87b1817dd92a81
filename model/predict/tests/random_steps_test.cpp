// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Rules that hold for any configuration, on 10,000 random ones from a fixed seed.
#include <gtest/gtest.h>

#include <cmath>

#include "model/predict/step/stats.hpp"
#include "model/predict/tests/random_configurations.hpp"

namespace assay::model {
namespace {

constexpr int wanted = 10'000;

/// Calls `look(configuration, prediction)` for every feasible one of `wanted`, and says how many there were.
template <typename Look>
int feasible_ones(Look look) {
  RandomConfigurations steps;
  int feasible = 0;
  for (int i = 0; i < wanted; ++i) {
    const Configuration configuration = steps.next();
    const Prediction prediction = predict(configuration);
    if (!prediction.verdict.feasible()) continue;
    look(configuration, prediction);
    ++feasible;
    if (testing::Test::HasFailure()) break;
  }
  return feasible;
}

TEST(RandomStepsOfTheModel, HaveNoFieldThatIsNoNumber) {
  const int feasible = feasible_ones([](const Configuration& configuration, const Prediction& prediction) {
    for (const Stat& stat : stats(configuration.execution, prediction.block, prediction.step))
      ASSERT_TRUE(is_number_or_unbounded(configuration, stat)) << stat.name;
  });
  EXPECT_GT(feasible, 1000);
}

TEST(RandomStepsOfTheModel, TakeTheSumOfTheirParts) {
  feasible_ones([](const Configuration&, const Prediction& prediction) {
    const StepTime& t = prediction.step.time;
    const double parts = t.forward_s + t.backward_s + t.optimizer_s + t.recompute_s + t.bubble_s +
                         t.forward_offload_s + t.backward_offload_s + t.tensor_exposed_s +
                         t.repeated_exposed_s + t.pipeline_exposed_s + t.data_exposed_s;
    ASSERT_NEAR(parts, t.total_s, 1e-12 * t.total_s);
    ASSERT_GT(t.total_s, 0);
    for (const double part :
         {t.forward_s, t.backward_s, t.optimizer_s, t.recompute_s, t.bubble_s, t.forward_offload_s,
          t.backward_offload_s, t.tensor_exposed_s, t.pipeline_exposed_s})
      ASSERT_GE(part, 0);
  });
}

TEST(RandomStepsOfTheModel, FitAnyLargerMemoryAndNoSmallerOneThanTheyNeed) {
  feasible_ones([](Configuration configuration, const Prediction& prediction) {
    const double needs = prediction.step.memory.tier1;
    ASSERT_LE(needs, configuration.system.mem1.capacity_bytes);
    configuration.system.mem1.capacity_bytes *= 2;
    ASSERT_TRUE(predict(configuration).verdict.feasible());
    configuration.system.mem1.capacity_bytes = needs * 0.999;
    ASSERT_EQ(predict(configuration).verdict.obstacle, Obstacle::mem1_too_small);
  });
}

TEST(RandomStepsOfTheModel, NeedMoreMemoryForMoreBlocks) {
  feasible_ones([](Configuration configuration, const Prediction& prediction) {
    configuration.application.num_blocks +=
        configuration.execution.pipeline_par * configuration.execution.interleaving;
    configuration.system.mem1.capacity_bytes = configuration.system.mem2.capacity_bytes = 1e18;
    const Prediction more = predict(configuration);
    ASSERT_TRUE(more.verdict.feasible());
    ASSERT_GE(more.step.memory.tier1, prediction.step.memory.tier1);
    ASSERT_GE(more.step.memory.tier2, prediction.step.memory.tier2);
    ASSERT_GT(more.step.time.total_s, prediction.step.time.total_s);
  });
}

TEST(RandomStepsOfTheModel, OffloadNeverNeedsMoreOfTheFirstMemory) {
  feasible_ones([](Configuration configuration, const Prediction& prediction) {
    Execution& e = configuration.execution;
    if (e.any_offload() || !e.training || prediction.step.memory.tier1 == 0) return;
    e.weight_offload = e.optimizer_offload = true;
    configuration.system.mem2.capacity_bytes = 1e18;
    const Prediction offloaded = predict(configuration);
    if (!offloaded.verdict.feasible()) return;  // fewer than 3 blocks
    ASSERT_LE(offloaded.step.memory.tier1, prediction.step.memory.tier1);
    ASSERT_GT(offloaded.step.memory.tier2, 0);
  });
}

TEST(RandomStepsOfTheModel, AreNotSlowedByAFasterMatrixEngine) {
  feasible_ones([](Configuration configuration, const Prediction& prediction) {
    if (configuration.execution.data_par_overlap ||
        configuration.execution.tensor_par_overlap != TensorParOverlap::none)
      return;  // less compute also hides less communication
    const double peak = 2 * configuration.system.matrix[1]->peak_flop_per_s;
    configuration.system.matrix[1] = Engine{peak, Staircase({{0, 1 / peak}})};
    ASSERT_LE(predict(configuration).step.time.total_s, prediction.step.time.total_s * (1 + 1e-12));
  });
}

}  // namespace
}  // namespace assay::model

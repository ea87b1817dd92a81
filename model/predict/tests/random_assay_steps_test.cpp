// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Rules that hold for any configuration of assay's model, on 10,000 random ones from a fixed seed.
#include <gtest/gtest.h>

#include <cmath>

#include "model/predict/step/stats.hpp"
#include "model/predict/tests/random_configurations.hpp"

namespace assay::model {
namespace {

template <typename Look>
void feasible_assay_steps(Look look) {
  RandomConfigurations configurations;
  int feasible = 0;
  for (int i = 0; i < 10'000; ++i) {
    const Configuration configuration = configurations.next_extended();
    const Prediction prediction = predict(configuration);
    if (!prediction.verdict.feasible()) continue;
    look(configuration, prediction);
    ++feasible;
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(feasible, 1000);
}

TEST(RandomStepsOfAssaysModel, AreFiniteAndTakeTheSumOfPartsThatAreNotNegative) {
  feasible_assay_steps([](const Configuration& configuration, const Prediction& prediction) {
    std::vector<Stat> all = stats(configuration.execution, prediction.block, prediction.step);
    add_assay_stats(all, prediction.step);
    for (const Stat& stat : all) ASSERT_TRUE(is_number_or_unbounded(configuration, stat)) << stat.name;
    const StepTime& t = prediction.step.time;
    double sum = 0;
    for (const double part :
         {t.forward_s, t.backward_s, t.optimizer_s, t.recompute_s, t.bubble_s, t.forward_offload_s,
          t.backward_offload_s, t.tensor_exposed_s, t.repeated_exposed_s, t.pipeline_exposed_s,
          t.data_exposed_s, t.expert_exposed_s, t.ends_s}) {
      ASSERT_GE(part, 0);
      sum += part;
    }
    ASSERT_NEAR(sum, t.total_s, 1e-12 * t.total_s);
  });
}

TEST(RandomStepsOfAssaysModel, FillTheFirstMemoryWithTheSumOfTheirClasses) {
  feasible_assay_steps([](const Configuration& configuration, const Prediction& prediction) {
    if (configuration.execution.any_offload()) return;
    const StepMemory& m = prediction.step.memory;
    const double sum = m.weight + m.activation + m.checkpoint + m.activation_gradient + m.weight_gradient +
                       m.optimizer + m.ends;
    ASSERT_NEAR(sum, m.tier1, 1e-12 * sum);
    for (const double part : {m.weight, m.activation, m.checkpoint, m.activation_gradient, m.weight_gradient,
                              m.optimizer, m.ends})
      ASSERT_GE(part, 0);
  });
}

TEST(RandomStepsOfAssaysModel, AreNotSlowedByHidingGradients) {
  int hidden = 0;
  feasible_assay_steps([&](Configuration configuration, const Prediction& prediction) {
    if (!configuration.execution.data_par_overlap) return;
    configuration.execution.data_par_overlap = false;
    const StepTime without = predict(configuration).step.time;
    ASSERT_LE(prediction.step.time.total_s, without.total_s * (1 + 1e-12));
    ASSERT_LE(prediction.step.time.data_exposed_s, without.data_link_s * (1 + 1e-12));
    hidden += prediction.step.time.total_s < without.total_s ? 1 : 0;
  });
  EXPECT_GT(hidden, 100);
}

TEST(RandomStepsOfAssaysModel, AreNotSlowedByHidingExchangesOfTensors) {
  int hidden = 0;
  feasible_assay_steps([&](Configuration configuration, const Prediction& prediction) {
    Execution& e = configuration.execution;
    if (e.tensor_par_overlap == TensorParOverlap::none || e.data_par_overlap || e.any_offload()) return;
    e.tensor_par_overlap = TensorParOverlap::none;
    configuration.system.mem1.capacity_bytes = configuration.system.mem2.capacity_bytes = 1e18;
    const double without_s = predict(configuration).step.time.total_s;
    ASSERT_LE(prediction.step.time.total_s, without_s * (1 + 1e-12))
        << "communication " << static_cast<int>(e.tensor_par_comm) << ", recompute "
        << static_cast<int>(e.recompute) << ", again " << e.seq_par_ag_redo << ", tensor " << e.tensor_par;
    hidden += prediction.step.time.total_s < without_s ? 1 : 0;
  });
  EXPECT_GT(hidden, 50);
}

TEST(RandomStepsOfAssaysModel, AreNotSlowedByFasterNetworks) {
  feasible_assay_steps([](Configuration configuration, const Prediction& prediction) {
    for (Network& network : configuration.system.networks) network.bandwidth_b_per_s *= 2;
    ASSERT_LE(predict(configuration).step.time.total_s, prediction.step.time.total_s * (1 + 1e-12));
  });
}

TEST(RandomStepsOfAssaysModel, AreNotSlowedByAFasterMatrixEngine) {
  feasible_assay_steps([](Configuration configuration, const Prediction& prediction) {
    const Execution& e = configuration.execution;
    // In a roofline an exchange hides behind compute but not behind memory, so that less compute hides less.
    if (e.data_par_overlap ||
        (e.tensor_par_overlap != TensorParOverlap::none && configuration.system.roofline))
      return;
    const double peak = 2 * configuration.system.matrix[1]->peak_flop_per_s;
    configuration.system.matrix[1] = Engine{peak, Staircase({{0, 1 / peak}})};
    ASSERT_LE(predict(configuration).step.time.total_s, prediction.step.time.total_s * (1 + 1e-12));
  });
}

// With attention recomputed the scores are not kept anyway.
TEST(RandomStepsOfAssaysModel, KeepLessWithFusedAttention) {
  feasible_assay_steps([](Configuration configuration, const Prediction& prediction) {
    if (configuration.execution.recompute != Recompute::none) return;
    configuration.system.mem1.capacity_bytes = configuration.system.mem2.capacity_bytes = 1e18;
    configuration.execution.fused_attention = true;
    ASSERT_LE(predict(configuration).block.stored_bytes, prediction.block.stored_bytes);
  });
}

}  // namespace
}  // namespace assay::model

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What must hold for any configuration, on 10,000 random ones from a fixed seed.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "model/predict/stats.hpp"
#include "model/predict/tests/sample_files.hpp"

namespace assay::model {
namespace {

constexpr int wanted = 10'000;

class RandomSteps {
 public:
  /// A configuration that misfit() has nothing against.
  Configuration next() {
    for (;;) {
      Configuration drawn{.application = application(), .execution = execution(), .system = system()};
      if (misfit(drawn.application, drawn.execution, drawn.system).empty()) return drawn;
    }
  }

 private:
  std::int64_t pick(std::initializer_list<std::int64_t> from) {
    return from.begin()[std::uniform_int_distribution<std::size_t>(0, from.size() - 1)(engine_)];
  }
  bool coin() { return pick({0, 1}) == 1; }
  double real(double least, double most) {
    return std::uniform_real_distribution<double>(least, most)(engine_);
  }

  Application application() {
    const std::int64_t heads = pick({8, 16, 24, 96, 128});
    const std::int64_t size = pick({32, 64, 128, 160});
    return {.hidden = heads * size,
            .feedforward = 4 * heads * size,
            .seq_size = pick({512, 1024, 2048, 8192}),
            .attn_heads = heads,
            .attn_size = size,
            .num_blocks = pick({12, 24, 48, 96, 105, 128})};
  }

  Execution execution() {
    Execution e;
    e.tensor_par = pick({1, 2, 4, 8});
    e.pipeline_par = pick({1, 2, 4, 5, 8, 12});
    e.data_par = pick({1, 2, 4, 16});
    e.num_procs = e.tensor_par * e.pipeline_par * e.data_par;
    e.tensor_par_net = coin() ? 1 : 0;
    e.pipeline_par_net = coin() ? 1 : 0;
    e.data_par_net = coin() ? 1 : 0;
    e.microbatch_size = pick({1, 2, 4});
    e.batch_size = e.data_par * e.microbatch_size * pick({1, 3, 4, 16, 60});
    e.fused_activation = coin();
    e.attention = coin() ? Attention::multihead : Attention::multiquery;
    e.recompute = static_cast<Recompute>(pick({0, 1, 2}));
    e.interleaving = pick({1, 1, 2, 3, 4});
    e.optimizer_sharding = coin();
    e.tensor_par_comm = static_cast<TensorParComm>(pick({0, 1, 2}));
    e.tensor_par_overlap = static_cast<TensorParOverlap>(pick({0, 1, 2}));
    e.seq_par_ag_redo = coin();
    e.data_par_overlap = coin();
    e.weight_offload = coin();
    e.activations_offload = coin();
    e.optimizer_offload = coin();
    e.training = pick({0, 1, 1, 1}) == 1;
    return e;
  }

  static Staircase staircase(double peak) {
    return Staircase({{1e9, 1 / (peak * 0.9)}, {1e6, 1 / (peak * 0.5)}, {0, 1 / (peak * 0.1)}});
  }

  System system() {
    System s;
    const double tflops = real(100, 2000) * 1e12;
    s.matrix[1] = Engine{tflops, staircase(tflops)};
    s.vector[1] = Engine{tflops / 10, staircase(tflops / 10)};
    s.mem1 = {.capacity_bytes = real(20, 400) * 1e9, .peak_b_per_s = 3e12, .by_bytes = staircase(3e12)};
    s.mem2 = {.capacity_bytes = real(100, 4000) * 1e9, .peak_b_per_s = 1e11, .by_bytes = staircase(1e11)};
    s.roofline = coin();
    const std::array<Network::Operation, 4> ring = {{{1, 0}, {1, -1}, {1, -1}, {2, -1}}};
    s.networks = {{.bandwidth_b_per_s = real(1e11, 4e11),
                   .size = 8,
                   .latency_s = 1e-5,
                   .processor_usage = real(0, 0.3),
                   .operations = ring},
                  {.bandwidth_b_per_s = real(1e10, 5e10),
                   .size = 1 << 20,
                   .latency_s = 2e-5,
                   .processor_usage = 0.02,
                   .operations = ring}};
    return s;
  }

  std::mt19937_64 engine_{20261121};
};

/// Calls `look(configuration, prediction)` for every feasible one of `wanted`, and says how many there were.
template <typename Look>
int feasible_ones(Look look) {
  RandomSteps steps;
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
      ASSERT_TRUE(!stat.value || std::isfinite(*stat.value)) << stat.name;
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

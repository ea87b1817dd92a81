// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A bound is never above what it bounds, on random configurations from a fixed seed, and near enough to be of
// use. The memory that is worked out once is the evaluation's, bit by bit.
#include "model/predict/step/step_bound.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

#include "model/predict/step/laid_out_memory.hpp"
#include "model/predict/tests/random_configurations.hpp"

namespace assay::model {
namespace {

constexpr int switches = 5;  // sharding, overlap, three offloads

void turn(Execution& e, int which) {
  e.optimizer_sharding = (which & 1) != 0;
  e.data_par_overlap = (which & 2) != 0;
  e.weight_offload = (which & 4) != 0;
  e.activations_offload = (which & 8) != 0;
  e.optimizer_offload = (which & 16) != 0;
}

/// Curves, laws and shares that were measured, as files of `assay fit` bring them.
void measure(Configuration& configuration, std::mt19937& random) {
  Network& network = configuration.system.networks[random() % 2];
  const double slow_s = 1e-5 * static_cast<double>(random() % 100);
  const auto all_reduces = [slow_s](double bytes) { return slow_s + bytes / 2e11; };
  const auto gathers = [slow_s](double bytes, double members) { return slow_s * members + bytes / 5e10; };
  network.curves = {{Collective::all_reduce, 4, all_reduces}};
  network.laws = {{Collective::all_gather, gathers}};
  if (random() % 2 == 0) network.gradient_overlap = 0.01 * static_cast<double>(random() % 101);
  configuration.system.vectors = {{VectorKernel::adam, VectorPass::forward, 2, 0,
                                   [slow_s](const VectorCall& call) { return slow_s + call.bytes / 1e12; }}};
}

template <typename Look>
void random_groups(Look look) {
  RandomConfigurations configurations;
  std::mt19937 random(20261127);
  for (int i = 0; i < 4'000; ++i) {
    Configuration configuration = i % 2 == 0 ? configurations.next() : configurations.next_extended();
    if (i % 3 == 0) measure(configuration, random);
    configuration.system.mem1.capacity_bytes = configuration.system.mem2.capacity_bytes = 1e18;
    look(configuration);
    if (testing::Test::HasFailure()) return;
  }
}

/// The steps around this block choice that can be laid out.
std::vector<double> steps_around(Configuration configuration, const BlockCost& block) {
  const auto& [application, execution, system, model, coefficients] = configuration;
  std::vector<double> all;
  Step step;
  for (int which = 0; which < 1 << switches; ++which) {
    turn(configuration.execution, which);
    if (evaluate(application, execution, system, block, step).feasible()) all.push_back(step.time.total_s);
  }
  return all;
}

TEST(LeastStep, IsNeverAboveAStepThatItBoundsAndNear) {
  int groups = 0, within_percent = 0;
  random_groups([&](const Configuration& configuration) {
    const auto& [application, execution, system, model, coefficients] = configuration;
    const BlockCost block = block_cost(application, execution, system);
    const std::vector<double> all = steps_around(configuration, block);
    if (all.empty()) return;
    const double least_s = least_step_s(execution, system, block, Schedule(application, execution));
    const double fastest_s = *std::ranges::min_element(all);
    ASSERT_LE(least_s, fastest_s);
    ++groups;
    within_percent += least_s > 0.99 * fastest_s ? 1 : 0;
  });
  EXPECT_GT(groups, 1000);
  EXPECT_GT(within_percent, groups / 2);
}

TEST(LeastStep, OfWeightsInShardsIsNeverAboveAStepThatItBounds) {
  int bounded = 0;
  random_groups([&](Configuration configuration) {
    auto& [application, execution, system, model, coefficients] = configuration;
    if (application.experts > 0 || execution.copies() == 1 || !execution.training) return;
    const BlockCost block = block_cost(application, execution, system);
    const double least_s = least_sharded_step_s(execution, system, block, Schedule(application, execution));
    execution.parameter_sharding = true;
    for (int which = 0; which < 1 << switches; ++which) {
      turn(execution, which);
      Step step;
      if (!misfit(application, execution, system).empty() ||
          !evaluate(application, execution, system, block, step).feasible())
        continue;
      ASSERT_LE(least_s, step.time.total_s);
      bounded += least_s > 0.9 * step.time.total_s ? 1 : 0;
    }
  });
  EXPECT_GT(bounded, 1000);
}

// A network whose line falls below no time at all has no bound.
TEST(LeastStep, IsThereForNoNetworkThatTakesLessThanNoTime) {
  RandomConfigurations configurations;
  Configuration configuration = configurations.next();
  while (!configuration.execution.training || configuration.execution.data_par == 1)
    configuration = configurations.next();
  auto& [application, execution, system, model, coefficients] = configuration;
  const BlockCost block = block_cost(application, execution, system);
  const Schedule schedule(application, execution);
  EXPECT_GT(least_step_s(execution, system, block, schedule), 0);
  system.networks[execution.data_par_net].processor_usage = -1;
  EXPECT_EQ(least_step_s(execution, system, block, schedule), -INFINITY);
  system.networks[execution.data_par_net].processor_usage = 0;
  for (Network::Operation& operation : system.networks[execution.data_par_net].operations)
    operation.scalar = -1e9;
  EXPECT_EQ(least_step_s(execution, system, block, schedule), -INFINITY);
}

TEST(LaidOutMemory, IsThatOfTheEvaluationBitByBit) {
  int compared = 0;
  random_groups([&](const Configuration& configuration) {
    const auto& [application, execution, system, model, coefficients] = configuration;
    const BlockCost block = block_cost(application, execution, system);
    const Schedule schedule(application, execution);
    for (const int sharding : {0, 1}) {
      Execution e = execution;
      turn(e, sharding);
      const StepInputs in{e, system, block, schedule};
      LaidOutMemory memory(in);
      for (int offloads = 0; offloads < 8; ++offloads) {
        Execution there = e;
        turn(there, sharding + 4 * offloads);
        Step step;
        evaluate_laid_out(there, system, block, schedule, step);
        const StepMemory& got = memory.with_offloads_of(there);
        ASSERT_EQ(std::memcmp(&got, &step.memory, sizeof got), 0);
        ++compared;
      }
    }
  });
  EXPECT_EQ(compared, 64'000);
}

}  // namespace
}  // namespace assay::model

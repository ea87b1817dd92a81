// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Simulated pipelines against the bubbles that their authors publish.
#include "model/predict/step/pipeline.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "harness/core/tests/message_of.hpp"
#include "model/predict/answer/prediction.hpp"
#include "model/predict/tests/sample_files.hpp"

namespace assay::model {
namespace {

using enum PipelineSchedule;
using nlohmann::json;

template <typename Look>
void random_pipelines(Look look) {
  std::mt19937_64 random(20261201);
  for (int i = 0; i < 200; ++i) {
    std::uniform_int_distribution<int> stages(1, 8), rounds(1, 4);
    std::uniform_real_distribution<double> seconds(0.1, 2);
    const int p = 2 * stages(random);
    PassTimes times{.forward_s = seconds(random), .backward_s = seconds(random), .weights_s = 0};
    times.weights_s = times.backward_s * std::uniform_real_distribution<double>(0.2, 1)(random);
    look(p, 2 * p * rounds(random), times);
    if (testing::Test::HasFailure()) return;
  }
}

// (p - 1)(F + B), over v where interleaved.
TEST(Pipelines, WithChunksHaveTheBubbleOfMegatron) {
  random_pipelines([](int p, int m, const PassTimes& t) {
    const double all_s = t.forward_s + t.backward_s + t.weights_s;
    for (const int v : {1, 2, 3})
      EXPECT_NEAR(pipeline_span_s({.stages = p, .microbatches = m, .chunks = v}, t) - m * all_s,
                  (p - 1) * all_s / v, 1e-9 * m * all_s)
          << p << " stages, " << m << " microbatches, " << v << " chunks";
  });
}

// (p - 1)(F + B - W) where a weights' pass is not longer than a forward pass.
TEST(Pipelines, OfZeroBubbleHaveThatOfItsFirstHandmadeSchedule) {
  random_pipelines([](int p, int m, const PassTimes& t) {
    if (t.weights_s > t.forward_s) return;
    const double bubble_s = (p - 1) * (t.forward_s + t.backward_s - t.weights_s);
    EXPECT_NEAR(pipeline_bubble_s({zero_bubble, p, m}, t), bubble_s, 1e-9 * m) << p << ", " << m;
  });
}

// (p / 2 - 1)(F&B + B - 3W), B with its weights' pass, forward and backward together as long as apart, where
// a forward pass is not longer than a backward pass without its weights'.
TEST(Pipelines, OfDualPipeHaveThatOfItsAuthors) {
  random_pipelines([](int p, int m, const PassTimes& t) {
    if (t.forward_s > t.backward_s) return;
    const double backward_s = t.backward_s + t.weights_s;
    const double bubble_s = (p / 2 - 1) * (t.forward_s + 2 * backward_s - 3 * t.weights_s);
    EXPECT_NEAR(pipeline_bubble_s({dualpipe, p, m}, t), bubble_s, 1e-9 * m) << p << ", " << m;
  });
}

json on_four_stages(const char* schedule) {
  return {{"num_procs", 4}, {"pipeline_par", 4}, {"batch_size", 16}, {"schedule", schedule}};
}

Prediction scheduled(const char* schedule) {
  json application = sample_application(), execution = sample_execution();
  application["num_blocks"] = 8;
  execution.update(on_four_stages(schedule));
  const Configuration configuration =
      read_configuration(application, execution, sample_system(),
                         {"application.json", "execution.json", "system.json"}, {.model = Model::assay});
  return predict(configuration);
}

TEST(Schedules, ThatAreSimulatedHaveSoManyStagesAtMost) {
  json application = sample_application(), execution = sample_execution();
  application["num_blocks"] = 1'000'000;
  for (const char* schedule : {"zero_bubble", "dualpipe"}) {
    execution.update({{"num_procs", 1'000'000}, {"pipeline_par", 1'000'000}, {"batch_size", 2'000'000}});
    execution["schedule"] = schedule;
    EXPECT_EQ(core::tests::message_of([&] {
                read_configuration(application, execution, sample_system(), {"APP", "EXE", "SYS"},
                                   {.model = Model::assay});
              }),
              fmt::format("EXE: pipeline_par: expected 1024 at most where schedule is '{}', got 1000000",
                          schedule));
  }
}

TEST(Schedules, TakeTheBubbleOfTheirPipelines) {
  const Prediction plain = scheduled("1f1b"), zero = scheduled("zero_bubble"), dual = scheduled("dualpipe");
  const double weights_s = 2 * plain.block.wgrad.seconds;
  EXPECT_NEAR(plain.step.time.bubble_s - zero.step.time.bubble_s, 3 * 2 * weights_s,
              0.2 * plain.step.time.bubble_s);
  EXPECT_LT(zero.step.time.bubble_s, plain.step.time.bubble_s);
  EXPECT_LT(dual.step.time.bubble_s, zero.step.time.bubble_s);
  EXPECT_DOUBLE_EQ(plain.step.time.forward_s, dual.step.time.forward_s);
  EXPECT_DOUBLE_EQ(dual.step.memory.weight, 2 * plain.step.memory.weight);
  EXPECT_DOUBLE_EQ(zero.step.memory.activation, plain.step.memory.activation);
}

}  // namespace
}  // namespace assay::model

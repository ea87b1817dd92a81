// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Steps as operations: they add up to the prediction that they were made of.
#include "model/predict/answer/training_step.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "harness/training/step_file.hpp"
#include "model/predict/system/group.hpp"
#include "model/predict/tests/random_configurations.hpp"
#include "model/predict/tests/sample_files.hpp"

namespace assay::model {
namespace {

using testing::ElementsAre;

std::size_t tier_of(const Configuration& configuration, const std::string& among) {
  const Execution& how = configuration.execution;
  if (among == "data") return how.data_par_net;
  if (among == "pipeline") return how.pipeline_par_net;
  return among == "expert" ? how.expert_par_net : how.tensor_par_net;
}

/// The group of "0:ranks:stride:size:stride:size".
ProcessorGroup group_of(const Configuration& configuration, const StepOperation& one) {
  ProcessorGroup group{.tier = tier_of(configuration, one.among)};
  std::istringstream text(one.groups.substr(one.groups.find(':', 2) + 1));
  char colon = 0;
  for (std::size_t at = 0; text >> group.digits[at].stride >> colon >> group.digits[at].size; ++at)
    text >> colon;
  return group;
}

Collective collective_of(const StepOperation& one) {
  if (training::is_pattern(one.traffic)) return Collective::p2p;
  const auto* const name = std::ranges::find(collective_names, training::traffic_words.of(one.traffic));
  return static_cast<Collective>(name - collective_names.begin());
}

double seconds_of(const Configuration& configuration, const StepOperation& one) {
  if (one.groups.empty()) return one.times * one.compute_s;
  const ProcessorGroup group = group_of(configuration, one);
  const System& system = configuration.system;
  if (training::is_pattern(one.traffic))
    return one.times * system.networks[group.tier].seconds(Collective::p2p, one.bytes, 1);
  return one.times * seconds(system, collective_of(one), one.bytes, group);
}

struct Sums {
  double seconds = 0, compute_s = 0, gradient_bytes = 0, tensor_bytes = 0;
};

Sums sums_of(const Configuration& configuration, const TrainingStep& step) {
  Sums sums;
  for (const StepStream& stream : step.streams)
    for (const StepOperation& one : stream.operations) {
      sums.seconds += seconds_of(configuration, one);
      if (one.groups.empty()) sums.compute_s += seconds_of(configuration, one);
      if (one.among == "data") sums.gradient_bytes += one.times * one.bytes;
      if (one.among == "tensor") sums.tensor_bytes += one.times * one.bytes;
    }
  return sums;
}

template <class Look>
void feasible_steps(const Look& look) {
  RandomConfigurations configurations;
  int feasible = 0;
  for (int i = 0; i < 4000; ++i) {
    Configuration configuration = configurations.next_extended();
    configuration.execution.data_par_overlap = false;
    configuration.execution.tensor_par_overlap = TensorParOverlap::none;
    const Prediction prediction = predict(configuration);
    if (!prediction.verdict.feasible()) continue;
    look(configuration, prediction);
    ++feasible;
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(feasible, 400);
}

TEST(TrainingStep, TakesThePredictedTimeOnTheNetworksOfThePrediction) {
  feasible_steps([](const Configuration& configuration, const Prediction& prediction) {
    const double total_s = prediction.step.time.total_s;
    ASSERT_NEAR(sums_of(configuration, training_step(configuration, prediction)).seconds, total_s,
                1e-9 * total_s);
  });
}

TEST(TrainingStep, MovesTheSameBytesWhereExchangesHide) {
  feasible_steps([](Configuration configuration, const Prediction& prediction) {
    const Sums apart = sums_of(configuration, training_step(configuration, prediction));
    configuration.execution.data_par_overlap = true;
    const Prediction hidden = predict(configuration);
    if (!hidden.verdict.feasible()) return;
    const TrainingStep step = training_step(configuration, hidden);
    const Sums sums = sums_of(configuration, step);
    ASSERT_NEAR(sums.gradient_bytes, apart.gradient_bytes, 1e-9 * apart.gradient_bytes);
    ASSERT_NEAR(sums.tensor_bytes, apart.tensor_bytes, 1e-9 * apart.tensor_bytes);
    if (!configuration.execution.training || configuration.execution.data_par == 1) return;
    // The wait for the first gradients is the backward pass of a block.
    const double wait_s = step.streams[2].operations.front().compute_s;
    ASSERT_NEAR(sums.compute_s - wait_s, apart.compute_s, 1e-9 * apart.compute_s);
  });
}

Configuration parallel_sample(bool overlap) {
  nlohmann::json application = sample_application(), execution = sample_execution();
  application["num_blocks"] = 4;
  execution["num_procs"] = 8;
  execution["tensor_par"] = execution["pipeline_par"] = execution["data_par"] = 2;
  execution["batch_size"] = 4;
  execution["data_par_overlap"] = overlap;
  return read_sample(application, execution, sample_system());
}

TEST(TrainingStep, IsAWorkloadOfRanksInTheOrderTensorPipelineData) {
  const Configuration configuration = parallel_sample(false);
  const Prediction prediction = predict(configuration);
  ASSERT_TRUE(prediction.verdict.feasible());
  const nlohmann::json json = training::to_json(training_step(configuration, prediction));
  EXPECT_EQ(json["ranks"], 8);
  ASSERT_EQ(json["stream"].size(), 2U);
  EXPECT_EQ(json["stream"][1]["after"], nlohmann::json({"passes"}));
  nlohmann::json exchange, message, gradients;
  for (const nlohmann::json& one : json["stream"][0]["op"]) {
    if (one["name"] == "forward" && one.contains("groups")) exchange = one;
    if (one["name"] == "pipeline") message = one;
  }
  for (const nlohmann::json& one : json["stream"][1]["op"])
    if (one["name"] == "gradients") gradients = one;
  EXPECT_EQ(exchange["groups"], "0:8:1:2");
  EXPECT_EQ(exchange["collective"], "all_reduce");
  EXPECT_EQ(exchange["times"], 2 * 2 * 2) << "two of a block, blocks of a stage, microbatches";
  EXPECT_EQ(exchange["bytes"], "16B") << "2 tokens of width 4 in float16";
  EXPECT_EQ(message["groups"], "0:8:2:2");
  EXPECT_EQ(message["pattern"], "pipeline");
  EXPECT_EQ(message["times"], 4) << "microbatches, both ways";
  EXPECT_EQ(gradients["groups"], "0:8:4:2");
  EXPECT_EQ(gradients["times"], 2);
}

TEST(TrainingStep, HidesGradientsBehindTheLastBackwardPass) {
  const Configuration configuration = parallel_sample(true);
  const nlohmann::json json = training::to_json(training_step(configuration, predict(configuration)));
  std::vector<std::string> names;
  for (const nlohmann::json& one : json["stream"]) names.push_back(one["name"]);
  EXPECT_THAT(names, ElementsAre("passes", "last backward", "gradients", "end"));
  EXPECT_EQ(json["stream"][2]["after"], json["stream"][1]["after"]) << "side by side";
  EXPECT_EQ(json["stream"][3]["after"], nlohmann::json({"last backward", "gradients"}));
  EXPECT_EQ(json["processor_usage"], configuration.system.networks[0].processor_usage);
}

}  // namespace
}  // namespace assay::model

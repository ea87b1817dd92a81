// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Sharded parameters and overlap efficiencies, on a sample small enough to be added up by hand: networks of
// 1 GB/s without latency or use of processors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "harness/core/error.hpp"
#include "model/predict/tests/sample_files.hpp"

namespace assay::model {
namespace {

using nlohmann::json;
using testing::HasSubstr;

const json sharded = {{"num_procs", 4},
                      {"data_par", 4},
                      {"batch_size", 8},
                      {"microbatch_size", 1},
                      {"optimizer_sharding", true},
                      {"parameter_sharding", true}};

json overlapped(json execution) {
  execution["data_par_overlap"] = true;
  return execution;
}

Configuration configured(const json& execution_changes, const json& network_changes = json::object(),
                         const json& application_changes = {{"num_blocks", 3}}) {
  json application = sample_application(), execution = sample_execution(), system = sample_system();
  application.update(application_changes);
  execution.update(execution_changes);
  system["networks"][1].update(network_changes);
  system["mem1"]["GBps"] = 1e6;  // so that passes compute
  return read_configuration(application, execution, system, {"APP", "EXE", "SYS"}, {.model = Model::assay});
}

Prediction predicted(const json& execution, const json& network = json::object(),
                     const json& application = {{"num_blocks", 3}}) {
  return predict(configured(execution, network, application));
}

std::string refused(const json& execution, const json& network = json::object(),
                    const json& application = {{"num_blocks", 3}}) {
  try {
    configured(execution, network, application);
  } catch (const core::Error& error) {
    EXPECT_EQ(error.kind(), core::ErrorKind::usage);
    return error.what();
  }
  return "accepted";
}

// 2 microbatches a processor, 3 blocks: two gathers and a reduce-scatter of 3/4 of the weights each.
TEST(ParameterSharding, GathersTwiceAndScattersOnceABlockAndMicrobatch) {
  const Prediction p = predicted(sharded);
  const double exchange_s = 0.75 * p.block.weight_bytes * 1e-9;
  EXPECT_NEAR(p.step.time.data_link_s, 2 * 3 * 3 * exchange_s, 1e-18);
  EXPECT_DOUBLE_EQ(p.step.time.data_exposed_s, p.step.time.data_link_s);
}

TEST(ParameterSharding, KeepsAShardOfAllAndTwoWholeBlocks) {
  const Prediction p = predicted(sharded);
  EXPECT_DOUBLE_EQ(p.step.memory.weight, p.block.weight_bytes * (3. / 4 + 2));
  const Prediction one = predicted(sharded, json::object(), {{"num_blocks", 1}});
  EXPECT_DOUBLE_EQ(one.step.memory.weight, one.block.weight_bytes * (1. / 4 + 1));
  json optimizer_alone = sharded;
  optimizer_alone["parameter_sharding"] = false;
  const Prediction whole = predicted(optimizer_alone);
  EXPECT_DOUBLE_EQ(whole.step.memory.tier1 - p.step.memory.tier1, p.block.weight_bytes * (3 - 2.75));
}

// A fast network hides all but the first gather of each pass and the last reduction, of each microbatch.
TEST(ParameterSharding, ExposesTheFirstGathersAndTheLastReduction) {
  const Prediction p = predicted(overlapped(sharded), {{"bandwidth", 1000}});
  const double exchange_s = 0.75 * p.block.weight_bytes * 1e-12;
  EXPECT_NEAR(p.step.time.data_exposed_s, 2 * 3 * exchange_s, 1e-18);
  EXPECT_GT(p.step.required.data_chunk, 0);
}

// A slow network hides no more than there is to hide behind.
TEST(ParameterSharding, HidesNoMoreThanAPassLeaves) {
  const Prediction p = predicted(overlapped(sharded), {{"bandwidth", 1e-6}});
  const double forward_s = p.block.forward.seconds - p.block.forward.memory_s;
  const double backward_s =
      p.block.agrad.seconds + p.block.wgrad.seconds - p.block.agrad.memory_s - p.block.wgrad.memory_s;
  EXPECT_NEAR(p.step.time.data_link_s - p.step.time.data_exposed_s, 2 * 2 * (forward_s + backward_s),
              1e-6 * forward_s);
}

TEST(OverlapEfficiency, IsTheShareThatIsHidden) {
  const json execution = overlapped(sharded), fast = {{"bandwidth", 1000}};
  const auto exposed_s = [&](const json& network) {
    json both = fast;
    both.update(network);
    return predicted(execution, both).step.time.data_exposed_s;
  };
  const double link_s = predicted(execution, fast).step.time.data_link_s;
  const double all_s = exposed_s({{"gather_overlap", 1}, {"gradient_overlap", 1}});
  EXPECT_DOUBLE_EQ(all_s, exposed_s(json::object()));
  EXPECT_DOUBLE_EQ(exposed_s({{"gather_overlap", 0}, {"gradient_overlap", 0}}), link_s);
  const double gathers_half_s = exposed_s({{"gather_overlap", 0.5}, {"gradient_overlap", 1}});
  const double gradients_half_s = exposed_s({{"gather_overlap", 1}, {"gradient_overlap", 0.5}});
  EXPECT_NEAR(gathers_half_s + gradients_half_s - 2 * all_s, (link_s - all_s) / 2, 1e-18);
  EXPECT_NEAR(gathers_half_s - all_s, 2 * (gradients_half_s - all_s), 1e-18) << "two gathers a reduction";
}

TEST(OverlapEfficiency, TakesTheNetworksUseOfTheProcessorIn) {
  const json fast = {{"bandwidth", 1000}, {"processor_usage", 0.5}};
  json measured = fast;
  measured["gather_overlap"] = measured["gradient_overlap"] = 0.5;
  EXPECT_NEAR(predicted(overlapped(sharded), measured).step.time.data_exposed_s,
              predicted(overlapped(sharded), fast).step.time.data_exposed_s, 1e-18);
}

TEST(OverlapEfficiency, OfGradientsOfWholeParametersScalesWhatTheyHide) {
  const json whole = overlapped({{"num_procs", 4}, {"data_par", 4}, {"batch_size", 8}});
  const json fast = {{"bandwidth", 1000}};
  const auto time = [&](const json& network) {
    json both = fast;
    both.update(network);
    return predicted(whole, both).step.time;
  };
  const double link_s = time(json::object()).data_link_s, all_s = time(json::object()).data_exposed_s;
  EXPECT_LT(all_s, link_s);
  EXPECT_NEAR(time({{"gradient_overlap", 1}}).data_exposed_s, all_s, 1e-18);
  EXPECT_NEAR(time({{"gradient_overlap", 0.25}}).data_exposed_s, link_s - 0.25 * (link_s - all_s), 1e-18);
  EXPECT_DOUBLE_EQ(time({{"gradient_overlap", 0}}).data_exposed_s, link_s);
}

TEST(ParameterSharding, IsRefusedWhereItCannotBe) {
  json alone = sharded;
  alone["optimizer_sharding"] = false;
  EXPECT_THAT(
      refused(alone),
      HasSubstr("parameter_sharding: expected false unless optimizer_sharding and training are true"));
  json offloaded = sharded;
  offloaded["weight_offload"] = true;
  EXPECT_THAT(refused(offloaded), HasSubstr("expected false where weight_offload is true"));
  EXPECT_THAT(refused(sharded, json::object(), {{"experts", 2}}),
              HasSubstr("parameter_sharding: expected false for an application with experts"));
  json word = sharded;
  word["parameter_sharding"] = "yes";
  EXPECT_THAT(refused(word), HasSubstr("parameter_sharding"));
}

TEST(OverlapEfficiency, IsRefusedBeyondAShare) {
  EXPECT_THAT(refused(sharded, {{"gather_overlap", 1.5}}),
              HasSubstr("gather_overlap: expected a number from 0 to 1, got 1.5"));
  EXPECT_THAT(refused(sharded, {{"gradient_overlap", -0.5}}), HasSubstr("gradient_overlap"));
}

TEST(ParameterSharding, IsUnknownToCalculon) {
  json execution = sample_execution();
  execution.update(sharded);
  EXPECT_THROW(read_sample(sample_application(), execution, sample_system()), core::Error);
  EXPECT_EQ(to_json(configured(sharded).execution)["parameter_sharding"], true);
  EXPECT_FALSE(to_json(configured(json::object()).execution).contains("parameter_sharding"));
}

}  // namespace
}  // namespace assay::model

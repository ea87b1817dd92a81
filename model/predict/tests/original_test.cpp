// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Differences from the original that random files showed, each on the smallest step that shows it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "harness/core/text/json_from.hpp"
#include "model/predict/step/step_parts.hpp"
#include "model/predict/tests/sample_files.hpp"

namespace assay::model {
namespace {

using nlohmann::json;
using testing::Contains;
using testing::HasSubstr;

Configuration sample_with(const json& application_changes, const json& execution_changes,
                          const json& system_changes = json::object()) {
  json application = sample_application(), execution = sample_execution(), system = sample_system();
  application.update(application_changes);
  execution.update(execution_changes);
  system.merge_patch(system_changes);
  return read_sample(application, execution, system);
}

Configuration fixed(Configuration configuration) {
  configuration.model = Model::assay;
  configuration.system.fixes = Fixes::all();
  return configuration;
}

// Two all-reduces of 16 bytes between two at 1 GB/s are 16 ns each; adding up 4 numbers at 1 TFLOP/s is 4 ps.
TEST(RepeatedTiles, AddUpNothingOnTheVectorEngineAndExposeWhatTheForwardPassDoes) {
  for (const char* overlap : {"ring", "pipe"}) {
    const BlockCost block = predict(sample_with(json::object(), {{"num_procs", 2},
                                                                 {"tensor_par", 2},
                                                                 {"tensor_par_overlap", overlap},
                                                                 {"activation_recompute", "full"}}))
                                .block;
    EXPECT_NEAR(block.forward_exchange.base.link_s, 32.008e-9, 1e-18) << overlap;
    EXPECT_NEAR(block.repeated_exchange.base.link_s, 32e-9, 1e-18) << overlap;
    EXPECT_NEAR(block.repeated_exchange.edge.link_s, 32e-9, 1e-18) << overlap;
    EXPECT_DOUBLE_EQ(block.repeated_exchange.base.exposed_s, block.forward_exchange.base.exposed_s)
        << overlap;
    EXPECT_GT(block.repeated_exchange.base.exposed_s, 0) << overlap;
  }
}

/// Two chunks of two blocks on each of two stages, gradients between two behind the backward pass.
Step behind_chunks(int data_par_net, bool sharding) {
  return predict(sample_with({{"num_blocks", 8}}, {{"num_procs", 4},
                                                   {"pipeline_par", 2},
                                                   {"data_par", 2},
                                                   {"batch_size", 4},
                                                   {"pipeline_interleaving", 2},
                                                   {"data_par_overlap", true},
                                                   {"optimizer_sharding", sharding},
                                                   {"data_par_net", data_par_net}}))
      .step;
}

// A message of 16 bytes at 1 GB/s takes 16 ns of the window, on the tier that both use. A chunk's gradients
// are 2 x 288 bytes, twice over as scatter and gather, and twice over as all-reduce.
TEST(BandwidthOfHiddenGradients, LeavesOutTheMessagesOfAnotherTier) {
  for (const bool sharding : {true, false}) {
    const double together = behind_chunks(1, sharding).required.data_chunk;
    const double apart = behind_chunks(0, sharding).required.data_chunk;
    ASSERT_GT(apart, 0);
    const double bytes = 2 * 2 * 288;
    EXPECT_NEAR(bytes / apart - bytes / together, 16e-9, 1e-15) << sharding;
  }
}

const json offloading_inference = {
    {"training", false}, {"weight_offload", true}, {"activations_offload", true}};

// 288 bytes of weights leave the block, and more of activations, at 1 kB/s: forward alone.
TEST(OffloadInInference, MovesNothingInABackwardPassThatIsNotThere) {
  const json slow = {{"mem2", {{"GBps", 1e-6}}}};
  const Configuration calculon = sample_with({{"num_blocks", 3}}, offloading_inference, slow);
  for (const Configuration& configuration : {calculon, fixed(calculon)}) {
    const StepTime time = predict(configuration).step.time;
    EXPECT_GT(time.forward_offload_s, 3 * 0.288 * 0.99);
    EXPECT_EQ(time.backward_offload_s, 0);
    EXPECT_DOUBLE_EQ(time.total_s, time.forward_s + time.forward_offload_s);
  }
}

// In a pipeline a stall was as long as the transfer that is not there.
TEST(OffloadInInference, StallsNoPipelineWithIt) {
  json deep = offloading_inference;
  deep.update({{"num_procs", 2}, {"pipeline_par", 2}});
  const json slow = {{"mem2", {{"GBps", 1e-6}}}};
  const Configuration calculon = sample_with({{"num_blocks", 6}}, deep, slow);
  for (const Configuration& configuration : {calculon, fixed(calculon)}) {
    const StepTime time = predict(configuration).step.time;
    EXPECT_NEAR(time.bubble_s, time.forward_s + time.forward_offload_s, 1e-6 * time.bubble_s);
  }
}

// Behind the projections, 96 FLOP and the only product at full speed, an edge block gathers 16 bytes, which
// the others do not; 32 and 64 FLOP at a tenth of it leave more time.
TEST(BandwidthOfTiles, IsThatOfEdgeBlocksToo) {
  const json steep = {
      {"matrix", {{"float16", {{"gflops_efficiency", core::json_from<json>("[[9.6e-8, 1], [0, 0.1]]")}}}}}};
  json inference = {{"num_procs", 2},
                    {"tensor_par", 2},
                    {"tensor_par_overlap", "ring"},
                    {"tensor_par_comm_type", "p2p_rs_ag"},
                    {"training", false}};
  EXPECT_NEAR(predict(sample_with(json::object(), inference, steep)).block.overlap_b_per_s, 16 / 96e-12, 1);
  inference["tensor_par_comm_type"] = "ar";
  EXPECT_NEAR(predict(sample_with(json::object(), inference, steep)).block.overlap_b_per_s, 16 / 320e-12, 1);
}

std::string reason_of(double needed, double available) {
  return to_string(
      Verdict{.obstacle = Obstacle::mem1_too_small, .needed_bytes = needed, .available_bytes = available});
}

TEST(Reasons, GiveSizesBelowAMebibyteAsTheOriginalDoes) {
  EXPECT_EQ(reason_of(1536, 1000), "Mem tier1 needs 1.500 kiB but only has 1000.000 iB");
  EXPECT_EQ(reason_of(1048576, 1048575), "Mem tier1 needs 1.000 MiB but only has 1023.999 kiB");
  EXPECT_EQ(reason_of(1, 0), "Mem tier1 needs 1.000 iB but only has 0.000 iB");
  EXPECT_EQ(reason_of(1024, 1023.5), "Mem tier1 needs 1.000 kiB but only has 1023.500 iB");
  EXPECT_EQ(reason_of(1048577, 1048576), "Mem tier1 needs 1.000001 MiB but only has 1.000000 MiB");
}

TEST(ShardedOptimizer, IsAllowedInInferenceAndChangesNothing) {
  json inference = {{"num_procs", 2}, {"data_par", 2}, {"batch_size", 2}, {"training", false}};
  const Configuration whole = sample_with(json::object(), inference);
  inference["optimizer_sharding"] = true;
  const Configuration sharded = sample_with(json::object(), inference);
  EXPECT_EQ(to_json(sharded, predict(sharded)), to_json(whole, predict(whole)));
  EXPECT_EQ(to_json(sharded, predict(sharded))["status"], "ok");
}

/// Every operation takes as long as its bytes, so that a block leaves no time without memory.
Configuration memory_bound(const json& offload) {
  return sample_with({{"num_blocks", 3}}, offload,
                     {{"processing_mode", "roofline"}, {"mem2", {{"GBps", 1e-6}}}});
}

TEST(BandwidthOfOffload, IsUnboundedWhereABlockLeavesNoTimeForIt) {
  const Configuration configuration = memory_bound({{"weight_offload", true}});
  const Prediction prediction = predict(configuration);
  EXPECT_GT(prediction.step.time.forward_offload_s, 0);
  EXPECT_TRUE(std::isinf(prediction.step.required.offload));
  const json told = to_json(configuration, prediction);
  const json unbounded = told.value("unbounded", json::array());
  for (const char* name :
       {"act_offload_bw_req", "weight_offload_bw_req", "optim_offload_bw_req", "offload_mem_bw_req"}) {
    EXPECT_TRUE(told["stats"][name].is_null()) << name;
    EXPECT_THAT(unbounded, Contains(name));
  }
  EXPECT_EQ(unbounded.size(), 4U);
  EXPECT_THAT(to_text(configuration, prediction), HasSubstr("would hide the transfers: unbounded"));
}

TEST(BandwidthOfOffload, IsNoneWhereNothingMoves) {
  const Configuration configuration = memory_bound(json::object());
  const Prediction prediction = predict(configuration);
  EXPECT_EQ(prediction.step.required.offload, 0);
  EXPECT_EQ(to_json(configuration, prediction)["stats"]["offload_mem_bw_req"], 0);
  EXPECT_EQ(to_text(configuration, prediction).find("unbounded"), std::string::npos);
}

// Two tiles at full speed each take as long as their half of the bytes, whose sum is the whole only up to
// rounding.
TEST(BandwidthOfOffload, TakesNoRoundingForTime) {
  const BlockTime time{.base_s = 0.1 + 0.2, .edge_s = 0.1 + 0.2};
  ASSERT_GT(time.base_s, 0.3);
  EXPECT_EQ(free_s(time, 0.3), 0);
  EXPECT_EQ(free_s({.base_s = 0.3, .edge_s = 0.3}, 0.1 + 0.2), 0);
  EXPECT_DOUBLE_EQ(free_s({.base_s = 0.5, .edge_s = 0.4}, 0.3), 0.1);
}

}  // namespace
}  // namespace assay::model

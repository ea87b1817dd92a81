// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Models of unlike blocks, and blocks that are not of GPT-3's shape.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/tests/message_of.hpp"
#include "model/predict/system/weight_count.hpp"
#include "model/predict/tests/sample_files.hpp"

namespace assay::model {
namespace {

using core::tests::message_of;
using nlohmann::json;
using testing::HasSubstr;

json changed(json of, const json& changes) {
  of.update(changes);
  return of;
}

Prediction step(const json& application, const json& execution = json::object()) {
  json system = sample_system();
  system["mem1"]["GiB"] = 1e6;
  return predict(read_configuration(
      changed(changed(sample_application(), {{"num_blocks", 8}, {"dropout", false}}), application),
      changed(changed(sample_execution(), {{"fused_attention", true}}), execution), system,
      {"APP", "EXE", "SYS"}, {.model = Model::assay}));
}

std::string refusal(const json& application) {
  return message_of([&] { step(application); });
}

const json pipeline = {{"num_procs", 4}, {"pipeline_par", 4}, {"batch_size", 6}};
const json experts = {{"experts", 4}, {"experts_per_token", 2}, {"expert_feedforward", 6}};

TEST(UnlikeBlocks, OfOneKindAreLikeBlocks) {
  const json two = {{"blocks", {{{"count", 3}}, {{"count", 5}}}}};
  for (const json& how : {json::object(), pipeline, changed(pipeline, {{"pipeline_interleaving", 2}})}) {
    const Prediction like = step(json::object(), how), unlike = step(two, how);
    EXPECT_NEAR(unlike.step.time.total_s / like.step.time.total_s, 1, 1e-12);
    EXPECT_NEAR(unlike.step.memory.tier1 / like.step.memory.tier1, 1, 1e-12);
    EXPECT_NEAR(unlike.step.total_efficiency / like.step.total_efficiency, 1, 1e-12);
  }
}

TEST(UnlikeBlocks, AddUpOnOneProcessor) {
  const Prediction dense = step(json::object()), all = step(experts);
  const Prediction some = step(changed(experts, {{"dense_blocks", 3}}));
  const auto mixed = [](double of_dense, double of_experts) { return (3 * of_dense + 5 * of_experts) / 8; };
  EXPECT_NEAR(some.step.time.forward_s, mixed(dense.step.time.forward_s, all.step.time.forward_s), 1e-15);
  EXPECT_NEAR(some.step.time.total_s, mixed(dense.step.time.total_s, all.step.time.total_s), 1e-15);
  EXPECT_NEAR(some.step.memory.weight, mixed(dense.step.memory.weight, all.step.memory.weight), 1e-9);
  EXPECT_NEAR(some.step.memory.optimizer, mixed(dense.step.memory.optimizer, all.step.memory.optimizer),
              1e-9);
}

// Every second of 8 blocks has experts: 4; behind 2 dense ones 3.
TEST(UnlikeBlocks, HaveExpertsInEveryNth) {
  const double dense = step(json::object()).block.weight_bytes, all = step(experts).block.weight_bytes;
  EXPECT_DOUBLE_EQ(step(changed(experts, {{"expert_every", 2}})).block.weight_bytes,
                   (4 * dense + 4 * all) / 8);
  EXPECT_DOUBLE_EQ(step(changed(experts, {{"expert_every", 2}, {"dense_blocks", 2}})).block.weight_bytes,
                   (5 * dense + 3 * all) / 8);
}

// Two stages of 4 blocks: t_1 of 3 dense and 1 with experts, t_2 of 4 with experts. 6 microbatches take
// t_1 + t_2 + 5 max.
TEST(UnlikeBlocks, TakeTheSlowestStagesTimeInAPipeline) {
  const json how = {{"num_procs", 2}, {"pipeline_par", 2}, {"batch_size", 6}};
  const auto pass = [](const Prediction& p) {
    return p.block.forward.seconds + p.block.agrad.seconds + p.block.wgrad.seconds +
           p.block.recompute.seconds + p.block.dispatch.forward_s + p.block.dispatch.backward_s +
           p.block.dispatch.repeated_s;
  };
  const double dense = pass(step(json::object(), how)), with = pass(step(experts, how));
  const Prediction some = step(changed(experts, {{"dense_blocks", 3}}), how);
  const StepTime& time = some.step.time;
  const double passes = time.forward_s + time.backward_s + time.recompute_s + time.expert_exposed_s;
  EXPECT_NEAR(passes, 6 * 4 * with, 1e-15);
  const double message_s = time.pipeline_link_s / 6;
  EXPECT_NEAR(time.bubble_s, 3 * dense + with + message_s * (3 * dense + with) / (4 * with), 0.1 * message_s);
}

TEST(UnlikeBlocks, TakeWhatTheModelSaysAndChangeIt) {
  const json window = {{"count", 6}, {"attention", "window"}}, full = {{"count", 2}, {"attention", "full"}};
  const Application a = read_application(
      changed(sample_application(),
              {{"seq_size", 1024}, {"num_blocks", 8}, {"window", 128}, {"blocks", {window, full}}}),
      "APP", Model::assay);
  ASSERT_EQ(a.blocks.size(), 2u);
  EXPECT_EQ(a.blocks[0].window, 128);
  EXPECT_EQ(a.blocks[1].window, 0);
}

TEST(UnlikeBlocks, AreRefusedWhereTheyContradict) {
  EXPECT_THAT(refusal({{"blocks", {{{"count", 3}}}}}),
              HasSubstr("blocks: expected counts that sum to num_blocks 8, got 3"));
  EXPECT_THAT(refusal({{"dense_blocks", 1}}), HasSubstr("dense_blocks: expected experts with it"));
  EXPECT_THAT(refusal(changed(experts, {{"dense_blocks", 8}})),
              HasSubstr("dense_blocks: expected less than num_blocks"));
  EXPECT_THAT(refusal(changed(experts, {{"blocks", {{{"count", 8}}}}})),
              HasSubstr("experts: expected it in the blocks"));
  EXPECT_THAT(refusal({{"blocks", {{{"count", 8}, {"hidden", 4}}}}}),
              HasSubstr("blocks[0].hidden: unknown key"));
  EXPECT_THAT(refusal({{"attention", "state_space"}}), HasSubstr("attention: expected a state with it"));
  EXPECT_THAT(refusal({{"attention", "window"}}), HasSubstr("attention: expected a window with it"));
  EXPECT_THAT(refusal({{"latent", {{"key_value", 2}}}, {"kv_heads", 1}}),
              HasSubstr("latent: expected no kv_heads"));
  EXPECT_THAT(refusal({{"shared_experts", 1}}), HasSubstr("shared_experts: expected experts with it"));
  EXPECT_THAT(refusal(changed(experts, {{"expert_skew", 1}, {"capacity_factor", 2}})),
              HasSubstr("no capacity_factor"));
}

// 4 x 6 x 2 weights of each expert, shared or not, and 4 x 4 of the router.
TEST(SharedExperts, ServeEveryToken) {
  const BlockCost routed = step(experts).block,
                  shared = step(changed(experts, {{"shared_experts", 1}})).block;
  EXPECT_DOUBLE_EQ(shared.weights - routed.weights, 2 * 4 * 6);
  EXPECT_DOUBLE_EQ(routed.expert_weights, 4 * 2 * 4 * 6);
  // 2 tokens by both matrices, 8 FLOP for each of 12 activations, one for each of 8 that are added.
  EXPECT_DOUBLE_EQ(shared.forward.flops - routed.forward.flops, 2 * 2 * 2 * 4 * 6 + 8 * 12 + 8);
}

// Loads of 1, 1/2, 1/3, 1/4 on two processors: 1 + 1/4 and 1/2 + 1/3 of 25/12.
TEST(UnbalancedExperts, TakeTheBusiestProcessorsTime) {
  const json how = {{"num_procs", 2}, {"data_par", 2}, {"batch_size", 2}, {"expert_par", 2}};
  const BlockCost even = step(experts, how).block,
                  skewed = step(changed(experts, {{"expert_skew", 1}}), how).block;
  EXPECT_NEAR(skewed.dispatch.forward_s / even.dispatch.forward_s, 1.25 / (25. / 24), 1e-12);
  EXPECT_GT(skewed.forward.flops, even.forward.flops);
  EXPECT_DOUBLE_EQ(step(changed(experts, {{"expert_skew", 1}})).block.forward.flops,
                   step(experts).block.forward.flops);
}

// Hidden 4, 2 heads of 2 + 1 with values of 3: down 4 x 3 and 4 x (2 + 1), up 3 x 2 x 3 and 2 x 2 x (2 + 3),
// out 6 x 4, with two norms of 3 and 2 (a bias each); instead of 4 x 4 x 4.
TEST(LatentAttention, HasNarrowTensors) {
  const json latent = {{"latent", {{"query", 3}, {"key_value", 2}, {"rope", 1}, {"value", 3}}}};
  EXPECT_DOUBLE_EQ(step(latent).block.weights - step(json::object()).block.weights,
                   12 + 12 + 18 + 20 + 24 + 2 * 5 - 64);
  const Application a = read_application(changed(sample_application(), latent), "APP", Model::assay);
  EXPECT_DOUBLE_EQ(weight_count(a).all, 12 + 12 + 18 + 20 + 24 + 5 + 2 * 4 * 8 + 2 * 4);
  EXPECT_DOUBLE_EQ(step(latent, {{"num_procs", 2}, {"tensor_par", 2}}).block.weights,
                   12 + 12 + 9 + 10 + 12 + 10 + 32 + 16);
}

TEST(SparseAttention, CostsAnIndexerAndSavesKeys) {
  const json latent = {{"seq_size", 8192}, {"latent", {{"query", 3}, {"key_value", 2}, {"rope", 1}}}};
  const json sparse = changed(latent, {{"sparse", {{"heads", 1}, {"size", 1}, {"top", 512}}}});
  const double dense = step(latent).block.forward.flops, chosen = step(sparse).block.forward.flops;
  EXPECT_LT(chosen, 0.5 * dense);
}

// 2 heads of 2, a state of 3 and one group: 4 x (4 + 4 + 6 + 2), 4 taps of 10 (no bias), 2 norms' 4, 4 x 4;
// norm, scan and so on instead of attention's 64.
TEST(StateSpace, GrowsWithTheSequenceAlone) {
  const json state = {{"attention", "state_space"},
                      {"state", {{"heads", 2}, {"head_size", 2}, {"state_size", 3}}}};
  EXPECT_DOUBLE_EQ(step(state).block.weights - step(json::object()).block.weights, 64 + 40 + 8 + 16 - 64);
  const auto flops = [&](std::int64_t seq) {
    return step(changed(state, {{"seq_size", seq}})).block.forward.flops;
  };
  EXPECT_NEAR(flops(8192) / flops(4096), 2, 1e-9);
  EXPECT_LT(flops(8192), step({{"seq_size", 8192}}).block.forward.flops);
}

TEST(Blocks, WithoutAMixerOrAnMlpHaveTheOtherAlone) {
  const double both = step(json::object()).block.weights;
  EXPECT_DOUBLE_EQ(step({{"mlp", false}}).block.weights + step({{"attention", "none"}}).block.weights, both);
}

TEST(FurtherTokens, TakeABlockAndAHeadOnTheLastStage) {
  const Prediction plain = step({{"vocabulary", 10}}),
                   further = step({{"vocabulary", 10}, {"mtp_blocks", 1}});
  EXPECT_DOUBLE_EQ(further.block.head.weights - plain.block.head.weights, plain.block.weights + 2 * 4 * 4);
  EXPECT_GT(further.step.time.ends_s, 2 * plain.block.head.seconds);
}

}  // namespace
}  // namespace assay::model

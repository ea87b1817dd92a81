// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Features of assay's model alone, on a block small enough to be added up by hand.
#include <gtest/gtest.h>

#include "model/predict/tests/sample_files.hpp"

namespace assay::model {
namespace {

using nlohmann::json;

/// The sample by assay's rules, with changes; with dropout, whatever keys there are.
Prediction assays(const json& application_changes, const json& execution_changes = json::object(),
                  const json& system_changes = json::object()) {
  json application = sample_application(), execution = sample_execution(), system = sample_system();
  application["dropout"] = true;
  application.update(application_changes);
  execution.update(execution_changes);
  system.merge_patch(system_changes);
  return predict(
      read_configuration(application, execution, system, {"APP", "EXE", "SYS"}, {.model = Model::assay}));
}

// 2 tokens of width 4: key and value with 1 head of 2 instead of 2 are 2 x 32 FLOP for 2 x 64, and 2 x 8
// weights fewer.
TEST(GroupedQueries, HaveSmallerKeysAndValues) {
  const BlockCost whole = assays(json::object()).block, grouped = assays(json{{"kv_heads", 1}}).block;
  EXPECT_DOUBLE_EQ(whole.forward.flops - grouped.forward.flops, 64);
  EXPECT_DOUBLE_EQ(whole.weights - grouped.weights, 16);
}

TEST(GroupedQueries, OfAsManyHeadsAreOrdinaryAttentionAndOfOneMultiquery) {
  EXPECT_DOUBLE_EQ(assays(json{{"kv_heads", 2}}).step.time.total_s, assays(json::object()).step.time.total_s);
  const Prediction one = assays(json{{"kv_heads", 1}});
  const Prediction multiquery = assays(json::object(), json{{"attention_type", "multiquery"}});
  EXPECT_DOUBLE_EQ(one.block.forward.flops, multiquery.block.forward.flops);
  EXPECT_DOUBLE_EQ(one.block.weights, multiquery.block.weights);
}

TEST(GroupedQueries, OnMoreProcessorsThanHeadsAreOnSeveral) {
  const json two = {{"num_procs", 2}, {"tensor_par", 2}};
  const json ring = {{"num_procs", 2}, {"tensor_par", 2}, {"tensor_par_overlap", "ring"}};
  // Two heads of 2 on two processors: 4 x (2 + 2 + 2) weights of one each, 4 x (2 + 2 + 2) of a shared one.
  EXPECT_DOUBLE_EQ(assays(json{{"kv_heads", 1}}, two).block.weights,
                   assays(json{{"kv_heads", 2}}, two).block.weights);
  EXPECT_DOUBLE_EQ(assays(json{{"kv_heads", 1}}, ring).block.weights,
                   assays(json{{"kv_heads", 1}}, two).block.weights);
}

// One more projection of 4 x 8 (128 FLOP), and 9 instead of 8 FLOP for each of 16 elements.
TEST(GatedMlp, HasAProjectionMore) {
  const BlockCost plain = assays(json::object()).block, gated = assays(json{{"gated_mlp", true}}).block;
  EXPECT_DOUBLE_EQ(gated.forward.flops - plain.forward.flops, 128 + 16);
  EXPECT_DOUBLE_EQ(gated.weights - plain.weights, 32);
  EXPECT_DOUBLE_EQ(gated.stored_bytes - plain.stored_bytes, 32);
}

// 2 heads of 2 x 2 scores: two bytes each of softmax and of its product, one of the dropout mask, are not
// kept; a maximum and a sum for each of 4 rows are, at 4 bytes.
TEST(FusedAttention, KeepsNoScoresAndMakesThemAgain) {
  const BlockCost plain = assays(json::object()).block,
                  fused = assays(json::object(), json{{"fused_attention", true}}).block;
  EXPECT_DOUBLE_EQ(plain.stored_bytes - fused.stored_bytes, 16 + 8 + 16 - 32);
  EXPECT_DOUBLE_EQ(fused.forward.flops, plain.forward.flops);
  EXPECT_DOUBLE_EQ(fused.recompute.flops, 32 + 40 + 8);
  EXPECT_DOUBLE_EQ(plain.recompute.flops, 0);
  EXPECT_LT(fused.forward.bytes, plain.forward.bytes);
}

// 10 rows of 4: 2 tokens by 10 rows of 4 is 160 FLOP a pass, and 5 and 8 for each of 20 logits; the norm
// before it 30 a number for 8 numbers; the embedding's gradient 8 additions.
TEST(EmbeddingAndHead, AddTheirWorkToEveryMicrobatch) {
  const Prediction with = assays(json{{"vocabulary", 10}}, json{{"batch_size", 3}});
  EXPECT_DOUBLE_EQ(with.block.head.flops, 3 * 160 + 13 * 20 + 30 * 8);
  EXPECT_DOUBLE_EQ(with.block.embedding.flops, 8);
  EXPECT_DOUBLE_EQ(with.block.embedding.weights, 40);
  EXPECT_DOUBLE_EQ(with.block.head.weights, 40 + 8);
  EXPECT_NEAR(with.step.time.ends_s, 3 * (with.block.embedding.seconds + with.block.head.seconds), 1e-18);
}

// fp16: 2 bytes of weight, 2 of gradient, 12 of state; logits at 4 bytes, the input of head and norm 16 each.
TEST(EmbeddingAndHead, FillTheMemoryOfTheirStage) {
  EXPECT_DOUBLE_EQ(assays(json{{"vocabulary", 10}}).step.memory.ends, 16 * (40 + 48) + 80 + 32);
  EXPECT_DOUBLE_EQ(assays(json{{"vocabulary", 10}, {"tied_embedding", true}}).step.memory.ends,
                   16 * 40 + 80 + 32);
  EXPECT_DOUBLE_EQ(
      assays(json{{"vocabulary", 10}, {"num_blocks", 2}}, json{{"num_procs", 2}, {"pipeline_par", 2}})
          .step.memory.ends,
      16 * 40);
}

// The second of two stages has one microbatch in flight instead of two, and the head: 48 weights of 16 bytes,
// 112 bytes for the loss, in the place of the embedding's 40 weights.
TEST(EmbeddingAndHead, AreLookedAtOnTheLastStageToo) {
  const json pipeline = {{"num_procs", 2}, {"pipeline_par", 2}, {"batch_size", 2}};
  const Prediction p = assays(json{{"vocabulary", 10}, {"num_blocks", 2}}, pipeline);
  EXPECT_DOUBLE_EQ(p.step.memory.last_stage_tier1 - p.step.memory.tier1, 16 * 8 + 112 - p.block.stored_bytes);
  EXPECT_DOUBLE_EQ(assays(json{{"num_blocks", 2}}, pipeline).step.memory.last_stage_tier1, 0);
  const Prediction big = assays(json{{"vocabulary", 100'000'000}, {"num_blocks", 2}}, pipeline);
  EXPECT_EQ(big.verdict.obstacle, Obstacle::mem1_too_small);
  EXPECT_DOUBLE_EQ(big.verdict.needed_bytes, big.step.memory.last_stage_tier1);
}

// With two stages the longer of both ends paces every microbatch, and each is passed once more.
TEST(EmbeddingAndHead, PaceAPipelineByTheLongerEnd) {
  const Prediction p = assays(json{{"vocabulary", 10}, {"num_blocks", 2}},
                              json{{"num_procs", 2}, {"pipeline_par", 2}, {"batch_size", 5}});
  EXPECT_NEAR(p.step.time.ends_s, p.block.embedding.seconds + p.block.head.seconds + 4 * p.block.head.seconds,
              1e-18);
  EXPECT_GT(p.block.head.seconds, p.block.embedding.seconds);
}

// The last of two stages has one of three blocks, and half a step's time for the head.
TEST(EmbeddingAndHead, HideWhereTheLastStageHasABlockLess) {
  const Prediction p = assays(json{{"vocabulary", 10}, {"num_blocks", 3}},
                              json{{"num_procs", 2}, {"pipeline_par", 2}, {"batch_size", 5}});
  EXPECT_NEAR(p.step.time.ends_s, 5 * p.block.embedding.seconds + p.block.head.seconds, 1e-18);
}

// 40 numbers among two copies of a tied matrix: 80 bytes at 1 GB/s.
TEST(EmbeddingAndHead, AddUpTheGradientsOfATiedMatrix) {
  const json pipeline = {{"num_procs", 2}, {"pipeline_par", 2}};
  const double own_s = assays(json{{"vocabulary", 10}, {"num_blocks", 2}}, pipeline).step.time.ends_s;
  const double tied_s =
      assays(json{{"vocabulary", 10}, {"num_blocks", 2}, {"tied_embedding", true}}, pipeline)
          .step.time.ends_s;
  EXPECT_NEAR(tied_s - own_s, 80e-9, 1e-18);
}

// One expert is the MLP: what is more is the router (2 x 4 x 1 weights' work, 5 FLOP a number) and two copies
// of 16 bytes each way.
TEST(Experts, AreAnMlpWithARouterWhereThereIsOne) {
  const BlockCost dense = assays(json::object()).block, one = assays(json{{"experts", 1}}).block;
  EXPECT_DOUBLE_EQ(one.forward.flops - dense.forward.flops, 16 + 10);
  EXPECT_DOUBLE_EQ(one.weights + one.expert_weights - dense.weights, 4);
  EXPECT_DOUBLE_EQ(one.expert_weights, 64);
  EXPECT_NEAR(one.dispatch.forward_s, 2 * 32e-9, 1e-18);
}

// Four experts, two a token: twice the MLP's 256 + 128 FLOP, 4 x 64 weights, a router of 4 columns.
TEST(Experts, TakeTheTokensThatAreRoutedToThem) {
  const BlockCost dense = assays(json::object()).block;
  const BlockCost four = assays(json{{"experts", 4}, {"experts_per_token", 2}}).block;
  EXPECT_DOUBLE_EQ(four.forward.flops - dense.forward.flops, 256 + 128 + 64 + 40);
  EXPECT_DOUBLE_EQ(four.expert_weights, 256);
  const BlockCost ample =
      assays(json{{"experts", 4}, {"experts_per_token", 2}, {"capacity_factor", 1.5}}).block;
  EXPECT_DOUBLE_EQ(ample.forward.flops - four.forward.flops, 256 + 128);
}

// Over two processors: half the experts on each, 32 bytes of which half go to the other at 1 GB/s, each way,
// beside copies of 64 bytes.
TEST(Experts, AreSharedByProcessorsThatSendEachOtherTokens) {
  const json two = {{"num_procs", 2}, {"data_par", 2}, {"batch_size", 2}, {"expert_par", 2}};
  const Prediction p = assays(json{{"experts", 4}, {"experts_per_token", 2}}, two);
  EXPECT_DOUBLE_EQ(p.block.expert_weights, 128);
  EXPECT_NEAR(p.block.dispatch.forward_s, 2 * (16e-9 + 64e-9), 1e-18);
  EXPECT_NEAR(p.step.time.expert_exposed_s, p.block.dispatch.forward_s + p.block.dispatch.backward_s, 1e-18);
  EXPECT_DOUBLE_EQ(p.step.data_bytes, 2 * p.block.weights);
  // Gradients: all-reduce of the shared weights between two; no other processor has these experts.
  EXPECT_NEAR(p.step.time.data_link_s, 2 * p.block.weights * 1e-9, 1e-18);
}

TEST(Experts, AreSentAtTheNetworksOwnRateOfAllToAll) {
  json system = sample_system();
  system["networks"][1]["ops"]["all_to_all"] = {3, -1};
  const json two = {{"num_procs", 2}, {"data_par", 2}, {"batch_size", 2}, {"expert_par", 2}};
  const Prediction p =
      assays(json{{"experts", 4}, {"experts_per_token", 2}}, two, json{{"networks", system["networks"]}});
  EXPECT_NEAR(p.block.dispatch.forward_s, 2 * (3 * 16e-9 + 64e-9), 1e-18);
}

// An operation without a value in the system file is one that was not measured.
TEST(UnmeasuredOperation, IsWhyAStepThatAsksForItDoesNotFit) {
  const json lacking = {{"networks", sample_system()["networks"]}};
  json system = lacking;
  system["networks"][0]["ops"]["all_reduce"] = nullptr;
  const json two = {{"num_procs", 2}, {"tensor_par", 2}};
  const Prediction asked = assays(json::object(), two, system);
  EXPECT_EQ(asked.verdict.obstacle, Obstacle::not_measured);
  EXPECT_EQ(to_string(asked.verdict), "all_reduce among 2 of network tier0 was not measured");
  EXPECT_TRUE(assays(json::object(), json::object(), system).verdict.feasible());
  EXPECT_TRUE(assays(json::object(), two, lacking).verdict.feasible());
}

}  // namespace
}  // namespace assay::model

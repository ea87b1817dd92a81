// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Context parallelism, sharding in groups, experts folded over replicas, and datatypes of parts: what each
// key changes, added up by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/error.hpp"
#include "model/predict/answer/training_step.hpp"
#include "model/predict/read/read.hpp"
#include "model/predict/system/placement.hpp"
#include "model/predict/tests/sample_files.hpp"

namespace assay::model {
namespace {

using nlohmann::json;

struct AskedKeys {
  json application = sample_application(), execution = sample_execution(), system = sample_system();

  Configuration configuration() const {
    return read_configuration(application, execution, system,
                              {"application.json", "execution.json", "system.json"}, {.model = Model::assay});
  }
  Prediction prediction() const { return predict(configuration()); }
  AskedKeys with(const json& changes) const {
    AskedKeys changed = *this;
    changed.execution.update(changes);
    return changed;
  }
};

std::string refusal_of(const AskedKeys& asked) {
  try {
    static_cast<void>(asked.configuration());
  } catch (const core::Error& error) {
    return error.what();
  }
  return "";
}

AskedKeys long_sequences() {
  AskedKeys asked;
  asked.application.update({{"seq_size", 64}, {"hidden", 16}, {"attn_heads", 4}, {"attn_size", 4}});
  asked.execution.update({{"fused_attention", true}, {"data_par_net", 0}});
  return asked;
}

TEST(ContextParallelism, DividesTheWorkAndTheActivationsOfASequence) {
  const Prediction one = long_sequences().prediction();
  const Prediction two = long_sequences().with({{"num_procs", 2}, {"context_par", 2}}).prediction();
  EXPECT_NEAR(two.block.forward.flops, one.block.forward.flops / 2, 1e-9 * one.block.forward.flops);
  EXPECT_NEAR(two.block.stored_bytes, one.block.stored_bytes / 2, 1e-9 * one.block.stored_bytes);
  EXPECT_DOUBLE_EQ(two.block.weight_bytes, one.block.weight_bytes);
  EXPECT_GT(two.step.time.context_exposed_s, 0);
  EXPECT_GT(two.step.time.data_exposed_s, 0) << "both hold the same weights";
}

// Keys and values of 64 tokens, 2 x 16 wide, 2 bytes: 4,096 bytes at 1 GB/s. Gathered by two, half of them
// once forward; backward gathered again, and their gradients scattered.
TEST(ContextParallelism, GathersKeysAndValues) {
  const AskedKeys asked =
      long_sequences().with({{"num_procs", 2}, {"context_par", 2}, {"context_par_type", "all_gather"}});
  const BlockCost block = asked.prediction().block;
  EXPECT_NEAR(block.context.forward_s, 2048e-9, 1e-15);
  EXPECT_NEAR(block.context.backward_s, 2 * 2048e-9, 1e-15);
}

// Networks twice as fast save half of the exchanges, the same ones as a block's.
TEST(ContextParallelism, ExchangesInFurtherBlocksToo) {
  AskedKeys asked =
      long_sequences().with({{"num_procs", 2}, {"context_par", 2}, {"context_par_type", "all_gather"}});
  asked.application.update({{"vocabulary", 10}, {"mtp_blocks", 1}});
  const double slow_s = asked.prediction().block.head.seconds;
  for (json& network : asked.system["networks"])
    network["bandwidth"] = 2 * network["bandwidth"].get<double>();
  EXPECT_NEAR(slow_s - asked.prediction().block.head.seconds, 3 * 2048e-9 / 2, 1e-15);
}

// Half of the queries, keys, values and results of 32 tokens, 4 x 16 wide, 2 bytes, go to the other.
TEST(ContextParallelism, ExchangesHeadsForTokens) {
  const AskedKeys asked =
      long_sequences().with({{"num_procs", 2}, {"context_par", 2}, {"context_par_type", "ulysses"}});
  const BlockCost block = asked.prediction().block;
  EXPECT_NEAR(block.context.forward_s, 2048e-9, 1e-15);
  EXPECT_NEAR(block.context.backward_s, 2048e-9, 1e-15);
}

TEST(ContextParallelism, PassesKeysAroundWhileAttentionWorks) {
  AskedKeys asked = long_sequences().with({{"num_procs", 2}, {"context_par", 2}});
  AskedKeys fast = asked;
  asked.system["mem1"]["GBps"] = 1e9;
  const double slow_s = asked.prediction().block.context.forward_s;
  for (json& network : fast.system["networks"]) network["bandwidth"] = 1e6;
  EXPECT_EQ(fast.prediction().block.context.forward_s, 0) << "hidden";
  EXPECT_GT(slow_s, 0);
  EXPECT_LT(slow_s, 2048e-9) << "less than what is passed on";
}

TEST(ContextParallelism, IsPlacedWhereThereIsSpace) {
  json eight{{"num_procs", 16}, {"tensor_par", 4}, {"context_par", 4}};
  EXPECT_EQ(long_sequences().with(eight).configuration().execution.context_par_net, 1U);
  eight.update({{"num_procs", 8}, {"context_par", 2}});
  EXPECT_EQ(long_sequences().with(eight).configuration().execution.context_par_net, 0U);
}

TEST(ContextParallelism, IsRefusedWhereItDoesNotDivide) {
  EXPECT_THAT(refusal_of(long_sequences().with({{"num_procs", 3}, {"context_par", 3}})),
              testing::HasSubstr("context_par: expected a divisor of the application's seq_size 64, got 3"));
  EXPECT_THAT(
      refusal_of(long_sequences().with({{"num_procs", 2}, {"context_par", 1}})),
      testing::HasSubstr("num_procs: expected tensor_par * pipeline_par * data_par = 1 * 1 * 1, got 2"));
  EXPECT_FALSE(has_training_step(
      long_sequences().with({{"num_procs", 2}, {"context_par", 2}}).configuration().execution));
}

AskedKeys in_shards(std::int64_t group) {
  AskedKeys asked;
  asked.application["num_blocks"] = 4;
  asked.execution.update({{"num_procs", 16},
                          {"data_par", 16},
                          {"batch_size", 16},
                          {"optimizer_sharding", true},
                          {"sharding", "parameters"}});
  if (group > 0) asked.execution["sharding_group"] = group;
  return asked;
}

// 288 bytes of weights a block: within a node of 8 of two, gathered twice and scattered once by eight at
// 1 GB/s; then each eighth is added up between the two.
TEST(ShardingGroups, GatherWithinANodeAndAddUpBetweenCopies) {
  const Prediction group = in_shards(8).prediction();
  const double within_s = 3 * 288e-9 * 7 / 8, between_s = 2 * 288e-9 / 8 / 2;
  EXPECT_NEAR(group.step.time.data_link_s, 4 * (within_s + between_s), 1e-13);
  const Prediction whole = in_shards(0).prediction();
  EXPECT_GT(group.step.memory.weight, whole.step.memory.weight);
  EXPECT_DOUBLE_EQ(group.step.memory.weight - 2 * 288, 4 * 288.0 / 8);
}

TEST(ShardingGroups, KeepWhatIsGatheredAhead) {
  AskedKeys asked = in_shards(0);
  const double one = asked.prediction().step.memory.weight;
  EXPECT_DOUBLE_EQ(asked.with({{"sharding_prefetch", 2}}).prediction().step.memory.weight - one, 288);
  asked.execution["data_par_overlap"] = true;
  const double ahead_s = asked.prediction().step.time.data_exposed_s;
  EXPECT_GT(asked.with({{"sharding_prefetch", 0}}).prediction().step.time.data_exposed_s, ahead_s);
}

TEST(Sharding, OfTheOptimizerKeepsGradientsWhole) {
  const AskedKeys all = in_shards(0).with({{"sharding", "gradients"}});
  const AskedKeys state = all.with({{"sharding", "optimizer"}});
  const StepMemory shared = all.prediction().step.memory, whole = state.prediction().step.memory;
  EXPECT_DOUBLE_EQ(whole.optimizer, shared.optimizer);
  EXPECT_DOUBLE_EQ(whole.block_weight_gradient, 16 * shared.block_weight_gradient);
  EXPECT_THAT(refusal_of(all.with({{"optimizer_sharding", false}})),
              testing::HasSubstr("optimizer_sharding: expected true where sharding is 'gradients'"));
}

AskedKeys narrow_products() {
  AskedKeys asked;
  asked.system["matrix"]["float8"] = asked.system["matrix"]["float16"];
  asked.system["matrix"]["float8"]["tflops"] = 2;
  asked.system["mem1"]["GBps"] = 1e9;
  return asked;
}

// 512 of the forward pass's 928 FLOP are products with weights, 64 attention's.
TEST(Datatypes, OfProductsHaveTheirEngineAndLeaveTheRest) {
  const double wide_s = narrow_products().prediction().block.forward.flop_s;
  const Prediction products = narrow_products().with({{"product_datatype", "float8"}}).prediction();
  EXPECT_NEAR(wide_s - products.block.forward.flop_s, 512e-12 / 2, 1e-20);
  const Prediction attention = narrow_products().with({{"attention_datatype", "float8"}}).prediction();
  EXPECT_NEAR(wide_s - attention.block.forward.flop_s, 64e-12 / 2, 1e-20);
  EXPECT_DOUBLE_EQ(products.block.stored_bytes, narrow_products().prediction().block.stored_bytes);
  EXPECT_THAT(refusal_of(narrow_products().with({{"product_datatype", "float32"}})),
              testing::HasSubstr("product_datatype: the system's matrix has no 'float32'"));
}

// Measured times of narrow products are not the head's, which stay wide; the sample's take nanoseconds.
TEST(Datatypes, OfProductsLeaveTheHeadToItsTable) {
  AskedKeys asked = narrow_products();
  asked.application["vocabulary"] = 10;
  const auto head_s = [](const AskedKeys& keys) {
    Configuration configuration = keys.configuration();
    configuration.system.matmul_s = [](const MatmulShape&) { return 1.0; };
    return predict(configuration).block.head.seconds;
  };
  EXPECT_GT(head_s(asked), 1);
  EXPECT_LT(head_s(asked.with({{"product_datatype", "float8"}})), 1e-6);
}

// Three passes of 512 FLOP of a block's products, and of 2 x 2 x 8 x 4 of the projection before it.
TEST(Datatypes, OfProductsAreThoseOfFurtherBlocksToo) {
  AskedKeys asked = narrow_products();
  asked.application.update({{"vocabulary", 10}, {"mtp_blocks", 1}, {"dropout", true}});
  const double wide_s = asked.prediction().block.head.seconds;
  const double narrow_s = asked.with({{"product_datatype", "float8"}}).prediction().block.head.seconds;
  EXPECT_NEAR(wide_s - narrow_s, 3 * (512 + 128) * 1e-12 / 2, 1e-14);
}

// Each of two pieces reads all weights, a byte each: 24 behind whose product forward is a reduction, and 40
// where it is backward.
TEST(Datatypes, OfProductsAreThoseOfTheirPieces) {
  AskedKeys asked;
  asked.system["matrix"]["float8"] = asked.system["matrix"]["float16"];
  asked.system["processing_mode"] = "roofline";
  for (json& network : asked.system["networks"]) network["bandwidth"] = 1e-3;
  asked.execution.update({{"num_procs", 2}, {"tensor_par", 2}, {"tensor_par_overlap", "ring"}});
  const BlockCost block = asked.with({{"product_datatype", "float8"}}).prediction().block;
  EXPECT_NEAR(block.forward.seconds - block.forward.memory_s, 24e-9, 1e-15);
  EXPECT_NEAR(block.agrad.seconds - block.agrad.memory_s, 40e-9, 1e-15);
}

TEST(Datatypes, OfGradientsAndExchangesAreThoseOnTheNetworkAndInMemory) {
  const json two{{"num_procs", 4}, {"tensor_par", 2}, {"data_par", 2}, {"batch_size", 2}};
  const Prediction plain = AskedKeys().with(two).prediction();
  const Prediction gradients = AskedKeys().with(two).with({{"gradient_datatype", "float32"}}).prediction();
  EXPECT_DOUBLE_EQ(gradients.step.time.data_link_s, 2 * plain.step.time.data_link_s);
  EXPECT_DOUBLE_EQ(gradients.step.memory.block_weight_gradient, 2 * plain.step.memory.block_weight_gradient);
  EXPECT_EQ(gradients.step.time.tensor_link_s, plain.step.time.tensor_link_s);
  const Prediction exchanges = AskedKeys().with(two).with({{"exchange_datatype", "float32"}}).prediction();
  EXPECT_DOUBLE_EQ(exchanges.block.forward_exchange.base.bytes, 2 * plain.block.forward_exchange.base.bytes);
  EXPECT_EQ(exchanges.step.time.data_link_s, plain.step.time.data_link_s);
}

TEST(RecomputedBlocks, AreThoseThatAreAskedFor) {
  AskedKeys asked;
  asked.application["num_blocks"] = 4;
  const Prediction none = asked.prediction();
  asked.execution["activation_recompute"] = "full";
  const Prediction all = asked.prediction();
  const Prediction one = asked.with({{"recompute_blocks", 1}}).prediction();
  EXPECT_NEAR(one.step.time.recompute_s, all.step.time.recompute_s / 4, 1e-15);
  EXPECT_NEAR(one.block.stored_bytes, 0.75 * none.block.stored_bytes, 1e-9);
  EXPECT_NEAR(one.step.memory.checkpoint, all.step.memory.checkpoint / 4, 1e-9);
  EXPECT_THAT(refusal_of(asked.with({{"recompute_blocks", 5}})),
              testing::HasSubstr("recompute_blocks: expected at most a processor's 4 blocks, got 5"));
}

// The head's pass keeps 80 bytes of logits and two inputs of 16, the projection its input of 32, and the
// block its own of 16.
TEST(FurtherBlocks, KeepTheirInputWhereAllIsRecomputed) {
  AskedKeys asked;
  asked.application["vocabulary"] = 10;
  asked.execution["activation_recompute"] = "full";
  const double plain = asked.prediction().block.head.kept_bytes;
  asked.application["mtp_blocks"] = 1;
  EXPECT_DOUBLE_EQ(asked.prediction().block.head.kept_bytes - plain, 80 + 32 + 32 + 16);
}

AskedKeys folded_experts() {
  AskedKeys asked;
  asked.application.update({{"experts", 8}, {"experts_per_token", 2}});
  asked.execution.update({{"num_procs", 8},
                          {"tensor_par", 2},
                          {"context_par", 2},
                          {"data_par", 2},
                          {"batch_size", 2},
                          {"tensor_par_comm_type", "rs_ag"}});
  asked.application["seq_size"] = 8;
  return asked;
}

TEST(FoldedExperts, AreSpreadOverReplicas) {
  const AskedKeys whole = folded_experts().with({{"expert_par", 8}, {"expert_tensor_par", 1}});
  const Prediction spread = whole.prediction();
  EXPECT_TRUE(spread.verdict.feasible()) << to_string(spread.verdict);
  const Prediction divided = folded_experts().with({{"expert_par", 2}}).prediction();
  // Two of eight experts' matrices here, or one expert's whole: 2 x (4 x 8).
  EXPECT_DOUBLE_EQ(spread.block.expert_weights, 64);
  EXPECT_DOUBLE_EQ(divided.block.expert_weights, 4 * 64 / 2);
  EXPECT_EQ(Placement(whole.configuration().execution).experts().members(), 8);
  EXPECT_EQ(Placement(whole.configuration().execution).expert_copies().members(), 1);
  EXPECT_NEAR(spread.block.forward.flops, divided.block.forward.flops, 1e-9 * divided.block.forward.flops);
  EXPECT_THAT(
      refusal_of(folded_experts().with({{"expert_par", 8}})),
      testing::HasSubstr("expert_par: expected a divisor of tensor_par * context_par / "
                         "expert_tensor_par = 2, or a multiple of it by a divisor of data_par 2, got 8"));
}

TEST(Executions, AreWrittenAsTheyAreRead) {
  const json keys{{"num_procs", 8},         {"tensor_par", 2},
                  {"context_par", 2},       {"data_par", 2},
                  {"batch_size", 2},        {"context_par_type", "ulysses"},
                  {"schedule", "1f1b"},     {"gradient_datatype", "float32"},
                  {"context_par_net", 1},   {"optimizer_sharding", true},
                  {"sharding", "optimizer"}};
  const AskedKeys asked = AskedKeys().with(keys);
  const json written = to_json(read_execution(asked.execution, "execution.json", Model::assay));
  for (const auto& [key, value] : keys.items()) EXPECT_EQ(written.value(key, json()), value) << key;
  EXPECT_FALSE(written.contains("product_datatype"));
}

}  // namespace
}  // namespace assay::model

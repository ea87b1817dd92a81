// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A block small enough to be added up by hand.
#include "model/predict/layers/block_cost.hpp"

#include <gtest/gtest.h>

#include "model/predict/layers/layer_sum.hpp"
#include "model/predict/tests/sample_files.hpp"

namespace assay::model {
namespace {

using nlohmann::json;

struct Sample {
  json application = sample_application(), execution = sample_execution(), system = sample_system();
  Prediction prediction() const { return predict(read_sample(application, execution, system)); }
};

// 2 tokens of width 4: norms 2 x 72; query, key, value and the projection after attention 4 x 64; two batched
// products 2 x 32; softmax and dropout of 2 x 2 x 2 scores 40 + 8; MLP 2 x 128; GeLU of 16 elements 128; two
// dropouts and two residuals of 8 elements 4 x 8.
TEST(BlockCost, ForwardFlopsAreThoseCountedByHand) {
  EXPECT_DOUBLE_EQ(Sample().prediction().block.forward.flops, 144 + 256 + 64 + 48 + 256 + 128 + 32);
}

// Matrices 4 x (4 x 4) and 2 x (4 x 8), two norms of 2 x 4.
TEST(BlockCost, WeightsAreThoseOfMatricesAndNorms) {
  const BlockCost block = Sample().prediction().block;
  EXPECT_DOUBLE_EQ(block.weights, 64 + 64 + 16);
  EXPECT_DOUBLE_EQ(block.weight_bytes, 288);
}

// Memory at 1 GB/s: 1 ns a byte; engines at 1 TFLOP/s: 1 ps a FLOP.
TEST(BlockCost, WithoutOverlapComputeAndMemoryAddUpAndTheRooflineTakesTheLonger) {
  Sample sample;
  const Pass sum = sample.prediction().block.forward;
  EXPECT_NEAR(sum.flop_s, 928e-12, 1e-20);
  EXPECT_NEAR(sum.memory_s, sum.bytes * 1e-9, 1e-18);
  EXPECT_NEAR(sum.seconds, sum.flop_s + sum.memory_s, 1e-18);
  sample.system["processing_mode"] = "roofline";
  EXPECT_NEAR(sample.prediction().block.forward.seconds, sum.memory_s, 1e-18);
}

// Two processors, 16 bytes an all-reduce of scalar 2 (1 - 1/2) at 1 GB/s: 16 ns each, twice a pass; the local
// sum touches 32 bytes and adds 4 numbers.
TEST(BlockCost, TensorParallelismAddsAnAllReduceAfterAttentionAndMlp) {
  Sample sample;
  sample.execution["num_procs"] = sample.execution["tensor_par"] = 2;
  const BlockCost block = sample.prediction().block;
  EXPECT_DOUBLE_EQ(block.forward_exchange.base.bytes, 32);
  EXPECT_NEAR(block.forward_exchange.base.link_s, 2 * (16e-9 + 32e-9 + 4e-12), 1e-18);
  EXPECT_DOUBLE_EQ(block.backward_exchange.base.link_s, block.forward_exchange.base.link_s);
  EXPECT_DOUBLE_EQ(block.repeated_exchange.base.link_s, 0);
}

TEST(BlockCost, FullRecomputeRepeatsTheForwardTimeAndKeepsOnlyTheInput) {
  Sample sample;
  sample.execution["activation_recompute"] = "full";
  const BlockCost block = sample.prediction().block;
  EXPECT_DOUBLE_EQ(block.recompute.seconds, block.forward.seconds);
  EXPECT_DOUBLE_EQ(block.stored_bytes, 0);
  EXPECT_DOUBLE_EQ(block.checkpoint_bytes, 16);
}

// The fault of the original: sums of sums, where the recomputed work is the forward work once.
TEST(BlockCost, RecomputedFlopsAreCalculonsPrefixSums) {
  Sample sample;
  sample.execution["activation_recompute"] = "full";
  const BlockCost block = sample.prediction().block;
  EXPECT_GT(block.recompute.flops, 2 * block.forward.flops);
}

// A microsecond a product; before it 16 bytes of inputs are read wide and written narrow, and backward 32 of
// gradients, once for both products.
TEST(LayerSum, CastsOperandsThatAMeasuredProductFindsNarrow) {
  Sample sample;
  sample.system["matrix"]["float8"] = sample.system["matrix"]["float16"];
  System system = read_sample(sample.application, sample.execution, sample.system).system;
  system.matmul_s = [](const MatmulShape&) { return 1e-6; };
  Execution execution;
  execution.product_datatype = Datatype::float8;
  for (const bool roofline : {false, true}) {
    system.roofline = roofline;
    BlockCost cost;
    LayerSum(execution, system, cost).add(linear(2, 4, 8, 2));
    EXPECT_NEAR(cost.forward.seconds, 1e-6 + (16 + 8) * 1e-9, 1e-18);
    EXPECT_NEAR(cost.agrad.seconds, 1e-6 + (32 + 16) * 1e-9, 1e-18);
    EXPECT_NEAR(cost.wgrad.seconds, 1e-6, 1e-18);
  }
}

// 144 weights: 11 FLOP each; 12 bytes each.
TEST(OptimizerCost, IsThatOfAllWeights) {
  const Pass optimizer = Sample().prediction().step.optimizer;
  EXPECT_DOUBLE_EQ(optimizer.flops, 1584);
  EXPECT_DOUBLE_EQ(optimizer.bytes, 1728);
}

}  // namespace
}  // namespace assay::model

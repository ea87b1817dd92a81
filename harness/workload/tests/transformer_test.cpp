// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/workload/transformer.hpp"

#include <gtest/gtest.h>

#include "harness/core/error.hpp"

namespace assay::workload {
namespace {

/// FLOPs of one block over all ranks and tokens, one pass, kv heads counted once:
/// 2 t h ((a + 2 g) d + a d + (2 or 3) f).
double block_flops(const Transformer& model, std::int64_t tokens) {
  const std::int64_t attention = (2 * model.heads + 2 * model.kv_heads) * model.head_size;
  const std::int64_t feed_forward = (model.gated ? 3 : 2) * model.feed_forward;
  return 2.0 * static_cast<double>(tokens) * static_cast<double>(model.hidden) *
         static_cast<double>(attention + feed_forward);
}

constexpr std::int64_t tokens = 4096;

void expect_sizes(const Problem& problem, std::int64_t m, std::int64_t n, std::int64_t k) {
  EXPECT_EQ(problem.m, m);
  EXPECT_EQ(problem.n, n);
  EXPECT_EQ(problem.k, k);
}

Problem of(const std::string& model, std::int64_t tp, BlockGemm gemm, Pass pass = Pass::forward) {
  return rank_problem(find_model(model), tokens, tp, gemm, pass, Dtype::bf16);
}

TEST(RankProblem, Llama2At8RanksGivesTheShapesOfThePublicProfile) {
  // The per-rank shapes that vidur measured for Llama-2-70B: QKV 10240/TP x 8192, gate+up 57344/TP x 8192.
  expect_sizes(of("llama2-70b", 1, BlockGemm::qkv), tokens, 10240, 8192);
  expect_sizes(of("llama2-70b", 8, BlockGemm::qkv), tokens, 1280, 8192);
  expect_sizes(of("llama2-70b", 8, BlockGemm::attention_output), tokens, 8192, 1024);
  expect_sizes(of("llama2-70b", 8, BlockGemm::up_gate), tokens, 7168, 8192);
  expect_sizes(of("llama2-70b", 8, BlockGemm::down), tokens, 8192, 3584);
}

TEST(RankProblem, ModelWithoutGateHasOneUpProjection) {
  expect_sizes(of("gpt3-175b", 1, BlockGemm::up_gate), tokens, 49152, 12288);
  expect_sizes(of("gpt3-175b", 8, BlockGemm::up_gate), tokens, 6144, 12288);
  expect_sizes(of("gpt3-175b", 8, BlockGemm::qkv), tokens, 4608, 12288);
}

TEST(RankProblem, BackwardPassesSwapTheSizesOfForward) {
  expect_sizes(of("llama3-8b", 2, BlockGemm::up_gate, Pass::forward), tokens, 14336, 4096);
  expect_sizes(of("llama3-8b", 2, BlockGemm::up_gate, Pass::dgrad), tokens, 4096, 14336);
  expect_sizes(of("llama3-8b", 2, BlockGemm::up_gate, Pass::wgrad), 14336, 4096, tokens);
}

TEST(RankProblem, LayoutsAreThoseOfTraining) {
  EXPECT_EQ(of("llama3-8b", 1, BlockGemm::qkv, Pass::forward).layout(), "TN");
  EXPECT_EQ(of("llama3-8b", 1, BlockGemm::qkv, Pass::dgrad).layout(), "NN");
  EXPECT_EQ(of("llama3-8b", 1, BlockGemm::qkv, Pass::wgrad).layout(), "NT");
}

TEST(RankProblem, WeightGradientIsWrittenInFp32) {
  EXPECT_EQ(of("llama3-8b", 1, BlockGemm::qkv, Pass::wgrad).output(), OutputType::fp32);
  EXPECT_EQ(of("llama3-8b", 1, BlockGemm::qkv, Pass::dgrad).output(), OutputType::bf16);
}

TEST(RankProblem, KvHeadsAreReplicatedBeyondTheirNumber) {
  // 8 kv heads over 16 ranks: 4 query heads and one whole kv head a rank, (4 + 2) x 128 features.
  expect_sizes(of("llama3-70b", 16, BlockGemm::qkv), tokens, 768, 8192);
  expect_sizes(of("llama3-70b", 64, BlockGemm::qkv), tokens, 384, 8192);
}

TEST(RankProblem, IndivisibleDegreeIsRefusedWithAReason) {
  EXPECT_EQ(indivisible(find_model("gpt3-175b"), 64).value(),
            "gpt3-175b has 96 attention heads, which 64 ranks cannot share evenly");
  EXPECT_EQ(indivisible(find_model("llama3-8b"), 64).value(),
            "llama3-8b has 32 attention heads, which 64 ranks cannot share evenly");
  EXPECT_FALSE(indivisible(find_model("llama3-405b"), 64).has_value());
  EXPECT_THROW(of("gpt3-175b", 64, BlockGemm::down), core::Error);
}

TEST(RankProblem, UnevenKvHeadsAreRefused) {
  Transformer model = find_model("llama3-8b");
  model.heads = 48;
  model.kv_heads = 12;
  model.feed_forward = 3 * 14336;
  EXPECT_EQ(indivisible(model, 8).value(),
            "llama3-8b has 12 kv heads, which 8 ranks can neither share nor replicate evenly");
  model.feed_forward = 14338;
  EXPECT_EQ(indivisible(model, 4).value(),
            "llama3-8b has 14338 feed-forward features, which 4 ranks cannot share evenly");
  EXPECT_TRUE(indivisible(model, 0).has_value());
}

TEST(RankProblem, NoTokensIsAUsageError) {
  EXPECT_THROW(rank_problem(find_model("llama3-8b"), 0, 1, BlockGemm::qkv, Pass::forward, Dtype::bf16),
               core::Error);
}

double summed_flops(const Transformer& model, std::int64_t tp, Pass pass) {
  double flops = 0;
  for (const std::string& gemm : all_block_gemms())
    flops += static_cast<double>(tp) *
             rank_problem(model, tokens, tp, block_gemm_from(gemm), pass, Dtype::bf16).flops();
  return flops;
}

TEST(BlockFlops, RanksAddUpToTheClosedFormInEveryPass) {
  for (const Transformer& model : presets())
    for (const std::int64_t tp : {1, 2, 4, 8})
      for (const Pass pass : {Pass::forward, Pass::dgrad, Pass::wgrad})
        EXPECT_DOUBLE_EQ(summed_flops(model, tp, pass), block_flops(model, tokens))
            << model.name << " tp " << tp;
}

TEST(BlockFlops, Gpt3IsTwentyFourTimesTokensTimesHiddenSquared) {
  EXPECT_DOUBLE_EQ(block_flops(find_model("gpt3-175b"), 2048), 24.0 * 2048 * 12288 * 12288);
}

TEST(Presets, WeightsOfAllBlocksComeNearTheNamedSize) {
  // Two FLOPs a weight and token; embeddings are not in the blocks, so a little is missing.
  const auto billions = [](const char* name) {
    const Transformer model = find_model(name);
    return block_flops(model, 1) / 2 * static_cast<double>(model.layers) * 1e-9;
  };
  EXPECT_NEAR(billions("gpt3-175b"), 173.9, 0.1);
  EXPECT_NEAR(billions("turing-nlg-530b"), 528.5, 0.1);
  EXPECT_NEAR(billions("megatron-1t"), 1006.6, 0.1);
  EXPECT_NEAR(billions("llama2-70b"), 68.5, 0.1);
  EXPECT_NEAR(billions("llama3-8b"), 6.98, 0.01);
  EXPECT_NEAR(billions("llama3-405b"), 401.6, 0.1);
}

TEST(Presets, UnknownModelNamesTheKnownOnes) {
  try {
    find_model("gpt4");
    FAIL() << "gpt4 was accepted";
  } catch (const core::Error& error) {
    EXPECT_STREQ(
        error.what(),
        "model 'gpt4': expected gpt3-175b, turing-nlg-530b, megatron-1t, llama2-70b, llama3-8b, llama3-70b, "
        "llama3-405b, or the path of a model file ending in .toml");
  }
}

TEST(Shrunk, DividesFeaturesAndHeadsAndKeepsTheHeadSize) {
  const Transformer small = shrunk(find_model("llama3-405b"), 16);
  EXPECT_EQ(small.hidden, 1024);
  EXPECT_EQ(small.feed_forward, 3328);
  EXPECT_EQ(small.heads, 8);
  EXPECT_EQ(small.kv_heads, 1);
  EXPECT_EQ(small.head_size, 128);
}

}  // namespace
}  // namespace assay::workload

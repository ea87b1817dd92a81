// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Embedding and output head of presets against counts element by element and rank by rank.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "harness/core/error.hpp"
#include "harness/training/presets.hpp"
#include "harness/training/rank_groups.hpp"
#include "harness/training/step_file.hpp"

namespace assay::training {
namespace {

constexpr std::int64_t rows = 96, width = 64;
const workload::Transformer with_head{.name = "small",
                                      .hidden = width,
                                      .feed_forward = 160,
                                      .heads = 8,
                                      .kv_heads = 4,
                                      .head_size = 8,
                                      .gated = true,
                                      .layers = 4};

TrainingStep step_with(const std::string& name, std::uint32_t ranks, std::vector<std::string> numbers,
                       std::int64_t vocabulary) {
  numbers.push_back("vocabulary=" + std::to_string(vocabulary));
  numbers.emplace_back("sequence=32");
  return preset_step(preset(name), ranks, with_head, numbers);
}

/// Bytes that a rank takes part in, by kind, with every group looked up rank by rank.
std::map<Traffic, double> bytes_of_rank(const TrainingStep& step, std::uint32_t rank) {
  std::map<Traffic, double> bytes;
  for (const StepStream& stream : step.streams)
    for (const StepOperation& one : stream.operations) {
      if (one.traffic == Traffic::none) continue;
      for (const RankGroup& group : rank_groups(group_texts(one.groups), step.ranks))
        if (std::ranges::find(group, rank) != group.end()) bytes[one.traffic] += one.times * one.bytes;
    }
  return bytes;
}

/// Bytes that a vocabulary adds to those of a rank.
std::map<Traffic, double> added(const std::string& name, std::uint32_t ranks,
                                const std::vector<std::string>& numbers, std::uint32_t rank) {
  std::map<Traffic, double> with = bytes_of_rank(step_with(name, ranks, numbers, rows), rank);
  for (const auto& [kind, bytes] : bytes_of_rank(step_with(name, ranks, numbers, 0), rank))
    with[kind] -= bytes;
  std::erase_if(with, [](const auto& one) { return one.second == 0; });
  return with;
}

double elements_one_by_one() {
  double elements = 0;
  for (std::int64_t row = 0; row < rows; ++row)
    for (std::int64_t column = 0; column < width; ++column) ++elements;
  return elements;
}

TEST(Vocabulary, OfDdpAddsTheGradientsOfTwoMatrices) {
  for (const char* bucket : {"bucket=1KiB", "bucket=64KiB", "bucket=25MiB"})
    EXPECT_THAT(added("ddp", 4, {bucket}, 1),
                testing::ElementsAre(std::pair{Traffic::all_reduce, 2 * 4 * elements_one_by_one()}));
  EXPECT_THAT(gradient_buckets(with_head, 1, 5000), testing::Contains(5000).Times(2));
  EXPECT_EQ(gradient_buckets(with_head, 1, 5000).front(), 5000);
  EXPECT_EQ(gradient_buckets(with_head, 1, 5000).back(), 5000);
}

TEST(Vocabulary, OfFsdpIsARootUnitThatIsGatheredOnce) {
  const double bytes = 2 * 2 * elements_one_by_one();
  for (const char* reshard : {"reshard=1", "reshard=0"})
    EXPECT_THAT(added("fsdp", 4, {reshard}, 3),
                testing::ElementsAre(std::pair{Traffic::all_gather, bytes},
                                     std::pair{Traffic::reduce_scatter, bytes}));
}

TEST(Vocabulary, OfExpertsIsAllReducedAmongAll) {
  EXPECT_THAT(added("moe", 8, {}, 5),
              testing::ElementsAre(std::pair{Traffic::all_reduce, 2 * 4 * elements_one_by_one()}));
}

/// 2 tensor x 2 context x 2 pipeline x 2 data: stages of 4 ranks in turn.
TEST(Vocabulary, OfMegatronIsExchangedOnTheFirstAndTheLastStage) {
  const std::vector<std::string> divided{"tensor=2",       "context=2",           "pipeline=2",
                                         "microbatches=5", "sequence_parallel=0", "zero=0"};
  const double tokens = 32 / 2.0, activations = 2 * tokens * width, gradients = 4 * elements_one_by_one() / 2;
  for (std::uint32_t rank = 0; rank < 16; ++rank) {
    SCOPED_TRACE(rank);
    const bool is_last = rank / 4 % 2 == 1;
    const double loss = is_last ? 5 * 3 * 4 * tokens : 0;
    EXPECT_THAT(added("megatron", 16, divided, rank),
                testing::ElementsAre(std::pair{Traffic::all_reduce, 5 * activations + loss + gradients}));
  }
}

TEST(Vocabulary, OfMegatronWithSequenceParallelismIsGatheredAndScattered) {
  const std::vector<std::string> divided{"tensor=2", "pipeline=2", "microbatches=5"};
  const double activations = 2 * 32 * width, elements = elements_one_by_one() / 2;
  std::map<Traffic, double> first = added("megatron", 8, divided, 0), last = added("megatron", 8, divided, 3);
  EXPECT_DOUBLE_EQ(first[Traffic::reduce_scatter], 5 * activations + 4 * elements);
  EXPECT_DOUBLE_EQ(first[Traffic::all_gather], 5 * activations + 2 * elements);
  EXPECT_EQ(first[Traffic::all_reduce], 0);
  EXPECT_DOUBLE_EQ(last[Traffic::reduce_scatter], 5 * activations + 4 * elements);
  EXPECT_DOUBLE_EQ(last[Traffic::all_gather], 2 * 5 * activations + 2 * elements) << "inputs gathered again";
  EXPECT_DOUBLE_EQ(last[Traffic::all_reduce], 5 * 3 * 4 * 32.0);
  std::map<Traffic, double> whole = added("megatron", 4, {"tensor=2", "microbatches=5"}, 1);
  EXPECT_DOUBLE_EQ(whole[Traffic::reduce_scatter], 2 * 5 * activations + 2 * 4 * elements) << "one stage";
}

TEST(Vocabulary, ComputesTheHeadForwardAndTwiceBackward) {
  for (const char* name : {"ddp", "fsdp", "moe"}) {
    const double seconds = compute_path_s(step_with(name, 8, {"tflops=1"}, rows)) -
                           compute_path_s(step_with(name, 8, {"tflops=1"}, 0));
    EXPECT_NEAR(seconds, 1e-12 * 3 * 2 * 32 * elements_one_by_one(), 1e-15) << name;
  }
}

TEST(Vocabulary, MustDivideIntoTensorRanks) {
  try {
    step_with("megatron", 8, {"tensor=8"}, 100);
    FAIL();
  } catch (const core::Error& error) {
    EXPECT_EQ(error.kind(), core::ErrorKind::usage);
    EXPECT_STREQ(error.what(), "vocabulary: expected a multiple of the 8 tensor ranks, got 100");
  }
}

}  // namespace
}  // namespace assay::training

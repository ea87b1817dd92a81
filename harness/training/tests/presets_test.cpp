// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Presets against counts made by hand: matrix by matrix, rank by rank, layer by layer.
#include "harness/training/presets.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "harness/training/rank_groups.hpp"
#include "harness/workload/problem.hpp"

namespace assay::training {
namespace {

const workload::Transformer small{.name = "small",
                                  .hidden = 64,
                                  .feed_forward = 160,
                                  .heads = 8,
                                  .kv_heads = 4,
                                  .head_size = 8,
                                  .gated = true,
                                  .layers = 6};

TrainingStep step_of(const std::string& name, std::uint32_t ranks, std::vector<std::string> numbers = {}) {
  return preset_step(preset(name), ranks, small, numbers);
}

/// Weights of a block, product by product.
double counted_parameters() {
  double parameters = 0;
  for (const std::string& name : workload::all_block_gemms()) {
    const auto one = workload::rank_problem(small, 1, 1, workload::block_gemm_from(name),
                                            workload::Pass::forward, workload::Dtype::bf16);
    parameters += static_cast<double>(one.n * one.k);
  }
  return parameters;
}

struct Exchanged {
  double bytes = 0, count = 0;
  std::set<std::string> groups = {};
};

std::map<std::pair<std::string, Traffic>, Exchanged> exchanges_of(const TrainingStep& step) {
  std::map<std::pair<std::string, Traffic>, Exchanged> all;
  for (const StepStream& stream : step.streams)
    for (const StepOperation& one : stream.operations) {
      if (one.traffic == Traffic::none) continue;
      Exchanged& sum = all[{one.among, one.traffic}];
      sum.bytes += one.times * one.bytes;
      sum.count += one.times;
      sum.groups.insert(one.groups);
    }
  return all;
}

TEST(Presets, CountTheMatricesOfABlock) {
  EXPECT_DOUBLE_EQ(block_parameters(small), counted_parameters());
  EXPECT_DOUBLE_EQ(block_flops(small, 16, 32), 2 * 16 * counted_parameters() + 16 * 4.0 * 32 * 64);
}

TEST(Presets, BucketsOfDdpHoldEveryGradientOnceAndAreFull) {
  for (const double bucket : {1.0, 5000.0, 20000.0, 1e9}) {
    const std::vector<double> buckets = gradient_buckets(small, bucket);
    EXPECT_DOUBLE_EQ(std::accumulate(buckets.begin(), buckets.end(), 0.0), 6 * counted_parameters());
    for (std::size_t at = 0; at + 1 < buckets.size(); ++at) EXPECT_GE(buckets[at], bucket);
  }
  EXPECT_EQ(gradient_buckets(small, 1).size(), 24U);
  EXPECT_EQ(gradient_buckets(small, 1e9).size(), 1U);
}

TEST(Presets, DdpReducesAllGradientsAmongAllRanks) {
  const auto all = exchanges_of(step_of("ddp", 8, {"bucket=64KiB"}));
  ASSERT_EQ(all.size(), 1U);
  const Exchanged& data = all.at({"data", Traffic::all_reduce});
  EXPECT_DOUBLE_EQ(data.bytes, 6 * counted_parameters() * 4);
  EXPECT_THAT(data.groups, testing::ElementsAre("0:8:1:8"));
}

/// Streams that a stream waits for, straight or by others.
void add_ancestors(const TrainingStep& step, const std::string& name, std::set<std::string>& all) {
  const auto stream = std::ranges::find(step.streams, name, &StepStream::name);
  if (stream == step.streams.end()) throw std::runtime_error("no stream " + name);
  for (const std::string& before : stream->after)
    if (all.insert(before).second) add_ancestors(step, before, all);
}

std::set<std::string> ancestors_of(const TrainingStep& step, const std::string& name) {
  std::set<std::string> all;
  add_ancestors(step, name, all);
  return all;
}

TEST(Presets, DdpExchangesABucketNextToTheRestOfTheBackwardPass) {
  const TrainingStep step = step_of("ddp", 8, {"bucket=64KiB"});
  EXPECT_TRUE(ancestors_of(step, "bucket 2").contains("backward 2"));
  EXPECT_TRUE(ancestors_of(step, "bucket 2").contains("bucket 1"));
  EXPECT_FALSE(ancestors_of(step, "backward 3").contains("bucket 1"));
}

TEST(Presets, FsdpMovesOneAndAHalfTimesTheBytesOfAnAllReduce) {
  const auto all = exchanges_of(step_of("fsdp", 8));
  const double weights = 6 * counted_parameters() * 2;
  EXPECT_DOUBLE_EQ(all.at({"data", Traffic::all_gather}).bytes, 2 * weights);
  EXPECT_DOUBLE_EQ(all.at({"data", Traffic::reduce_scatter}).bytes, weights);
  EXPECT_EQ(all.at({"data", Traffic::all_gather}).count, 12);
  const auto kept = exchanges_of(step_of("fsdp", 8, {"reshard=0"}));
  EXPECT_DOUBLE_EQ(kept.at({"data", Traffic::all_gather}).bytes, weights);
}

TEST(Presets, FsdpGathersAsFarAheadAsItMay) {
  for (const int ahead : {0, 1, 2}) {
    const TrainingStep step = step_of("fsdp", 8, {"prefetch=" + std::to_string(ahead)});
    const std::set<std::string> before = ancestors_of(step, "gather forward 4");
    for (int unit = 1; unit < 4; ++unit)
      EXPECT_EQ(before.contains("forward " + std::to_string(unit)), unit < 4 - ahead) << ahead << unit;
    EXPECT_TRUE(ancestors_of(step, "forward 4").contains("gather forward 4"));
    EXPECT_TRUE(ancestors_of(step, "reduce 1").contains("backward 1"));
    EXPECT_FALSE(ancestors_of(step, "backward 6").contains("reduce 1"));
  }
}

TEST(Presets, FsdpOfShardsReducesAmongTheCopies) {
  const auto all = exchanges_of(step_of("fsdp", 8, {"shard=4", "unit=4"}));
  EXPECT_THAT(all.at({"data", Traffic::all_gather}).groups, testing::ElementsAre("0:8:1:4"));
  EXPECT_EQ(all.at({"data", Traffic::reduce_scatter}).count, 2);  // 4 blocks and 2
  const Exchanged& copies = all.at({"copies", Traffic::all_reduce});
  EXPECT_THAT(copies.groups, testing::ElementsAre("0:8:4:2"));
  EXPECT_DOUBLE_EQ(copies.bytes, 6 * counted_parameters() * 2 / 4);
}

/// Every rank's place in each dimension, counted up one by one.
struct Place {
  std::uint32_t tensor = 0, context = 0, pipeline = 0, data = 0;
};

std::vector<Place> places(std::uint32_t t, std::uint32_t c, std::uint32_t p, std::uint32_t d) {
  std::vector<Place> all;
  for (std::uint32_t data = 0; data < d; ++data)
    for (std::uint32_t pipeline = 0; pipeline < p; ++pipeline)
      for (std::uint32_t context = 0; context < c; ++context)
        for (std::uint32_t tensor = 0; tensor < t; ++tensor) all.push_back({tensor, context, pipeline, data});
  return all;
}

TEST(Presets, MegatronGroupsAreTheRanksThatDifferInOneDimension) {
  const auto all = exchanges_of(step_of("megatron", 48, {"tensor=2", "context=2", "pipeline=3"}));
  const std::vector<Place> place = places(2, 2, 3, 4);
  const auto check = [&](const std::string& among, Traffic traffic, auto same, std::size_t size) {
    const std::vector<std::string> texts(all.at({among, traffic}).groups.begin(),
                                         all.at({among, traffic}).groups.end());
    for (const RankGroup& group : rank_groups(texts, 48)) {
      EXPECT_EQ(group.size(), size) << among;
      for (const std::uint32_t rank : group) EXPECT_TRUE(same(place[rank], place[group[0]])) << among;
    }
  };
  check(
      "tensor", Traffic::all_gather,
      [](const Place& a, const Place& b) {
        return a.context == b.context && a.pipeline == b.pipeline && a.data == b.data;
      },
      2);
  check(
      "context", Traffic::all_gather,
      [](const Place& a, const Place& b) {
        return a.tensor == b.tensor && a.pipeline == b.pipeline && a.data == b.data;
      },
      2);
  check(
      "pipeline", Traffic::pipeline,
      [](const Place& a, const Place& b) {
        return a.tensor == b.tensor && a.context == b.context && a.data == b.data;
      },
      3);
  check(
      "data", Traffic::reduce_scatter,
      [](const Place& a, const Place& b) { return a.tensor == b.tensor && a.pipeline == b.pipeline; }, 8);
}

TEST(Presets, MegatronMovesWhatItsBlocksAndMicrobatchesAddUpTo) {
  const auto all = exchanges_of(step_of(
      "megatron", 48,
      {"tensor=2", "context=2", "pipeline=3", "microbatches=5", "sequence=32", "batch=2", "chunks=2"}));
  const double activation = 2 * 32 / 2 * 64 * 2;  // sequences, tokens of a rank, hidden, bytes
  double tensor = 0, context = 0;
  int borders = 0;
  for (int microbatch = 0; microbatch < 5; ++microbatch) {
    for (int block = 0; block < 6 / 3; ++block) {
      tensor += 2 * activation;                   // two in a pass
      context += 2 * (2 * 32) * (4 / 2 * 8) * 2;  // keys and values of two heads of 8
    }
    for (int chunk = 1; chunk < 2 * 3; ++chunk) borders += 2;  // there and back, of chunks in order
  }
  EXPECT_DOUBLE_EQ(all.at({"tensor", Traffic::all_gather}).bytes, 3 * tensor) << "backward again";
  EXPECT_DOUBLE_EQ(all.at({"tensor", Traffic::reduce_scatter}).bytes, 2 * tensor);
  EXPECT_DOUBLE_EQ(all.at({"context", Traffic::all_gather}).bytes, context);
  EXPECT_DOUBLE_EQ(all.at({"context", Traffic::reduce_scatter}).bytes, context);
  EXPECT_DOUBLE_EQ(
      3 * all.at({"pipeline", Traffic::shift}).bytes + 2 * all.at({"pipeline", Traffic::pipeline}).bytes,
      borders * activation / 2)
      << "of 3 ranks a shift takes 3 messages, a pipeline 2";
  EXPECT_DOUBLE_EQ(all.at({"data", Traffic::reduce_scatter}).bytes, 2 * counted_parameters() / 2 * 4);
  EXPECT_DOUBLE_EQ(all.at({"data", Traffic::all_gather}).bytes, 2 * counted_parameters() / 2 * 2);
}

TEST(Presets, MegatronThatKeepsItsInputsGathersThemOnce) {
  const auto all = exchanges_of(step_of("megatron", 8, {"tensor=4", "gather_again=0"}));
  EXPECT_EQ(all.at({"tensor", Traffic::all_gather}).count, 2 * 2 * 6 * 8);
  EXPECT_EQ(exchanges_of(step_of("megatron", 8, {"tensor=4"})).at({"tensor", Traffic::all_gather}).count,
            3 * 2 * 6 * 8);
}

TEST(Presets, MegatronWithoutSequenceParallelismReducesInstead) {
  const auto all = exchanges_of(step_of("megatron", 8, {"tensor=4", "sequence_parallel=0", "zero=0"}));
  EXPECT_FALSE(all.contains({"tensor", Traffic::all_gather}));
  EXPECT_EQ(all.at({"tensor", Traffic::all_reduce}).count, 4 * 6 * 8);
  EXPECT_FALSE(all.contains({"data", Traffic::reduce_scatter}));
  EXPECT_DOUBLE_EQ(all.at({"data", Traffic::all_reduce}).bytes, 6 * counted_parameters() / 4 * 4);
}

TEST(Presets, ExpertsGetEveryTokenAndGiveItBackInBothPasses) {
  const auto all = exchanges_of(step_of("moe", 16, {"sequence=32", "experts=8", "expert=4", "top=3"}));
  const Exchanged& sent = all.at({"expert", Traffic::all_to_all});
  double bytes = 0;
  for (int block = 0; block < 6; ++block)
    for (int token = 0; token < 32; ++token) bytes += 4 * 3 * 64 * 2;  // there and back, twice
  EXPECT_DOUBLE_EQ(sent.bytes, bytes);
  EXPECT_EQ(sent.count, 4 * 6);
  const double feed_forward = 3.0 * 64 * 160;
  EXPECT_DOUBLE_EQ(all.at({"data", Traffic::all_reduce}).bytes,
                   6 * (counted_parameters() - feed_forward) * 4);
  EXPECT_DOUBLE_EQ(all.at({"expert copies", Traffic::all_reduce}).bytes, 6 * feed_forward * 2 * 4);
  EXPECT_THAT(all.at({"expert copies", Traffic::all_reduce}).groups, testing::ElementsAre("0:16:4:4"));
}

TEST(Presets, EveryTableOfEmbeddingsHasOneOwner) {
  for (const std::uint32_t ranks : {1U, 3U, 8U, 26U, 40U}) {
    std::vector<std::uint32_t> counted(ranks);
    for (std::uint32_t table = 0; table < 26; ++table) ++counted[table % ranks];
    for (std::uint32_t rank = 0; rank < ranks; ++rank)
      EXPECT_EQ(tables_of(26, ranks, rank), counted[rank]) << ranks;
  }
}

TEST(Presets, RecommendationSendsEveryVectorToEverySampleAndItsGradientBack) {
  const TrainingStep step = step_of("dlrm", 4, {"tables=6", "batch=10", "dimension=16", "pooling=3"});
  std::map<std::string, BytesMatrix> matrices;
  for (const StepStream& stream : step.streams)
    for (const StepOperation& one : stream.operations)
      if (one.matrix) matrices[one.name] = *one.matrix;
  ASSERT_EQ(matrices.size(), 3U);
  BytesMatrix indices(4, std::vector<std::uint64_t>(4)), vectors = indices, gradients = indices;
  for (std::uint32_t table = 0; table < 6; ++table)
    for (std::uint32_t rank = 0; rank < 4; ++rank)
      for (int sample = 0; sample < 10; ++sample) {
        indices[rank][table % 4] += 3 * 8;
        vectors[table % 4][rank] += 16 * 4;
        gradients[rank][table % 4] += 16 * 4;
      }
  EXPECT_EQ(matrices["indices"], indices);
  EXPECT_EQ(matrices["embeddings"], vectors);
  EXPECT_EQ(matrices["gradients of embeddings"], gradients);
  const double layers = (13 * 512 + 512) + (512 * 256 + 256) + (256 * 128 + 128) + (479 * 1024 + 1024) +
                        (1024 * 1024 + 1024) + (1024 * 512 + 512) + (512 * 256 + 256) + (256 + 1);
  EXPECT_DOUBLE_EQ(exchanges_of(step).at({"data", Traffic::all_reduce}).bytes, 4 * layers);
}

}  // namespace
}  // namespace assay::training

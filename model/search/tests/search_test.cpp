// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The search against the original's own counts and optima, and against evaluation one by one.
#include "model/search/search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>

#include "model/search/tests/one_by_one.hpp"
#include "model/search/tests/published.hpp"

namespace assay::model {
namespace {

TEST(Divisors, AreAllOfThemInOrder) {
  EXPECT_EQ(divisors(1), (std::vector<std::int64_t>{1}));
  EXPECT_EQ(divisors(36), (std::vector<std::int64_t>{1, 2, 3, 4, 6, 9, 12, 18, 36}));
}

TEST(CountSpace, IsWhatTheOriginalCounts) {
  EXPECT_EQ(count_space(question(gpt_175b(), h100_nvl8(512), 4096, 4096)), 7'126'368);
  EXPECT_EQ(count_space(question(gpt_175b(), h100_nvl8(0), 4096, 4096)), 1'031'448);
  EXPECT_EQ(count_space(question(megatron_1t(), h100_nvl8(512), 4096, 4096)), 7'276'848);
  EXPECT_EQ(count_space(question(megatron_1t(), h100_nvl8(0), 4096, 4096)), 1'053'228);
  EXPECT_EQ(count_space(question(gpt_175b(), h100_nvl8(512), 4096, 3072)), 9'670'848);
  EXPECT_EQ(count_space(question(megatron_1t(), h100_nvl8(512), 4096, 3072)), 10'295'264);
}

// 4 experts: 1, 2 and 4 processors of data_par, the last two on either tier; tiles do not hide exchanges.
TEST(CountSpace, OfAssaysModelHasFusedAttentionAndExpertsToo) {
  Question asked = question(megatron_1t(), h100_nvl8(0), 4096, 4096);
  asked.model = Model::assay;
  EXPECT_EQ(count_space(asked), 2 * 1'053'228);
  asked.unfused_attention = false;
  EXPECT_EQ(count_space(asked), 1'053'228);
  Question experts = small_assay_question(4);
  const auto places = [&](std::int64_t data_par) {
    return expert_places(experts, {.pipeline_par = 1, .data_par = data_par, .batch_size = data_par});
  };
  EXPECT_EQ(places(6), (std::vector<ExpertPlace>{{1, 0}, {2, 0}, {2, 1}}));
  EXPECT_EQ(places(8), (std::vector<ExpertPlace>{{1, 0}, {2, 0}, {2, 1}, {4, 0}, {4, 1}}));
  EXPECT_EQ(places(3), (std::vector<ExpertPlace>{{1, 0}}));
  for (const Execution& choice : block_choices(experts, 4))
    EXPECT_EQ(choice.tensor_par_overlap, TensorParOverlap::none);
}

TEST(CountSpace, FallsOffTheCliffBetween256And254Blocks) {
  Application huge{.hidden = 60416,
                   .feedforward = 241664,
                   .seq_size = 8192,
                   .attn_heads = 256,
                   .attn_size = 236,
                   .num_blocks = 256};
  EXPECT_EQ(count_space(question(huge, h100_nvl8(1024), 4096, 3072)), 23'311'328);
  huge.num_blocks = 254;
  EXPECT_EQ(count_space(question(huge, h100_nvl8(1024), 4096, 3072)), 1'260'992);
}

// The original tries the microbatches whose tokens 8 or 2 divide, where they do not divide the sequence.
TEST(CountSpace, LeavesOutMicrobatchesWhoseTokensTheTensorDegreeDoesNotDivide) {
  Application app{.hidden = 4096,
                  .feedforward = 16384,
                  .seq_size = 1500,
                  .attn_heads = 32,
                  .attn_size = 128,
                  .num_blocks = 24};
  EXPECT_EQ(count_space(question(app, h100_nvl8(0), 8, 16)), 42'284);
  EXPECT_EQ(count_space(question(app, h100_nvl8(512), 8, 16)), 292'144);
  app.seq_size = 1501;
  EXPECT_EQ(count_space(question(app, h100_nvl8(0), 8, 16)), 32'120);
  EXPECT_EQ(count_space(question(app, h100_nvl8(512), 8, 16)), 221'920);
  app.seq_size = 2048;
  EXPECT_EQ(count_space(question(app, h100_nvl8(0), 8, 16)), 42'350);
}

TEST(Search, FindsWhatTheOriginalFoundFor175BWithoutASecondMemory) {
  const SearchResult found = search(question(gpt_175b(), h100_nvl8(0), 4096, 4096), {.top = 3, .threads = 2});
  EXPECT_EQ(found.enumerated, 1'031'448);
  EXPECT_EQ(found.placed, 316'712);
  EXPECT_EQ(found.feasible, 82'508);
  ASSERT_EQ(found.best.size(), 3U);
  EXPECT_NEAR(found.best[0].sample_rate, 1101.17, 0.005);
}

TEST(Search, FindsWhatTheOriginalFoundFor1TWithoutASecondMemory) {
  const SearchResult found =
      search(question(megatron_1t(), h100_nvl8(0), 4096, 4096), {.top = 3, .threads = 2});
  EXPECT_EQ(found.placed, 311'949);
  EXPECT_EQ(found.feasible, 17'996);
  ASSERT_EQ(found.best.size(), 3U);
  EXPECT_NEAR(found.best[0].sample_rate, 226.44, 0.005);
}

/// The ten best of evaluation one by one, which it returns.
std::vector<Candidate> expect_top_ten(const Question& asked) {
  const std::vector<Candidate> expected = one_by_one(asked, {Constraints{}})[0];
  const SearchResult found = search(asked, {.top = 10, .threads = 2});
  EXPECT_EQ(found.feasible, static_cast<std::int64_t>(expected.size()));
  EXPECT_EQ(found.best.size(), 10U);
  for (std::size_t i = 0; i < found.best.size(); ++i) {
    EXPECT_DOUBLE_EQ(found.best[i].sample_rate, expected[i].sample_rate) << i;
    EXPECT_FALSE(better(expected[i], found.best[i]) || better(found.best[i], expected[i])) << i;
  }
  return expected;
}

TEST(Search, FindsTheTopTenOfEvaluationOneByOne) { expect_top_ten(small_question()); }

TEST(Search, EvaluatesNoMicrobatchWhoseTokensTheTensorDegreeDoesNotDivide) {
  Question asked = small_question();
  asked.application.seq_size = 1501;
  const std::vector<Candidate> all = expect_top_ten(asked);
  const SearchResult even = search(small_question(), {.top = 1, .threads = 1});
  EXPECT_LT(search(asked, {.top = 1, .threads = 1}).placed, even.placed);
  for (const Candidate& one : all)
    ASSERT_EQ(one.execution.microbatch_size * 1501 % one.execution.tensor_par, 0);
}

TEST(SearchOfAssaysModel, FindsTheTopTenOfEvaluationOneByOne) {
  const std::vector<Candidate> all = expect_top_ten(small_assay_question(0));
  const auto fused = std::ranges::count_if(
      all, [](const Candidate& candidate) { return candidate.execution.fused_attention; });
  EXPECT_GT(fused, 1000);
  EXPECT_LT(fused, static_cast<std::int64_t>(all.size()));
  EXPECT_TRUE(all[0].execution.fused_attention);
}

TEST(SearchOfAssaysModel, SpreadsExpertsInEveryWay) {
  const std::vector<Candidate> all = expect_top_ten(small_assay_question(4));
  for (const std::int64_t expert_par : {1, 2, 4})
    for (const std::size_t net : {0U, 1U})
      EXPECT_EQ(std::ranges::any_of(all,
                                    [&](const Candidate& candidate) {
                                      return candidate.execution.expert_par == expert_par &&
                                             candidate.execution.expert_par_net == net;
                                    }),
                expert_par > 1 || net == 0)
          << expert_par << " on " << net;
}

/// Shares of all executions: of contexts, and of weights in shards.
std::pair<double, double> shares_of(const std::vector<Candidate>& all) {
  const auto contexts =
      std::ranges::count_if(all, [](const Candidate& one) { return one.execution.context_par > 1; });
  const auto shards =
      std::ranges::count_if(all, [](const Candidate& one) { return one.execution.parameter_sharding; });
  return {static_cast<double>(contexts) / static_cast<double>(all.size()),
          static_cast<double>(shards) / static_cast<double>(all.size())};
}

TEST(SearchOfAssaysModel, SpreadsSequencesAndShardsParametersInEveryWay) {
  Question asked = small_assay_question(0);
  asked.application.num_blocks = 2;
  asked.unfused_attention = false;
  asked.most_context = 4;
  asked.shards_parameters = true;
  const auto [contexts, shards] = shares_of(expect_top_ten(asked));
  EXPECT_GT(contexts, 0.1);
  EXPECT_GT(shards, 0.1);
  asked.application.experts = 4;
  asked.application.experts_per_token = 2;
  const auto [with_experts, none] = shares_of(expect_top_ten(asked));
  EXPECT_GT(with_experts, 0.1);
  EXPECT_EQ(none, 0) << "experts are not in shards";
}

// A sequence of 8 tokens gives each of two contexts four, and each of four two: too few for four processors.
TEST(SearchOfAssaysModel, EvaluatesNoMicrobatchWhoseContextTheTensorDegreeDoesNotDivide) {
  Question asked = small_assay_question(0);
  asked.application.seq_size = 8;
  asked.application.num_blocks = 1;
  asked.unfused_attention = false;
  asked.processors = 16;
  asked.most_context = 4;
  for (const Candidate& one : expect_top_ten(asked)) {
    const Execution& e = one.execution;
    ASSERT_EQ(e.microbatch_size * 8 / e.context_par % e.tensor_par, 0);
  }
}

TEST(SearchOfAssaysModel, AsksForTheTimeOfEachMeasuredShapeOnce) {
  Question asked = small_assay_question(0);
  std::map<std::array<double, 3>, int> times_asked;
  asked.system.matmul_s = [](const MatmulShape& shape) {
    return 3e-6 + 2 * shape.m * shape.n * shape.k / 5e14;
  };
  asked.system.networks[0].curves = {
      {Collective::all_reduce, 2, [](double bytes) { return 8e-6 + bytes / 3e11; }}};
  expect_top_ten(asked);
  asked.system.matmul_s = [&, seconds = asked.system.matmul_s](const MatmulShape& shape) {
    ++times_asked[{shape.m, shape.n, shape.k}];
    return seconds(shape);
  };
  search(asked, {.top = 1, .threads = 1});
  EXPECT_GT(times_asked.size(), 50U);
  for (const auto& [shape, times] : times_asked) EXPECT_EQ(times, 1);
}

TEST(SearchOfAssaysModel, CountsTheFirstMemoryOfTheFullestStage) {
  Question asked = small_assay_question(0);
  asked.application.vocabulary = 512'000;
  for (const Trade& trade : search(asked, {.top = 1, .front = true}).front) {
    const Step step = predict(configuration_of(asked, trade.execution)).step;
    EXPECT_EQ(trade.tier1_bytes, std::max(step.memory.tier1, step.memory.last_stage_tier1));
  }
}

TEST(Search, FindsTheSameOnOneThreadAndOnThree) {
  const Question asked = question(gpt_175b(), h100_nvl8(512), 64, 64);
  const SearchResult one = search(asked, {.top = 20, .threads = 1});
  const SearchResult three = search(asked, {.top = 20, .threads = 3});
  EXPECT_EQ(one.feasible, three.feasible);
  ASSERT_EQ(one.best.size(), three.best.size());
  for (std::size_t i = 0; i < one.best.size(); ++i)
    EXPECT_FALSE(better(one.best[i], three.best[i]) || better(three.best[i], one.best[i])) << i;
}

TEST(Search, LeavesOutWhatTheApplicationCannotBeDividedInto) {
  Application odd = gpt_175b();
  odd.feedforward = 49150;  // 2 divides it, 4 does not
  for (const Candidate& candidate :
       search(question(odd, h100_nvl8(0), 64, 64), {.top = 50, .threads = 1}).best)
    EXPECT_LE(candidate.execution.tensor_par, 2);
}

}  // namespace
}  // namespace assay::model

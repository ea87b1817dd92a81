// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The search against the original's own counts and optima, and against evaluation one by one.
#include "model/search/search.hpp"

#include <gtest/gtest.h>

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

TEST(Search, FindsTheTopTenOfEvaluationOneByOne) {
  const Question asked = small_question();
  const std::vector<Candidate> expected = one_by_one(asked, {Constraints{}})[0];
  const SearchResult found = search(asked, {.top = 10, .threads = 2});
  EXPECT_EQ(found.feasible, static_cast<std::int64_t>(expected.size()));
  ASSERT_EQ(found.best.size(), 10U);
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_DOUBLE_EQ(found.best[i].sample_rate, expected[i].sample_rate) << i;
    EXPECT_FALSE(better(expected[i], found.best[i]) || better(found.best[i], expected[i])) << i;
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

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/search/pareto_front.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "model/predict/answer/prediction.hpp"
#include "model/search/search.hpp"
#include "model/search/tests/published.hpp"

namespace assay::model {
namespace {

Trade trade(double rate, double bytes, double offload, std::int64_t tensor_par = 1) {
  Trade one{.sample_rate = rate, .tier1_bytes = bytes, .offload_b_per_s = offload, .execution = {}};
  one.execution.tensor_par = tensor_par;
  return one;
}

TEST(ParetoFront, KeepsWhatIsBestInSomething) {
  ParetoFront front;
  front.add(trade(10, 80, 0));
  front.add(trade(9, 80, 0));    // slower, nothing saved
  front.add(trade(8, 40, 0));    // saves memory
  front.add(trade(12, 80, 50));  // faster, needs a link
  front.add(trade(12, 90, 60));  // worse than the one before
  const auto kept = front.sorted();
  ASSERT_EQ(kept.size(), 3U);
  EXPECT_EQ(kept[0].sample_rate, 12);
  EXPECT_EQ(kept[0].tier1_bytes, 80);
  EXPECT_EQ(kept[1].sample_rate, 10);
  EXPECT_EQ(kept[2].sample_rate, 8);
}

TEST(ParetoFront, DropsWhatALaterOneIsBetterThan) {
  ParetoFront front;
  front.add(trade(8, 40, 0));
  front.add(trade(10, 80, 0));
  front.add(trade(11, 40, 0));
  ASSERT_EQ(front.sorted().size(), 1U);
  EXPECT_EQ(front.sorted()[0].sample_rate, 11);
}

TEST(ParetoFront, OfEqualOnesKeepsTheSameWhateverTheirOrder) {
  for (const bool swapped : {false, true}) {
    ParetoFront front;
    front.add(trade(8, 40, 0, swapped ? 4 : 2));
    front.add(trade(8, 40, 0, swapped ? 2 : 4));
    ASSERT_EQ(front.sorted().size(), 1U);
    EXPECT_EQ(front.sorted()[0].execution.tensor_par, 2);
  }
}

TEST(ParetoFront, OfASearchIsTheSameOnOneThreadAndOnThreeAndNothingFoundIsBetter) {
  const Question asked = question(gpt_175b(), h100_nvl8(512), 64, 64);
  const SearchResult one = search(asked, {.top = 1000, .threads = 1, .front = true});
  const SearchResult three = search(asked, {.top = 10, .threads = 3, .front = true});
  ASSERT_GT(one.front.size(), 1U);
  ASSERT_EQ(one.front.size(), three.front.size());
  for (std::size_t i = 0; i < one.front.size(); ++i) {
    EXPECT_EQ(one.front[i].tier1_bytes, three.front[i].tier1_bytes);
    EXPECT_EQ(one.front[i].execution.tensor_par, three.front[i].execution.tensor_par);
  }
  EXPECT_EQ(one.front[0].sample_rate, one.best[0].sample_rate);
  for (const Candidate& candidate : one.best) {
    const Step step = predict({asked.application, candidate.execution, asked.system}).step;
    const Trade found = {step.sample_rate, step.memory.tier1, step.required.offload, candidate.execution};
    EXPECT_TRUE(std::ranges::any_of(one.front, [&](const Trade& kept) { return as_good(kept, found); }));
  }
}

TEST(ParetoFront, IsLeftOutWhereItIsNotAskedFor) {
  EXPECT_TRUE(search(question(gpt_175b(), h100_nvl8(0), 64, 64), {.top = 1}).front.empty());
}

}  // namespace
}  // namespace assay::model

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A search's answer does not change by what a bound leaves out of it: against evaluation one by one on random
// spaces, with ties, and against the search that evaluates all, which the Pareto front takes.
#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <random>
#include <span>

#include "model/search/search.hpp"
#include "model/search/tests/one_by_one.hpp"
#include "model/search/tests/published.hpp"

namespace assay::model {
namespace {

void expect_same(const std::vector<Candidate>& got, std::span<const Candidate> wanted) {
  ASSERT_EQ(got.size(), wanted.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    EXPECT_EQ(got[i].sample_rate, wanted[i].sample_rate) << i;
    EXPECT_FALSE(better(got[i], wanted[i]) || better(wanted[i], got[i])) << i;
  }
}

void expect_counts(const SearchResult& found) { EXPECT_EQ(found.evaluated + found.avoided, found.feasible); }

void expect_all_avoidances_right(const Question& asked, std::span<const Candidate> wanted) {
  for (const std::size_t top : std::initializer_list<std::size_t>{1, 10, 300, 1'000'000}) {
    SCOPED_TRACE(top);
    for (const unsigned threads : {1U, 3U}) {
      const SearchResult found = search(asked, {.top = top, .threads = threads});
      EXPECT_EQ(found.feasible, static_cast<std::int64_t>(wanted.size()));
      expect_counts(found);
      expect_same(found.best, wanted.first(std::min(top, wanted.size())));
    }
  }
}

class Drawn {
 public:
  Question next() {
    Question asked = question(application(), h100_nvl8(0), one_of({1, 4, 6, 8}), one_of({1, 4, 6, 8}));
    asked.system.mem1.capacity_bytes = 1e8 * static_cast<double>(one_of({1, 5, 20, 800}));
    asked.system.mem2.capacity_bytes = 1e8 * static_cast<double>(one_of({0, 3, 5000}));
    asked.system.roofline = coin();
    for (Network& network : asked.system.networks) vary(network);
    if (coin()) extend(asked);
    return asked;
  }

 private:
  std::int64_t one_of(std::initializer_list<std::int64_t> values) {
    return values.begin()[random_() % values.size()];
  }
  bool coin() { return random_() % 2 == 0; }

  Application application() {
    const std::int64_t hidden = one_of({768, 1024, 3072});
    return {.hidden = hidden,
            .feedforward = 4 * hidden,
            .seq_size = one_of({512, 1023, 2048}),
            .attn_heads = one_of({6, 8, 12}),
            .attn_size = one_of({64, 100}),
            .num_blocks = one_of({1, 4, 6, 7})};
  }

  /// Networks that take no time make ties.
  void vary(Network& network) {
    network.size = one_of({4, 8, 4096});
    network.must_be_filled = coin();
    network.processor_usage = 0.1 * static_cast<double>(one_of({0, 1, 3}));
    if (coin()) network.bandwidth_b_per_s = 1e8 * static_cast<double>(one_of({1, 100, 1'000'000'000}));
    if (coin()) network.latency_s = 0;
  }

  void extend(Question& asked) {
    asked.model = Model::assay;
    asked.system.fixes = Fixes::all();
    asked.application.vocabulary = one_of({0, 9600});
    asked.application.tied_embedding = asked.application.vocabulary > 0 && coin();
    asked.application.experts = one_of({0, 0, 2});
    asked.fused_attention = coin();
    asked.unfused_attention = !asked.fused_attention;
    if (coin()) asked.system.networks[1].gradient_overlap = 0.5;
    if (coin())
      asked.system.networks[0].curves = {
          {Collective::all_reduce, 2, [](double bytes) { return 8e-6 + bytes / 3e11; }}};
  }

  std::mt19937 random_{20261127};
};

TEST(Avoided, ChangesNothingOfRandomSearches) {
  Drawn drawn;
  std::int64_t avoided = 0, ties = 0;
  for (int i = 0; i < 60; ++i) {
    SCOPED_TRACE(i);
    const Question asked = drawn.next();
    const std::vector<Candidate> wanted = one_by_one(asked, {Constraints{}})[0];
    for (std::size_t k = 1; k < std::min<std::size_t>(wanted.size(), 10); ++k)
      ties += wanted[k - 1].sample_rate == wanted[k].sample_rate ? 1 : 0;
    expect_all_avoidances_right(asked, wanted);
    if (HasFailure()) return;
    avoided += search(asked, {.top = 1}).avoided;
  }
  EXPECT_GT(avoided, 10'000);
  EXPECT_GT(ties, 50);
}

TEST(Avoided, IsMostOfALargeSearchWhoseBestAreThoseOfEveryEvaluation) {
  for (const Model model : {Model::calculon, Model::assay}) {
    Question asked = question(gpt_175b(), h100_nvl8(512), 512, 512);
    asked.model = model;
    if (model == Model::assay) asked.system.fixes = Fixes::all();
    const SearchResult few = search(asked, {.top = 50, .threads = 2});
    const SearchResult all = search(asked, {.top = 50, .threads = 2, .front = true});
    EXPECT_EQ(few.feasible, all.feasible);
    EXPECT_EQ(all.evaluated, all.feasible);
    EXPECT_EQ(all.avoided, 0);
    EXPECT_GT(few.avoided, few.feasible / 2);
    expect_counts(few);
    expect_same(few.best, all.best);
  }
}

TEST(Avoided, IsTheSameNumberOnAnyNumberOfThreads) {
  const Question asked = question(gpt_175b(), h100_nvl8(512), 64, 64);
  const SearchResult one = search(asked, {.top = 20, .threads = 1});
  for (const unsigned threads : {2U, 5U}) {
    const SearchResult more = search(asked, {.top = 20, .threads = threads});
    EXPECT_EQ(more.avoided, one.avoided);
    EXPECT_EQ(more.evaluated, one.evaluated);
  }
}

TEST(Avoided, IsNothingWhereALimitTakesEveryEvaluation) {
  const Question asked = small_question();
  Constraints of_memory, of_time;
  of_memory.add(Constraints::Side::at_most, "memory=8GB");
  of_time.add(Constraints::Side::at_most, "step=0.2s");
  EXPECT_GT(search(asked, {.top = 1, .constraints = of_memory}).avoided, 0);
  const SearchResult found = search(asked, {.top = 1, .constraints = of_time});
  EXPECT_EQ(found.avoided, 0);
  EXPECT_GT(found.evaluated, found.feasible);
}

}  // namespace
}  // namespace assay::model

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/measure/stragglers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <random>

#include "harness/core/error.hpp"

namespace assay::collectives {
namespace {

using Lateness = std::function<double(int rank, std::mt19937_64& random)>;

/// Iterations of 1 ms, each rank late by what `late` draws, in seconds.
std::vector<RankFigures> traces(std::size_t ranks, std::size_t iterations, std::uint64_t seed,
                                const Lateness& late) {
  std::mt19937_64 random(seed);
  std::vector<RankFigures> made(ranks);
  for (std::size_t i = 0; i < iterations; ++i)
    for (std::size_t rank = 0; rank < ranks; ++rank)
      made[rank].entries_s.push_back(1e-3 * static_cast<double>(i) + late(static_cast<int>(rank), random));
  return made;
}

double normal(std::mt19937_64& random) { return 1e-6 * std::normal_distribution<double>()(random); }

/// No mean and no variance.
double cauchy(std::mt19937_64& random) {
  return std::abs(1e-6 *
                  std::tan(std::numbers::pi * (std::uniform_real_distribution<double>()(random) - 0.5)));
}

TEST(Stragglers, AreNamedWithTheDelayThatWasPlanted) {
  const auto found = stragglers_of(
      traces(8, 400, 1, [](int rank, auto& random) { return normal(random) + (rank == 5 ? 50e-6 : 0); }));
  ASSERT_EQ(found.ranks.size(), 1U);
  EXPECT_EQ(found.ranks[0].rank, 5);
  EXPECT_EQ(found.blocks, 32);
  EXPECT_EQ(found.ranks[0].blocks, 32);
  EXPECT_NEAR(found.ranks[0].late_us, 50, 1);
  EXPECT_THAT(facts_of(found, {0, 1, 2, 3, 4, 15, 6, 7}),
              testing::ElementsAre(core::Fact("straggler_blocks", std::int64_t{32}),
                                   core::Fact("straggler_rank", std::int64_t{15}),
                                   testing::Field(&core::Fact::first, "straggler_late_us")));
}

/// Counts the traces, of `trials`, that name a rank at all, and those that name rank 2 alone.
struct Named {
  int any = 0, two_alone = 0;
};
Named named_in(int trials, std::size_t ranks, const Lateness& late) {
  Named named;
  for (int trial = 0; trial < trials; ++trial) {
    const auto found = stragglers_of(traces(ranks, 96, static_cast<std::uint64_t>(trial) + 1, late));
    if (!found.ranks.empty()) ++named.any;
    if (found.ranks.size() == 1 && found.ranks[0].rank == 2) ++named.two_alone;
  }
  return named;
}

TEST(Stragglers, AmongEqualRanksAreNamedInAtMostOnePercentOfTracesWhateverTheTails) {
  for (const std::size_t ranks : {4U, 16U}) {
    EXPECT_LE(named_in(400, ranks, [](int, auto& random) { return normal(random); }).any,
              9);  // 1 %: P > 0.99
    EXPECT_LE(named_in(400, ranks, [](int, auto& random) { return cauchy(random); }).any, 9);
  }
}

TEST(Stragglers, AreFoundUnderHeavyTailsToo) {
  const Named named =
      named_in(100, 8, [](int rank, auto& random) { return cauchy(random) + (rank == 2 ? 40e-6 : 0); });
  EXPECT_GE(named.two_alone, 99);
}

TEST(Stragglers, OfFewRanksOrIterationsAreNotLookedFor) {
  const auto late = [](int rank, auto&) { return rank == 0 ? 1.0 : 0.0; };
  EXPECT_EQ(stragglers_of(traces(3, 100, 1, late)).blocks, 0);
  EXPECT_EQ(stragglers_of(traces(4, 7, 1, late)).blocks, 0);
  EXPECT_TRUE(facts_of({}, {0, 1, 2}).empty());
  EXPECT_EQ(stragglers_of(traces(4, 8, 1, late)).ranks.size(), 1U);
}

TEST(Stragglers, TravelToTheOtherRanksAsText) {
  const Stragglers found{.blocks = 32, .ranks = {{.rank = 3, .blocks = 30, .late_us = 12.5}, {.rank = 5}}};
  const Stragglers own = only(stragglers_from(to_text(found)), 3);
  EXPECT_EQ(own.blocks, 32);
  ASSERT_EQ(own.ranks.size(), 1U);
  EXPECT_EQ(own.ranks[0].rank, 3);
  EXPECT_EQ(own.ranks[0].blocks, 30);
  EXPECT_EQ(own.ranks[0].late_us, 12.5);
  EXPECT_TRUE(only(found, 0).ranks.empty());
  EXPECT_THROW(stragglers_from("{}"), core::Error);
}

}  // namespace
}  // namespace assay::collectives

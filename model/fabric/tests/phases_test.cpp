// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/phases.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "collectives/algorithms/double_tree.hpp"
#include "harness/core/error.hpp"

namespace assay::model::fabric {
namespace {

constexpr TierSpeed fabric{3, 48500}, node{1, 450000};

double time_us(const std::vector<Phase>& phases, int ranks) {
  return time_without_contention_us(phases, ranks, fabric, node);
}

void expect_near(double value, double expected) { EXPECT_NEAR(value, expected, 1e-9 * expected); }

TEST(Phases, OfPatternsTakeTheirClosedForms) {
  for (const Pattern& one : patterns())
    for (const int ranks : {2, 16, 256}) {
      const PatternSize size{ranks, std::uint64_t{1} << 24U};
      expect_near(time_us(phases_of(one, size), ranks), one.closed_form_us(size, 3, 48500));
    }
  EXPECT_EQ(phases_of(pattern("ring_all_reduce"), {24576, 1U << 30U}).size(), 1U);
}

TEST(Phases, ADoubleTreeTakesTwoVectorsAndTwiceItsHeight) {
  for (const int ranks : {4, 16, 256, 1024}) {
    const PatternSize size{ranks, std::uint64_t{1} << 24U};
    const double vectors_us = static_cast<double>(size.bytes) / 48500;
    expect_near(time_us(double_tree_all_reduce(size), ranks), 2 * std::log2(ranks) * 3 + 2 * vectors_us);
  }
}

TEST(Phases, ADoubleTreeSendsWhatTheScheduleThatRunsSends) {
  for (int ranks = 2; ranks <= 64; ++ranks) {
    const PatternSize size{ranks, 100003};
    const collectives::Problem problem{.ranks = ranks, .count = static_cast<std::int64_t>(size.bytes)};
    for (int rank = 0; rank < ranks; ++rank) {
      std::map<int, std::int64_t> phases, schedule;
      for (const Phase& phase : double_tree_all_reduce(size))
        phase.sends(rank,
                    [&](int to, std::uint64_t bytes) { phases[to] += static_cast<std::int64_t>(bytes); });
      for (const collectives::Step& step : collectives::double_tree_all_reduce(problem, rank).steps)
        for (const collectives::Send& send : step.sends) schedule[send.to] += send.from.count;
      ASSERT_EQ(phases, schedule) << "rank " << rank << " of " << ranks;
    }
  }
}

TEST(Phases, AHierarchyIsTheSumOfItsPhasesAndKeepsToItsRails) {
  const PatternSize size{128, std::uint64_t{1} << 26U};
  const std::vector<Phase> phases = hierarchical_all_reduce(size, 8, pattern("halving_doubling_all_reduce"));
  const double bytes = static_cast<double>(size.bytes);
  expect_near(time_us(phases, 128),
              2 * 7 * (1 + bytes / 8 / 450000) + 2 * 4 * 3 + 2 * (15.0 / 16) * bytes / 8 / 48500);
  for (const Phase& phase : phases)
    for (int rank = 0; rank < 128; ++rank)
      phase.sends(rank, [&](int to, std::uint64_t) {
        EXPECT_EQ(phase.in_node, to / 8 == rank / 8);
        EXPECT_TRUE(phase.in_node || to % 8 == rank % 8);
      });
  EXPECT_THROW(hierarchical_all_reduce(size, 7, pattern("ring_all_reduce")), core::Error);
}

using Bytes = std::vector<std::vector<std::uint64_t>>;

TEST(Phases, AnAllToAllOfAMatrixSendsEachEntryOnce) {
  const Bytes bytes = {{9, 1, 2}, {3, 9, 0}, {5, 6, 9}};
  const BlockBytes blocks = [&](int from, int to) {
    return bytes[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)];
  };
  const std::vector<Phase> at_once = all_to_all_at_once(3, blocks),
                           shifts = all_to_all_in_shifts(3, blocks, all_shifts(3));
  EXPECT_EQ(at_once.size(), 1U);
  EXPECT_EQ(shifts.size(), 2U);
  for (const std::vector<Phase>& phases : {at_once, shifts}) {
    Bytes sent(3, std::vector<std::uint64_t>(3));
    for (const Phase& phase : phases)
      for (int rank = 0; rank < 3; ++rank)
        phase.sends(rank, [&](int to, std::uint64_t amount) {
          EXPECT_GT(amount, 0U);
          sent[static_cast<std::size_t>(rank)][static_cast<std::size_t>(to)] += amount;
        });
    EXPECT_EQ(sent, (Bytes{{0, 1, 2}, {3, 0, 0}, {5, 6, 0}}));
  }
}

TEST(Phases, EqualBlocksDifferByAByteAndCostTheirLatency) {
  const BlockBytes blocks = equal_blocks({4, 10}), few = equal_blocks({4, 2});
  EXPECT_EQ(blocks(0, 0), 3U);
  EXPECT_EQ(blocks(0, 3), 2U);
  EXPECT_EQ(few(0, 3), 1U);
}

TEST(Phases, DoublingMirrorsHalving) {
  const std::vector<Phase> phases = phases_of(pattern("halving_doubling_all_reduce"), {16, 1600});
  ASSERT_EQ(phases.size(), 8U);
  const auto pairs = [&](const Phase& phase) {
    std::set<std::pair<int, int>> all;
    for (int rank = 0; rank < 16; ++rank)
      phase.sends(rank, [&](int to, std::uint64_t bytes) {
        all.insert({std::min(rank, to), std::max(rank, to)});
        EXPECT_EQ(bytes % 100, 0U);
      });
    return all;
  };
  for (std::size_t step = 0; step < 4; ++step) {
    EXPECT_FALSE(phases[step].alike);
    EXPECT_EQ(phases[7 - step].alike, step);
    EXPECT_EQ(pairs(phases[7 - step]), pairs(phases[step]));
  }
}

TEST(Phases, OneStepPatterns) {
  const PatternSize size{17, 48500};
  expect_near(time_us(incast(size, 3), 17), 3 + 16);
  expect_near(time_us(shift(size, 4), 17), 3 + 1);
  expect_near(time_us(permutation(size, 9), 17), 3 + 1);
  expect_near(time_us(pipeline(size), 17), 3 + 1);
  pipeline(size).front().sends(16, [](int to, std::uint64_t) { ADD_FAILURE() << "to " << to; });
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    std::set<int> receivers;
    for (int rank = 0; rank < 17; ++rank)
      permutation(size, seed).front().sends(rank, [&](int to, std::uint64_t) {
        EXPECT_NE(to, rank);
        receivers.insert(to);
      });
    EXPECT_EQ(receivers.size(), 17U);
  }
  EXPECT_THROW(incast(size, 17), core::Error);
  EXPECT_THROW(shift(size, -34), core::Error);
  EXPECT_THROW(permutation({1, 1}, 0), core::Error);
}

}  // namespace
}  // namespace assay::model::fabric

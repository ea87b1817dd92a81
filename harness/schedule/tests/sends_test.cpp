// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Declarations executed on sets of contributions: what each rank has of each element in the end.
#include "harness/schedule/sends.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "harness/schedule/blocks.hpp"

namespace assay::schedule {
namespace {

using Contributions = std::vector<std::vector<std::multiset<int>>>;  // of each rank, of each element: ranks

/// All sends of a step are taken before any is received. A rank that `reduces` in the step adds, else it
/// replaces.
template <class Sends, class Reduces>
Contributions run(Size size, int steps, const Sends& sends, const Reduces& reduces) {
  Contributions at(static_cast<std::size_t>(size.ranks));
  for (int rank = 0; rank < size.ranks; ++rank)
    at[static_cast<std::size_t>(rank)].assign(static_cast<std::size_t>(size.count), {rank});
  for (int step = 0; step < steps; ++step) {
    const Contributions before = at;
    for (int rank = 0; rank < size.ranks; ++rank)
      if (const MaybeSend send = sends(size, step, rank))
        for (auto one = static_cast<std::size_t>(send->first);
             one < static_cast<std::size_t>(send->first + send->count); ++one) {
          std::multiset<int>& into = at[static_cast<std::size_t>(send->to)][one];
          const std::multiset<int>& from = before[static_cast<std::size_t>(rank)][one];
          if (reduces(step))
            into.insert(from.begin(), from.end());
          else
            into = from;
        }
  }
  return at;
}

std::multiset<int> everyone(int ranks) {
  std::multiset<int> all;
  for (int rank = 0; rank < ranks; ++rank) all.insert(rank);
  return all;
}

void expect_all_reduced(const Contributions& at, int ranks) {
  for (const auto& of_rank : at)
    for (const std::multiset<int>& element : of_rank)
      ASSERT_EQ(element, everyone(ranks)) << ranks << " ranks";
}

TEST(Sends, AllReducesAddEachRankOnceEverywhere) {
  for (int ranks = 1; ranks <= 20; ++ranks) {
    const Size size{ranks, 23};
    const int folding = (1 << log2_floor(ranks)) == ranks ? 0 : 1, rounds = folding + log2_floor(ranks);
    expect_all_reduced(
        run(size, ring_all_reduce_steps(ranks), ring_all_reduce, [&](int step) { return step < ranks - 1; }),
        ranks);
    const auto first_rounds = [&](int step) { return step < rounds; };
    expect_all_reduced(run(size, doubling_all_reduce_steps(ranks), doubling_all_reduce, first_rounds), ranks);
    expect_all_reduced(
        run(size, halving_doubling_all_reduce_steps(ranks), halving_doubling_all_reduce, first_rounds),
        ranks);
  }
}

TEST(Sends, TreesReachEveryRankFromRank0AndBack) {
  for (int ranks = 1; ranks <= 20; ++ranks) {
    const Size size{ranks, 1};
    for (const auto& of_rank :
         run(size, binomial_steps(ranks), binomial_broadcast, [](int) { return false; }))
      EXPECT_EQ(of_rank[0], std::multiset<int>{0});
    EXPECT_EQ(run(size, binomial_steps(ranks), binomial_reduce, [](int) { return true; })[0][0],
              everyone(ranks));
  }
}

TEST(Sends, PairwiseExchangeMeetsEveryPeerOnceWithItsBlock) {
  const Size size{7, 24};
  for (int rank = 0; rank < 7; ++rank) {
    std::set<int> peers;
    for (int step = 0; step < 6; ++step) {
      const Send send = pairwise_all_to_all(size, step, rank).value();
      EXPECT_EQ(send.first, (Blocks{24, 7}.first(send.to)));
      peers.insert(send.to);
    }
    EXPECT_EQ(peers.size(), 6U);
    EXPECT_FALSE(peers.contains(rank));
  }
}

}  // namespace
}  // namespace assay::schedule

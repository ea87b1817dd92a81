// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/traffic/wiring/pattern.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "harness/core/tests/message_of.hpp"

namespace assay::rdma {
namespace {

using core::tests::message_of;
using testing::ElementsAre;
using testing::IsEmpty;

class Tournament : public testing::TestWithParam<int> {};

TEST_P(Tournament, MeetsEveryPairOnceAndNobodyTwiceInARound) {
  const int n = GetParam();
  const auto rounds = tournament(n);
  EXPECT_EQ(rounds.size(), static_cast<std::size_t>(n % 2 == 0 ? n - 1 : n));
  std::set<Pair> met;
  for (const auto& round : rounds) {
    EXPECT_EQ(round.size(), static_cast<std::size_t>(n / 2));
    std::set<int> busy;
    for (const auto& [a, b] : round) {
      EXPECT_LT(a, b);
      EXPECT_GE(a, 0);
      EXPECT_LT(b, n);
      EXPECT_TRUE(busy.insert(a).second && busy.insert(b).second) << a << "-" << b << " of " << n;
      EXPECT_TRUE(met.emplace(a, b).second) << a << "-" << b << " twice of " << n;
    }
  }
  EXPECT_EQ(met.size(), static_cast<std::size_t>(n * (n - 1) / 2));
}
INSTANTIATE_TEST_SUITE_P(OfTwoTo33Hosts, Tournament, testing::Range(2, 34));

TEST(Permutation, MovesEverybodyAndMeetsEverybodyOnce) {
  for (int n = 2; n <= 33; ++n)
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      std::set<int> reached;
      for (const auto& [from, to] : permutation(n, seed)) {
        EXPECT_NE(from, to) << n << " hosts, seed " << seed;
        reached.insert(to);
      }
      EXPECT_EQ(reached.size(), static_cast<std::size_t>(n));
    }
}

TEST(Permutation, OfASeedIsTheSameEverywhere) {
  EXPECT_EQ(permutation(8, 1), permutation(8, 1));
  EXPECT_NE(permutation(8, 1), permutation(8, 2));
}

TEST(RingShift, GoesRoundAndBackwards) {
  EXPECT_THAT(ring_shift(3, 1), ElementsAre(Pair(0, 1), Pair(1, 2), Pair(2, 0)));
  EXPECT_THAT(ring_shift(3, -1), ElementsAre(Pair(0, 2), Pair(1, 0), Pair(2, 1)));
  EXPECT_EQ(ring_shift(3, 4), ring_shift(3, 1));
  EXPECT_EQ(message_of([] { ring_shift(3, 6); }), "shift=6: with 3 hosts each would send to itself");
}

TEST(Bisection, PairsTheHalvesBothWaysAndLeavesAnOddHostOut) {
  EXPECT_THAT(bisection(4), ElementsAre(Pair(0, 2), Pair(2, 0), Pair(1, 3), Pair(3, 1)));
  EXPECT_THAT(bisection(5), ElementsAre(Pair(0, 2), Pair(2, 0), Pair(1, 3), Pair(3, 1)));
}

TEST(Incast, IsFromAsManyAsAskedToTheFirst) {
  EXPECT_THAT(incast(4, 2), ElementsAre(Pair(1, 0), Pair(2, 0)));
  EXPECT_THAT(incast(4, 0), ElementsAre(Pair(1, 0), Pair(2, 0), Pair(3, 0)));
  EXPECT_EQ(incast(64, 0).size(), 63U);
  EXPECT_EQ(message_of([] { incast(4, 4); }), "senders=4: 4 hosts have 3 besides the receiver");
}

TEST(Suspects, AreBelowTheirShareOfTheMedian) {
  EXPECT_THAT(suspects({10, 10, 9.2, 10, 9.4}, 0.93), ElementsAre(2));
  EXPECT_THAT(suspects({10, 10, 10}, 0.93), IsEmpty());
  EXPECT_THAT(suspects({}, 0.93), IsEmpty());
}

}  // namespace
}  // namespace assay::rdma

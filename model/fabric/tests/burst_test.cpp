// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/sharing/burst.hpp"

#include <gtest/gtest.h>

namespace assay::model::fabric {
namespace {

/// A round trip's worth of line rate is half a block.
constexpr BurstSettings half_a_block{
    .ranks = 256, .block_bytes = 1e6, .bytes_per_us = 50'000, .round_trip_us = 10};

TEST(Burst, OfUnalignedSendersIsThatOfBallsInBins) {
  // n balls in n bins: the share of empty ones is (1 - 1/n)^n, and as much is too much elsewhere.
  double mean = 0;
  BurstSettings settings = half_a_block;
  for (settings.seed = 1; settings.seed <= 200; ++settings.seed)
    mean += unaligned_bursts(settings).mean_bytes / 200;
  EXPECT_NEAR(mean / 500'000, 0.3672, 0.005);
  const BurstQueues one = unaligned_bursts(half_a_block);
  EXPECT_GE(one.most_bytes, 2 * 500'000) << "three senders begin with one receiver";
}

TEST(Burst, OfStaggeredSendersIsNone) {
  EXPECT_EQ(staggered_bursts(half_a_block).most_bytes, 0);
  BurstSettings small = half_a_block;
  small.block_bytes = 70'000;  // seven and a bit in a round trip
  EXPECT_EQ(staggered_bursts(small).most_bytes, 0);
  EXPECT_GT(unaligned_bursts(small).most_bytes, 0);
}

TEST(Burst, IsNoMoreThanWhatIsSent) {
  BurstSettings tiny = half_a_block;
  tiny.block_bytes = 1000;  // all of it in a round trip: every receiver has all that it gets
  EXPECT_EQ(unaligned_bursts(tiny).most_bytes, 0);
}

}  // namespace
}  // namespace assay::model::fabric

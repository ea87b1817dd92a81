// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/cuda/tests/simulated/thread_block.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "harness/cuda/tests/simulated/simulated_gpu.hpp"

namespace assay::cuda::simulated {
namespace {

void run(dim3 size, const std::function<void()>& kernel) {
  place().block_size = size;
  run_block(kernel);
}

TEST(ThreadBlock, EveryThreadRunsOnceWithItsIndex) {
  std::vector<int> seen(24);
  run({2, 3, 4}, [&] {
    const uint3 at = place().thread;
    ++seen[at.x + 2 * (at.y + 3 * at.z)];
  });
  EXPECT_THAT(seen, testing::Each(1));
}

TEST(ThreadBlock, NobodyPassesABarrierBeforeAllCame) {
  constexpr unsigned threads = 100;
  unsigned first = 0, second = 0;
  bool early = false;
  run({threads}, [&] {
    ++first;
    wait_for_block();
    early = early || first != threads;
    ++second;
    wait_for_block();
    early = early || second != threads;
  });
  EXPECT_FALSE(early);
  EXPECT_EQ(second, threads);
}

TEST(ThreadBlock, AThreadKeepsItsIndexAndItsVariablesOverABarrier) {
  run({64}, [&] {
    const unsigned mine = place().thread.x;
    wait_for_block();
    EXPECT_EQ(place().thread.x, mine);
  });
}

TEST(ThreadBlock, ThoseThatEndedAreNotWaitedFor) {
  int passed = 0;
  run({64}, [&] {
    if (place().thread.x >= 10) return;
    wait_for_block();
    ++passed;
  });
  EXPECT_EQ(passed, 10);
}

TEST(ThreadBlock, EachWarpHasItsSums) {
  run({64}, [&] {
    const unsigned warp = place().thread.x / 32;
    EXPECT_EQ(sum_over_warp(1 + warp), 32 * (1 + warp));
    EXPECT_EQ(sum_over_warp(place().thread.x), 496 + 1024 * warp);
    wait_for_block();
    EXPECT_EQ(sum_over_warp(3), 96U);
  });
}

TEST(ThreadBlock, ThreadsOfAWarpExchangeValues) {
  run({64}, [&] {
    const unsigned mine = place().thread.x;
    for (unsigned other = 1; other < 32; other *= 2)
      EXPECT_EQ(exchange_in_warp(static_cast<float>(mine), other), static_cast<float>(mine ^ other));
  });
}

TEST(ThreadBlock, AWarpThatWaitsForDifferentThingsIsAnError) {
  EXPECT_THROW(run({32}, [] { place().thread.x < 5 ? wait_for_block() : void(sum_over_warp(1)); }),
               std::logic_error);
}

TEST(ThreadBlock, ATrapEndsTheBlock) {
  int ran = 0;
  EXPECT_THROW(run({32},
                   [&] {
                     if (++ran == 3) throw Trap{};
                   }),
               Trap);
  EXPECT_EQ(ran, 3);
}

}  // namespace
}  // namespace assay::cuda::simulated

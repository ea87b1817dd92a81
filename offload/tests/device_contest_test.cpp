// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Who waits for whom in a contest, on a GPU of threads: that every aggressor is there, that nothing is
// allocated beside it, and what happens where it leaves, shares, is wrong, or the GPU is lost.
#include "offload/interference/device/device_contest.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/error.hpp"
#include "harness/core/tests/message_of.hpp"
#include "harness/core/units.hpp"
#include "harness/cuda/check.hpp"
#include "harness/cuda/tests/simulated/simulated_gpu.hpp"

namespace assay::offload {
namespace {

using core::tests::message_of;
using enum core::Verification::Result;
using cuda::simulated::gpu;

class ContestOnThreads : public testing::Test {
 protected:
  ContestOnThreads() {
    if (cuda::context_is_lost()) return;
    gpu().blocks_share_multiprocessors = gpu().blocks_leave_at_once = gpu().sums_are_wrong = false;
    gpu().stores_do_nothing = false;
    gpu().forbidden_calls = 0;
  }
  void SetUp() override {
    if (cuda::context_is_lost()) GTEST_SKIP() << "another test of this process lost the simulated GPU";
  }
};

DeviceContestSettings small(DeviceLoadKind victim, DeviceLoadKind aggressor, int blocks) {
  return {.victim = victim,
          .aggressor = aggressor,
          .blocks = blocks,
          .round_s = 2e-3,
          .loads = {.bytes = 3 * core::mib, .victim_blocks = 4}};
}

/// In one of some samples: threads may be kept from their CPU for all of a round.
bool moves_something(DeviceContest& contest) {
  for (int sample = 0; sample < 200; ++sample)
    if (contest.run().times.aggressor_gb_per_s > 0) return true;
  return false;
}

TEST_F(ContestOnThreads, EveryAggressorIsThereAllAlongAndNothingIsAllocatedBesideIt) {
  for (const auto aggressor :
       {DeviceLoadKind::spin, DeviceLoadKind::stream, DeviceLoadKind::sm_copy_h2d,
        DeviceLoadKind::sm_copy_d2h, DeviceLoadKind::copy_h2d, DeviceLoadKind::copy_d2h})
    for (const auto victim :
         {DeviceLoadKind::stream, DeviceLoadKind::copy_d2h, DeviceLoadKind::sm_copy_h2d}) {
      SCOPED_TRACE(to_string(victim) + " beside " + to_string(aggressor));
      DeviceContest contest(small(victim, aggressor, is_resident(aggressor) ? 2 : 1), 0);
      const DeviceContestTimes times = contest.run();
      EXPECT_GT(times.times.alone_s, 0);
      EXPECT_GT(times.times.beside_spin_s, 0);
      EXPECT_GT(times.times.beside_s, 0);
      EXPECT_EQ(moves_something(contest), aggressor != DeviceLoadKind::spin);
      EXPECT_EQ(gpu().forbidden_calls, 0);
      EXPECT_EQ(gpu().resident_blocks, 0);
      EXPECT_EQ(contest.verify().result, right) << contest.verify().why;
    }
}

TEST_F(ContestOnThreads, NobodyIsAControl) {
  DeviceContest contest(small(DeviceLoadKind::stream, DeviceLoadKind::sm_copy_h2d, 0), 0);
  const DeviceContestTimes times = contest.run();
  EXPECT_EQ(times.times.aggressor_gb_per_s, 0);
  EXPECT_GT(times.times.beside_s, 0);
  EXPECT_EQ(contest.verify().result, right);
}

TEST_F(ContestOnThreads, ReadsTheClockOfEveryRound) {
  DeviceContest contest(small(DeviceLoadKind::stream, DeviceLoadKind::spin, 1), 0);
  const DeviceContestTimes times = contest.run();
  for (const double mhz : {times.alone_mhz, times.beside_spin_mhz, times.beside_mhz})
    EXPECT_NEAR(mhz, 2000, 1e-6) << "two cycles a nanosecond";
}

TEST_F(ContestOnThreads, BlocksOnOneMultiprocessorAreNoControl) {
  gpu().blocks_share_multiprocessors = true;
  DeviceContest contest(small(DeviceLoadKind::stream, DeviceLoadKind::spin, 2), 0);
  EXPECT_EQ(message_of([&] { contest.run(); }),
            "2 thread blocks that should each fill a multiprocessor were on 1 of them");
  EXPECT_EQ(gpu().resident_blocks, 0);
}

TEST_F(ContestOnThreads, BlocksThatLeaveEarlyAreNoMeasurement) {
  DeviceContest contest(small(DeviceLoadKind::stream, DeviceLoadKind::spin, 2), 0);
  gpu().blocks_leave_at_once = true;
  EXPECT_THAT(message_of([&] { contest.run(); }),
              testing::AnyOf(testing::HasSubstr("resident blocks were not there all along"),
                             testing::HasSubstr("resident blocks ended before all of them had started")));
  gpu().blocks_leave_at_once = false;
  EXPECT_GT(contest.run().times.beside_s, 0) << "the next sample is one again";
}

TEST_F(ContestOnThreads, AWrongResultOfEitherIsFound) {
  gpu().sums_are_wrong = true;
  DeviceContest victim(small(DeviceLoadKind::stream, DeviceLoadKind::spin, 1), 0);
  victim.run();
  EXPECT_EQ(victim.verify().result, wrong);
  EXPECT_EQ(victim.verify().why, "victim: stream: element 0 is 1, expected 0");
  DeviceContest aggressor(small(DeviceLoadKind::copy_d2h, DeviceLoadKind::stream, 1), 0);
  aggressor.run();
  EXPECT_EQ(aggressor.verify().why, "aggressor: stream: element 0 is 1, expected 0");
}

TEST_F(ContestOnThreads, AVictimThatDoesNothingAnyMoreIsFound) {
  DeviceContest contest(small(DeviceLoadKind::stream, DeviceLoadKind::spin, 1), 0);
  contest.run();
  EXPECT_EQ(contest.verify().result, right);
  gpu().stores_do_nothing = true;
  contest.run();
  EXPECT_THAT(contest.verify().why, testing::HasSubstr("victim: stream: element 0 is "))
      << "its results are spoiled before every round";
}

TEST_F(ContestOnThreads, EveryRoundHasTheSameMarks) {
  DeviceContest contest(small(DeviceLoadKind::stream, DeviceLoadKind::sm_copy_h2d, 2), 0);
  const int before = gpu().grids_of_one_thread;
  contest.run();
  EXPECT_EQ(gpu().grids_of_one_thread - before, 3 * 3)
      << "alone, beside idle blocks, beside the aggressor: a gate and two marks";
}

TEST_F(ContestOnThreads, ACopyKeepsBelowItsCap) {
  auto settings = small(DeviceLoadKind::stream, DeviceLoadKind::copy_h2d, 1);
  settings.cap_gb_per_s = 0.2;  // a piece of 3 MiB in 16 ms
  settings.round_s = 100e-3;
  DeviceContest contest(settings, 0);
  const double rate = contest.run().times.aggressor_gb_per_s;
  EXPECT_GT(rate, 0);
  EXPECT_LT(rate, 1);
}

void lose_the_gpu_beside(DeviceLoadKind aggressor, int blocks) {
  DeviceContest contest(small(DeviceLoadKind::stream, aggressor, blocks), 0);
  contest.run();
  gpu().grids_until_loss = 20;
  try {
    for (int sample = 0; sample < 3; ++sample) contest.run();
    ADD_FAILURE() << "no call failed";
  } catch (const core::Error& error) {
    EXPECT_TRUE(error.poisons_process());
    EXPECT_THAT(error.what(), testing::HasSubstr("unspecified launch failure"));
  }
  EXPECT_TRUE(cuda::context_is_lost());
}

// Last, and each in a process of its own where ctest starts them: a process has one context to lose.
TEST_F(ContestOnThreads, AGpuLostBesideResidentBlocksIsToldAndNothingHangs) {
  lose_the_gpu_beside(DeviceLoadKind::sm_copy_h2d, 2);
}

TEST_F(ContestOnThreads, AGpuLostWhileAQueueIsFedIsToldAndNothingHangs) {
  lose_the_gpu_beside(DeviceLoadKind::copy_h2d, 1);
}

}  // namespace
}  // namespace assay::offload

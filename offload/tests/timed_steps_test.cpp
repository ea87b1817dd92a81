// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/timed_steps.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "harness/core/seconds_since.hpp"
#include "harness/core/tests/eventually.hpp"

namespace assay::offload {
namespace {

TEST(TimedSteps, RunUntilPausedAndGoOnWhenResumed) {
  std::atomic<int> ran{0};
  std::atomic<pid_t> thread{0};
  TimedSteps steps([&] {
    thread = gettid();
    return [&] { ++ran; };
  });
  steps.await(3);
  steps.pause();
  const int when_paused = ran;
  EXPECT_GE(when_paused, 3);
  EXPECT_TRUE(core::tests::eventually_waits(thread));
  EXPECT_EQ(ran, when_paused);
  steps.resume();
  steps.await(2);
  EXPECT_GE(ran, when_paused + 2);
}

TEST(TimedSteps, AreTimedAndFoundByWhenTheyRan) {
  TimedSteps steps([] { return [] { core::tests::work_for(0.002); }; });
  const double begin_s = core::steady_seconds();
  steps.await(5);
  steps.pause();
  const std::vector<double> seconds = steps.within(begin_s, core::steady_seconds());
  ASSERT_GE(seconds.size(), 4U);  // one may have begun before
  for (const double one : seconds) EXPECT_GE(one, 0.002);
  EXPECT_TRUE(steps.within(core::steady_seconds(), core::steady_seconds() + 1).empty());
  steps.forget();
  EXPECT_TRUE(steps.within(begin_s, core::steady_seconds()).empty());
}

TEST(TimedSteps, ThatFailSayItToWhoeverWaits) {
  TimedSteps steps([]() -> std::function<void()> { return [] { throw std::runtime_error("no more"); }; });
  EXPECT_THROW(steps.await(1), std::runtime_error);
  EXPECT_THROW(steps.pause(), std::runtime_error);
  EXPECT_THROW(steps.resume(), std::runtime_error);
}

TEST(TimedSteps, ThatCannotBeMadeSayItToWhoeverWaits) {
  TimedSteps steps([]() -> std::function<void()> { throw std::runtime_error("no such CPU"); });
  EXPECT_THROW(steps.await(1), std::runtime_error);
}

}  // namespace
}  // namespace assay::offload

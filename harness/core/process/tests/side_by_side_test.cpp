// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/process/side_by_side.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <latch>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace assay::core {
namespace {

using testing::Each;

TEST(SideBySide, WorksOnEachThingOnce) {
  std::vector<int> times(1000, 0);
  side_by_side(times.size(), [&](std::size_t at) { ++times[at]; });
  EXPECT_THAT(times, Each(1));
}

TEST(SideBySide, TakesSeveralInTurnAndTheRest) {
  std::vector<int> times(1000, 0);
  side_by_side(times.size(), [&](std::size_t at) { ++times[at]; }, {.in_turn = 300});
  EXPECT_THAT(times, Each(1));
}

TEST(SideBySide, IsOfThisThreadWhereOneTurnIsEnough) {
  const std::thread::id own = std::this_thread::get_id();
  side_by_side(300, [&](std::size_t) { EXPECT_EQ(std::this_thread::get_id(), own); }, {.in_turn = 300});
}

TEST(SideBySide, HasNothingToDoForNothing) {
  side_by_side(0, [](std::size_t) { FAIL(); });
}

TEST(SideBySide, NumbersItsThreads) {
  std::vector<std::vector<std::size_t>> done(3);
  side_by_side(100, [&](std::size_t at, unsigned thread) { done.at(thread).push_back(at); }, {.most = 3});
  std::vector<std::size_t> all;
  for (const auto& own : done) all.insert(all.end(), own.begin(), own.end());
  EXPECT_THAT(all, testing::SizeIs(100));
}

TEST(SideBySide, ThrowsWhatTheLeastFailedCallThrewOnceAllHaveEnded) {
  std::latch both(2);
  std::atomic<int> begun = 0, ended = 0;
  const auto work = [&](std::size_t at) {
    ++begun;
    if (at < 2) {
      both.arrive_and_wait();
      throw std::runtime_error(std::to_string(at));
    }
    ++ended;
  };
  try {
    side_by_side(8, work, {.most = 3});
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "0");
  }
  EXPECT_EQ(begun, ended + 2);
}

TEST(AtOnce, CallsAllAtTheSameTime) {
  std::latch all(5);
  at_once(5, [&](std::size_t) { all.arrive_and_wait(); });
  at_once(0, [](std::size_t) { FAIL(); });
}

TEST(AtOnce, ThrowsWhatTheLeastFailedCallThrew) {
  std::atomic<int> ended = 0;
  const auto work = [&](std::size_t at) {
    if (at > 1) throw std::runtime_error(std::to_string(at));
    ++ended;
  };
  try {
    at_once(5, work);
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "2");
  }
  EXPECT_EQ(ended, 2);
}

}  // namespace
}  // namespace assay::core

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/side_by_side.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
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
  side_by_side(times.size(), [&](std::size_t at) { ++times[at]; }, 300);
  EXPECT_THAT(times, Each(1));
}

TEST(SideBySide, IsOfThisThreadWhereOneTurnIsEnough) {
  const std::thread::id own = std::this_thread::get_id();
  side_by_side(300, [&](std::size_t) { EXPECT_EQ(std::this_thread::get_id(), own); }, 300);
}

TEST(SideBySide, HasNothingToDoForNothing) {
  side_by_side(0, [](std::size_t) { FAIL(); });
}

TEST(SideBySide, ThrowsWhatWorkThrowsOnceAllHaveEnded) {
  std::atomic<int> begun = 0, ended = 0;
  const auto work = [&](std::size_t at) {
    ++begun;
    if (at == 0) throw std::runtime_error("not the first");
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    ++ended;
  };
  EXPECT_THROW(side_by_side(8, work), std::runtime_error);
  EXPECT_EQ(begun, ended + 1);
}

}  // namespace
}  // namespace assay::core

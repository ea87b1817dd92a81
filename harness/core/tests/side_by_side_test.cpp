// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/side_by_side.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace assay::core {
namespace {

using testing::Each;

TEST(SideBySide, WorksOnEachThingOnce) {
  std::vector<int> times(1000, 0);
  side_by_side(times.size(), [&](std::size_t at) { ++times[at]; });
  EXPECT_THAT(times, Each(1));
}

TEST(SideBySide, HasNothingToDoForNothing) {
  side_by_side(0, [](std::size_t) { FAIL(); });
}

TEST(SideBySide, ThrowsWhatWorkThrows) {
  std::atomic<int> running = 0;
  const auto work = [&](std::size_t at) {
    ++running;
    const bool fails = at % 10 == 9;
    --running;
    if (fails) throw std::runtime_error("no tenth");
  };
  EXPECT_THROW(side_by_side(100, work), std::runtime_error);
  EXPECT_EQ(running, 0);
}

}  // namespace
}  // namespace assay::core

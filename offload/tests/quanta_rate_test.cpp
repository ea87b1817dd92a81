// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "offload/interference/device/tail_wave.hpp"
#include "offload/interference/feeder.hpp"

namespace assay::offload {
namespace {

TEST(QuantaRate, CountsPartsOfQuanta) {
  EXPECT_DOUBLE_EQ(quanta_per_s({1, 2, 3, 4}, 1, 3), 1);
  EXPECT_DOUBLE_EQ(quanta_per_s({1, 2, 3, 4}, 1.5, 2.5), 1);
  EXPECT_DOUBLE_EQ(quanta_per_s({1, 2, 4, 8}, 3, 6), 1.0 / 3) << "half of the third and half of the fourth";
  EXPECT_DOUBLE_EQ(quanta_per_s({2, 4}, 0, 1), 0.5) << "the first began at 0";
}

TEST(QuantaRate, CountsNothingThatWasNotDone) {
  EXPECT_DOUBLE_EQ(quanta_per_s({1, 2}, 1, 5), 0.25);
  EXPECT_DOUBLE_EQ(quanta_per_s({}, 1, 5), 0);
  EXPECT_DOUBLE_EQ(quanta_per_s({1, 2, 3}, 2, 2), 0);
}

TEST(TailWave, IsACliffWhereEveryMultiprocessorHasOneTile) {
  EXPECT_DOUBLE_EQ(tail_wave_slowdown(132, 132, 0), 1);
  EXPECT_DOUBLE_EQ(tail_wave_slowdown(132, 132, 1), 2);
  EXPECT_DOUBLE_EQ(tail_wave_slowdown(132, 132, 24), 2);
  EXPECT_DOUBLE_EQ(tail_wave_slowdown(100, 132, 32), 1);
  EXPECT_DOUBLE_EQ(tail_wave_slowdown(2048, 132, 24), 19.0 / 16);
}

}  // namespace
}  // namespace assay::offload

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/cuda/rotation.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace assay::cuda {
namespace {

constexpr std::int64_t l2 = 50'000'000;

TEST(RotatingSet, ColdCoversThreeTimesTheL2) {
  EXPECT_EQ(RotatingSet::cold(1'000'000, l2).count(), 150);
  EXPECT_EQ(RotatingSet::cold(1'000'001, l2).count(), 150);
  EXPECT_EQ(RotatingSet::cold(999'999, l2).count(), 151);
  EXPECT_EQ(RotatingSet::cold(l2, l2).count(), 3);
}

TEST(RotatingSet, ASetThatLargeByItselfNeedsNoSecondOne) {
  EXPECT_EQ(RotatingSet::cold(3 * l2, l2).count(), 1);
  EXPECT_EQ(RotatingSet::cold(3 * l2 - 1, l2).count(), 2);
}

TEST(RotatingSet, HotIsOneSet) { EXPECT_EQ(RotatingSet::hot().count(), 1); }

TEST(RotatingSet, GoesRound) {
  RotatingSet sets = RotatingSet::cold(60'000'000, l2);
  std::vector<std::int64_t> seen;
  for (int i = 0; i < 7; ++i) seen.push_back(sets.next());
  EXPECT_EQ(seen, (std::vector<std::int64_t>{0, 1, 2, 0, 1, 2, 0}));
}

}  // namespace
}  // namespace assay::cuda

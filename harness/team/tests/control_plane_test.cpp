// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The cost of control messages for a sample: a bound at rank 0, and no more than the logarithm of the ranks
// elsewhere.
#include "harness/team/bench/control_plane.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace assay::team {
namespace {

/// 1 KiB for every 1,000 ranks begun.
double bound_bytes(int ranks) { return 1024.0 * ((ranks + 999) / 1000); }

TEST(ControlPlane, RankZeroMovesAtMostOneKibibyteASampleForAThousandRanksAndNoRankMoreThanALogarithm) {
  const ControlTraffic small = control_traffic({.ranks = 256, .samples = 10});
  const ControlTraffic large = control_traffic({.ranks = 1024, .samples = 10});
  EXPECT_GT(small.leader_bytes, 0);
  EXPECT_LE(small.leader_bytes, bound_bytes(256));
  EXPECT_LE(large.leader_bytes, bound_bytes(1024));
  EXPECT_LE(large.leader_descriptors, 4u);
  constexpr double ratio_of_logarithms = 10.0 / 8.0;
  EXPECT_LE(large.most_bytes / small.most_bytes, ratio_of_logarithms);
  EXPECT_LE(large.mean_bytes / small.mean_bytes, ratio_of_logarithms);
}

TEST(ControlPlane, AStarOfThisSizeIsOverTheBound) {
  constexpr TreeShape star{.star_up_to = std::numeric_limits<int>::max()};
  const ControlTraffic traffic = control_traffic({.ranks = 256, .samples = 5, .shape = star});
  EXPECT_GT(traffic.leader_bytes, bound_bytes(256));
}

}  // namespace
}  // namespace assay::team

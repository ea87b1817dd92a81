// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/sharing/water_level.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace assay::model::fabric {
namespace {

TEST(WaterLevel, GivesEachWhatItAsksForWhereAllFit) {
  const std::vector<PortDemand> ports = {{3, 1}, {4, 2}};
  WaterLevel water;
  water.solve(ports, 8);
  EXPECT_TRUE(std::isinf(water.level()));
  EXPECT_EQ(water.share_of(ports[0]), 3);
  EXPECT_EQ(water.share_of(ports[1]), 4);
  EXPECT_DOUBLE_EQ(water.most_for(ports[0]), 4);
  EXPECT_DOUBLE_EQ(water.most_for(ports[1]), 5.333333333333333) << "by weight: the other is cut to 2.67";
}

TEST(WaterLevel, SharesByWeightWhatTheSmallLeave) {
  const std::vector<PortDemand> ports = {{1, 1}, {9, 1}, {9, 2}};
  WaterLevel water;
  water.solve(ports, 10);
  EXPECT_DOUBLE_EQ(water.level(), 3);
  EXPECT_DOUBLE_EQ(water.share_of(ports[0]), 1);
  EXPECT_DOUBLE_EQ(water.share_of(ports[1]), 3);
  EXPECT_DOUBLE_EQ(water.share_of(ports[2]), 6);
  EXPECT_DOUBLE_EQ(water.most_for(ports[0]), 2.5);
  EXPECT_DOUBLE_EQ(water.most_for(ports[2]), 6);
}

TEST(WaterLevel, TheMostForAPortIsItsShareAtInfiniteDemand) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> number(0.1, 10);
  for (int round = 0; round < 200; ++round) {
    std::vector<PortDemand> ports(6);
    for (PortDemand& port : ports) port = {number(random), number(random)};
    const double rate = 3 * number(random);
    WaterLevel water, greedy;
    water.solve(ports, rate);
    double sum = 0;
    for (std::size_t port = 0; port < ports.size(); ++port) {
      sum += water.share_of(ports[port]);
      std::vector<PortDemand> with_greed = ports;
      with_greed[port].demand = 1e9;
      greedy.solve(with_greed, rate);
      EXPECT_NEAR(water.most_for(ports[port]), greedy.share_of(with_greed[port]), 1e-9);
      EXPECT_LE(water.at_least_for(ports[port]), water.most_for(ports[port]) * (1 + 1e-12));
    }
    EXPECT_LE(sum, rate * (1 + 1e-12));
  }
}

}  // namespace
}  // namespace assay::model::fabric

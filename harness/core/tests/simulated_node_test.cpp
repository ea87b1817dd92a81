// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "harness/core/tests/simulated/node.hpp"

namespace assay::core::simulated {
namespace {

TEST(SimulatedNode, FaultsAreReadAndWhatIsNoneIsKept) {
  const Faults faults =
      faults_from("slow:5:4,throttles_together:2,wrong_once_in:1:1000000,missing:3,driver:570.1,slwo:1");
  EXPECT_EQ(faults.slow_gpu, 5);
  EXPECT_EQ(faults.slow_percent, 4);
  EXPECT_EQ(faults.throttling_gpu, 2);
  EXPECT_EQ(faults.wrong_gpu, 1);
  EXPECT_EQ(faults.wrong_once_in, 1'000'000U);
  EXPECT_EQ(faults.missing_gpu, 3);
  EXPECT_EQ(faults.driver, "570.1");
  EXPECT_EQ(faults.others, std::vector<std::string>{"slwo:1"});
}

TEST(SimulatedNode, FaultsOfRailsAreRead) {
  const Faults faults = faults_from("rail_slow:1:3,cable_errors:2:500,crosswise:0:1");
  EXPECT_TRUE(faults.others.empty());
  EXPECT_EQ(faults.slow_rail, 1);
  EXPECT_EQ(faults.slow_rail_percent, 3);
  EXPECT_EQ(faults.bad_cable_rail, 2);
  EXPECT_EQ(faults.bad_message_of, 500U);
  EXPECT_EQ(faults.crossed_rails, std::pair(0, 1));
}

TEST(SimulatedNode, NoFaultIsNoFault) {
  const Faults faults = faults_from("");
  EXPECT_TRUE(faults.others.empty());
  EXPECT_EQ(faults.slow_gpu, -1);
}

TEST(SimulatedNode, GpusDifferByLittleAndSitAtDifferentAddresses) {
  const Node& node = Node::shared();
  EXPECT_FALSE(node.pretends()) << "a test runs on no pretended node";
  for (int slot = 0; slot < 8; ++slot) EXPECT_NEAR(node.slowness(slot), 1, 0.011);
  EXPECT_NE(node.slowness(0), node.slowness(1));
  EXPECT_EQ(Node::address_of(0), "0000:10:00.0");
  EXPECT_EQ(Node::address_of(7), "0000:80:00.0");
}

}  // namespace
}  // namespace assay::core::simulated

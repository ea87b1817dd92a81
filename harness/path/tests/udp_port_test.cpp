// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Expected values were computed apart from this code, from the kernel's formulas in Python integers.
#include "harness/path/udp_port.hpp"

#include <gtest/gtest.h>

namespace assay::path {
namespace {

TEST(FlowLabelOfQps, IsTheProductFoldedToTwentyBits) {
  EXPECT_EQ(flow_label_of_qps(0x11a, 0x2c4), 0x30be8U);
  EXPECT_EQ(flow_label_of_qps(0x11b, 0x2c5), 0x30fc7U);
  EXPECT_EQ(flow_label_of_qps(17, 18), 0x132U);  // no fold: below 2^20
  EXPECT_EQ(flow_label_of_qps(0xffffff, 0xffffff), 0xfff1eU);
}

TEST(FlowLabelOfQps, IsTheSameAtBothEnds) {
  EXPECT_EQ(flow_label_of_qps(0x123, 0xabcdef), 0xb1a99U);
  EXPECT_EQ(flow_label_of_qps(0xabcdef, 0x123), 0xb1a99U);
}

TEST(FlowLabelOfQps, IgnoresBitsAboveTheTwentyFourOfAQpNumber) {
  EXPECT_EQ(flow_label_of_qps(0xff00011a, 0x2c4), 0x30be8U);
}

TEST(UdpSourcePort, IsTheLowFourteenBitsXorTheTopSixAboveC000) {
  EXPECT_EQ(udp_source_port(1), 49153);
  EXPECT_EQ(udp_source_port(0x3fff), 65535);
  EXPECT_EQ(udp_source_port(0x4000), 49153);  // the fold: the same port as label 1
  EXPECT_EQ(udp_source_port(0xfc000), 49215);
  EXPECT_EQ(udp_source_port(0xfffff), 65472);
  EXPECT_EQ(udp_source_port(0xabcde), 64756);
}

TEST(UdpSourcePort, OfALabelWithMoreThanTwentyBitsHeedsTwenty) {
  EXPECT_EQ(udp_source_port(0xfff00001), udp_source_port(0x00001));
}

TEST(UdpSourcePort, FollowsFromTheQpNumbersOnlyWithoutALabel) {
  EXPECT_EQ(udp_source_port(0, 0x11a, 0x2c4), 52196);
  EXPECT_EQ(udp_source_port(0, 0x11b, 0x2c5), 53195);
  EXPECT_EQ(udp_source_port(1, 0x11b, 0x2c5), 49153);
}

TEST(RxeSourcePort, IsTheMultiplicativeHashOfTheLocalQp) {
  EXPECT_EQ(rxe_source_port(1), 55410);
  EXPECT_EQ(rxe_source_port(2), 61668);
  EXPECT_EQ(rxe_source_port(16), 50978);
  EXPECT_EQ(rxe_source_port(17), 57236);
  EXPECT_EQ(rxe_source_port(0x11a), 60856);
}

}  // namespace
}  // namespace assay::path

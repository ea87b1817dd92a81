// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/link/ceiling.hpp"

#include <gtest/gtest.h>

#include "harness/core/error.hpp"

namespace assay::link {
namespace {

double gbit(double gb_per_s) { return gb_per_s * 8; }

Link link_400(int mtu, Encapsulation encapsulation) { return {400, mtu, encapsulation}; }

TEST(Ceiling, OfRoceOverIpv4At400GbitAndMtu4096Is392Point1) {
  EXPECT_NEAR(gbit(ceiling_gb_per_s(link_400(4096, Encapsulation::roce_v2_ipv4))), 392.1, 0.051);
  EXPECT_NEAR(ceiling_gb_per_s(link_400(4096, Encapsulation::roce_v2_ipv4)), 49.02, 0.005);
}

TEST(Ceiling, OfInfiniBandAt400GbitAndMtu4096Is397Point5) {
  EXPECT_NEAR(gbit(ceiling_gb_per_s(link_400(4096, Encapsulation::infiniband))), 397.5, 0.05);
  EXPECT_NEAR(ceiling_gb_per_s(link_400(4096, Encapsulation::infiniband)), 49.68, 0.006);
}

TEST(Ceiling, OfSmallerMtusFollowsTheSameArithmetic) {
  EXPECT_NEAR(gbit(ceiling_gb_per_s(link_400(1024, Encapsulation::roce_v2_ipv4))), 370.3, 0.05);
  EXPECT_NEAR(gbit(ceiling_gb_per_s(link_400(2048, Encapsulation::roce_v2_ipv4))), 384.6, 0.05);
  EXPECT_NEAR(gbit(ceiling_gb_per_s(link_400(1024, Encapsulation::roce_v2_ipv6))), 363.8, 0.05);
  EXPECT_NEAR(gbit(ceiling_gb_per_s(link_400(2048, Encapsulation::roce_v2_ipv6))), 381.0, 0.05);
  EXPECT_NEAR(gbit(ceiling_gb_per_s(link_400(4096, Encapsulation::roce_v2_ipv6))), 390.3, 0.05);
  EXPECT_NEAR(gbit(ceiling_gb_per_s(link_400(1024, Encapsulation::infiniband))), 390.1, 0.05);
  EXPECT_NEAR(gbit(ceiling_gb_per_s(link_400(2048, Encapsulation::infiniband))), 395.0, 0.05);
}

TEST(PacketOverhead, IsTheSumOfItsNamedHeaders) {
  EXPECT_EQ(packet_overhead_bytes(Encapsulation::infiniband), 26);
  EXPECT_EQ(packet_overhead_bytes(Encapsulation::roce_v2_ipv4), 82);
  EXPECT_EQ(packet_overhead_bytes(Encapsulation::roce_v2_ipv6), 102);
  EXPECT_EQ(packet_overhead_bytes(Encapsulation::roce_v1), 94);
  EXPECT_EQ(packet_headers(Encapsulation::roce_v2_ipv4).front().name, "preamble");
}

TEST(WireBytes, CarryTheOperationsOwnHeadersOnTheirPackets) {
  const Link link = link_400(4096, Encapsulation::roce_v2_ipv4);
  EXPECT_EQ(wire_bytes(link, 4096, WireOperation::send), 4178);
  EXPECT_EQ(wire_bytes(link, 4096, WireOperation::write), 4178 + 16);
  EXPECT_EQ(wire_bytes(link, 4096, WireOperation::write_with_immediate), 4178 + 20);
  EXPECT_EQ(wire_bytes(link, 4096, WireOperation::send_with_immediate), 4178 + 4);
  EXPECT_EQ(wire_bytes(link, 4096, WireOperation::read), 4178 + 4);
  EXPECT_EQ(wire_bytes(link, 4096, WireOperation::datagram), 4178 + 8);
  EXPECT_EQ(wire_bytes(link, 8, WireOperation::atomic), 82 + 28);
  EXPECT_EQ(wire_bytes(link, 65536, WireOperation::write), 16 * 4178 + 16);
  EXPECT_EQ(wire_bytes(link, 65536, WireOperation::read), 16 * 4178 + 8);
  EXPECT_EQ(wire_bytes(link, 8192, WireOperation::write_with_immediate), 2 * 4178 + 20);
}

TEST(WireBytes, OfShortMessagesArePaddedToWordsAndToTheLeastFrame) {
  const Link ethernet = link_400(4096, Encapsulation::roce_v2_ipv4);
  EXPECT_EQ(wire_bytes(ethernet, 1, WireOperation::send), 86);
  EXPECT_EQ(wire_bytes(ethernet, 0, WireOperation::send), 84);  // 62 bytes of frame become 64
  EXPECT_EQ(wire_bytes(ethernet, 4097, WireOperation::send), 4178 + 86);
  EXPECT_EQ(wire_bytes(link_400(4096, Encapsulation::infiniband), 0, WireOperation::send), 26);
}

TEST(Ceiling, OfSmallMessagesIsTheirOwn) {
  const Link link = link_400(4096, Encapsulation::roce_v2_ipv4);
  EXPECT_NEAR(ceiling_gb_per_s(link, 64, WireOperation::write), 50.0 * 64 / 162, 1e-9);
  EXPECT_NEAR(ceiling_messages_per_s(link, 64, WireOperation::write), 50e9 / 162, 1);
  EXPECT_EQ(ceiling_gb_per_s(link, 0, WireOperation::send), 0);
  EXPECT_LT(ceiling_gb_per_s(link, 1 << 20, WireOperation::write), ceiling_gb_per_s(link));
  EXPECT_NEAR(ceiling_gb_per_s(link, 1 << 30, WireOperation::write), ceiling_gb_per_s(link), 1e-5);
}

TEST(Ceiling, RefusesWhatIsNoMessage) {
  const Link link = link_400(4096, Encapsulation::infiniband);
  EXPECT_THROW(wire_bytes(link, -1, WireOperation::send), core::Error);
  EXPECT_THROW(wire_bytes(link, 16, WireOperation::atomic), core::Error);
  EXPECT_THROW(wire_bytes(link, 4097, WireOperation::datagram), core::Error);
  EXPECT_THROW(wire_bytes(link_400(1500, Encapsulation::infiniband), 64, WireOperation::send), core::Error);
  EXPECT_THROW(ceiling_gb_per_s(link_400(0, Encapsulation::infiniband)), core::Error);
}

TEST(ParseLinkRate, ReadsWhatSysfsWrites) {
  const auto ndr = parse_link_rate("400 Gb/sec (4X NDR)");
  ASSERT_TRUE(ndr);
  EXPECT_EQ(ndr->nominal_gbit_per_s, 400);
  EXPECT_EQ(ndr->lanes, 4);
  EXPECT_EQ(ndr->speed, "NDR");
  const auto sdr = parse_link_rate("2.5 Gb/sec (1X SDR)");
  ASSERT_TRUE(sdr);
  EXPECT_EQ(sdr->nominal_gbit_per_s, 2.5);
  EXPECT_EQ(sdr->lanes, 1);
}

TEST(ParseLinkRate, TellsNothingOfOtherText) {
  for (const std::string text : {"", "400", "400 Gb/sec", "fast", "400 Gb/sec (NDR)", "-1 Gb/sec (4X NDR)",
                                 "0 Gb/sec (4X NDR)", "400 Gb/sec (4 NDR)", "400 Mb/sec (4X NDR)"})
    EXPECT_FALSE(parse_link_rate(text)) << text;
}

TEST(DataRate, OfOldInfiniBandSpeedsLosesTheLineCode) {
  EXPECT_DOUBLE_EQ(data_rate_gbit_per_s({40, 4, "QDR"}, true), 32);
  EXPECT_NEAR(data_rate_gbit_per_s({56, 4, "FDR"}, true), 54.5454, 1e-3);
  EXPECT_DOUBLE_EQ(data_rate_gbit_per_s({100, 4, "EDR"}, true), 100);
  EXPECT_DOUBLE_EQ(data_rate_gbit_per_s({400, 4, "NDR"}, true), 400);
  EXPECT_DOUBLE_EQ(data_rate_gbit_per_s({40, 4, "QDR"}, false), 40);  // 40GBASE carries 40 Gbit/s
}

machine::Hca roce_port() {
  machine::Hca hca;
  hca.state = "ACTIVE";
  hca.link_layer = "Ethernet";
  hca.rate = "400 Gb/sec (4X NDR)";
  hca.gids = {{0, "fe80:0000:0000:0000:0ac0:ebff:fe12:3456", "IB/RoCE v1", "eth4"},
              {1, "fe80:0000:0000:0000:0ac0:ebff:fe12:3456", "RoCE v2", "eth4"},
              {3, "0000:0000:0000:0000:0000:ffff:0a00:0001", "RoCE v2", "eth4"}};
  return hca;
}

TEST(LinkOf, TakesTheEncapsulationFromTheGid) {
  EXPECT_EQ(link_of(roce_port(), 0, 4096)->encapsulation, Encapsulation::roce_v1);
  EXPECT_EQ(link_of(roce_port(), 1, 4096)->encapsulation, Encapsulation::roce_v2_ipv6);
  EXPECT_EQ(link_of(roce_port(), 3, 1024)->encapsulation, Encapsulation::roce_v2_ipv4);
  EXPECT_EQ(link_of(roce_port(), 3, 1024)->mtu_bytes, 1024);
  EXPECT_EQ(link_of(roce_port(), 3, 1024)->data_rate_gbit_per_s, 400);
}

TEST(LinkOf, AnInfiniBandPortNeedsNoGid) {
  machine::Hca hca = roce_port();
  hca.link_layer = "InfiniBand";
  hca.gids.clear();
  EXPECT_EQ(link_of(hca, 0, 4096)->encapsulation, Encapsulation::infiniband);
}

TEST(LinkOf, ASoftwareDeviceADownPortAndAnUnknownGidHaveNoCeiling) {
  machine::Hca software = roce_port();
  software.software = true;
  EXPECT_FALSE(link_of(software, 3, 4096));
  machine::Hca down = roce_port();
  down.state = "DOWN";
  EXPECT_FALSE(link_of(down, 3, 4096));
  EXPECT_FALSE(link_of(roce_port(), 2, 4096));
  machine::Hca silent = roce_port();
  silent.rate = "";
  EXPECT_FALSE(link_of(silent, 3, 4096));
}

}  // namespace
}  // namespace assay::link

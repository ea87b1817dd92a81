// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/path/switch_hash.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/error.hpp"
#include "harness/path/ideal_hash.hpp"

namespace assay::path {
namespace {

FiveTuple flow_from(std::uint16_t port) {
  return {address_bytes("10.0.0.1"), address_bytes("10.0.0.2"), port};
}

TEST(AddressBytes, AreInNetworkOrder) {
  EXPECT_EQ(address_bytes("10.0.1.2"), std::string("\x0a\x00\x01\x02", 4));
  const std::string six = address_bytes("fd00::1");
  ASSERT_EQ(six.size(), 16U);
  EXPECT_EQ(six[0], '\xfd');
  EXPECT_EQ(six[15], '\x01');
}

TEST(AddressBytes, RefuseWhatIsNoAddress) {
  EXPECT_THROW(address_bytes("10.0.0"), core::Error);
  EXPECT_THROW(address_bytes("node-1"), core::Error);
  EXPECT_THROW(address_bytes(""), core::Error);
}

TEST(SwitchHash, Crc32IsThatOfZlibOverTheFiveTuple) {  // zlib.crc32(bytes, seed) in Python
  EXPECT_EQ(hash_of(flow_from(49152), SwitchHash::crc32, 0), 0x358ce747U);
  EXPECT_EQ(hash_of(flow_from(49153), SwitchHash::crc32, 0), 0x8d308022U);
  EXPECT_EQ(hash_of(flow_from(50000), SwitchHash::crc32, 0), 0xb9219235U);
  EXPECT_EQ(hash_of(flow_from(49152), SwitchHash::crc32, 7), 0x48ffe11fU);
  EXPECT_EQ(uplink_of(flow_from(50000), SwitchHash::crc32, 0, 16), 5);
}

TEST(SwitchHash, XorFoldIsTheExclusiveOrOfSixteenBitWords) {
  // 0a00 ^ 0001 ^ 0a00 ^ 0002 ^ 0011 (UDP) ^ c000 ^ 12b7 (4791)
  EXPECT_EQ(hash_of(flow_from(49152), SwitchHash::xor_fold, 0), 0xd2a5U);
  EXPECT_EQ(hash_of(flow_from(49152), SwitchHash::xor_fold, 0x00010000), 0xd2a4U);
}

TEST(SwitchHash, ASwitchThatFoldsSendsPortsThatDifferInHighBitsOneWay) {
  std::vector<FiveTuple> flows;
  for (int flow = 0; flow < 16; ++flow)
    flows.push_back(flow_from(static_cast<std::uint16_t>(0xC000 + 16 * flow)));
  const Spread folded = spread_of(uplinks_of(flows, SwitchHash::xor_fold, 0, 16), 16);
  EXPECT_DOUBLE_EQ(folded.max_over_mean, 16);
  EXPECT_EQ(judge(folded.max_over_mean, IdealHash::simulate(16, 16)).verdict, SpreadVerdict::worse);
}

TEST(SwitchHash, ToeplitzOfTheFirstCaseOfTheFabricVectors) {
  const FiveTuple flow = {address_bytes("10.68.32.130"), address_bytes("10.60.253.230"), 62228};
  EXPECT_EQ(hash_of(flow, SwitchHash::toeplitz, 0), 1753973170U);
  EXPECT_NE(hash_of(flow, SwitchHash::toeplitz, 1), 1753973170U);
}

TEST(SwitchHash, EnhancedEcmpAppendsTheDestinationQpNumber) {
  FiveTuple flow = {address_bytes("10.68.32.130"), address_bytes("10.60.253.230"), 62228};
  EXPECT_EQ(hash_of(flow, SwitchHash::crc32, 0), 4003663932U);
  flow.destination_qpn = 10931918;
  EXPECT_EQ(hash_of(flow, SwitchHash::crc32, 0), 595399086U);
}

TEST(SwitchHash, TheIdealOneSpreadsPortsThatDifferInHighBits) {
  std::vector<FiveTuple> flows;
  for (int flow = 0; flow < 1024; ++flow)
    flows.push_back(flow_from(static_cast<std::uint16_t>(0xC000 + 16 * flow)));
  const Spread spread = spread_of(uplinks_of(flows, SwitchHash::ideal, 1, 16), 16);
  EXPECT_EQ(judge(spread.max_over_mean, IdealHash::simulate(1024, 16)).verdict, SpreadVerdict::within);
}

TEST(SwitchHash, RefusesNoUplink) {
  EXPECT_THROW(uplink_of(flow_from(49152), SwitchHash::crc32, 0, 0), core::Error);
}

}  // namespace
}  // namespace assay::path

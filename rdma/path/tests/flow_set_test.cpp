// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/path/flow_set.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/error.hpp"
#include "harness/path/spread.hpp"

namespace assay::rdma {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string refusal(const std::string& text) {
  try {
    parse_qp_pairs(text);
  } catch (const core::Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ParseQpPairs, ReadsPairsInDecimalAndHexadecimal) {
  EXPECT_THAT(parse_qp_pairs("0x11a:0x2c4,17:18"), ElementsAre(QpPair{0x11a, 0x2c4}, QpPair{17, 18}));
}

TEST(ParseQpPairs, ReadsARunWithStepAndCount) {
  EXPECT_THAT(parse_qp_pairs("100:200+2*3"),
              ElementsAre(QpPair{100, 200}, QpPair{102, 202}, QpPair{104, 204}));
}

TEST(ParseQpPairs, NamesTheItemItCannotRead) {
  EXPECT_THAT(refusal("17"), HasSubstr("QP pair '17': expected LOCAL:REMOTE"));
  EXPECT_THAT(refusal("17:18,"), HasSubstr("QP pair '': expected LOCAL:REMOTE"));
  EXPECT_THAT(refusal("0:18"), HasSubstr("QP 0 carries management only"));
  EXPECT_THAT(refusal("17:x"), HasSubstr("'x' is not a valid QP number: expected 0 to 16777215"));
  EXPECT_THAT(refusal("17:0x1000000"), HasSubstr("'0x1000000' is not a valid QP number"));
  EXPECT_THAT(refusal("17:18+1"), HasSubstr("a run is written FIRST+STEP*COUNT"));
  EXPECT_THAT(refusal("17:18+1*0"), HasSubstr("a run of no flow"));
  EXPECT_THAT(refusal("17:0xffffff+1*2"), HasSubstr("leaves the range of QP numbers"));
  EXPECT_THAT(refusal("17:18+1*1048576,3:4"), HasSubstr("more than 1048576 flows"));
}

TEST(ParseNumbers, RefusesWhatIsAboveTheMost) {
  EXPECT_THAT(parse_numbers("1,0x7+1*2", 0xFFFFF, "flow label"), ElementsAre(1U, 7U, 8U));
  EXPECT_THROW(parse_numbers("0x100000", 0xFFFFF, "flow label"), core::Error);
}

TEST(Flows, OfQpsTakeThePortOfTheirPair) {
  const auto flows = flows_of_qps(parse_qp_pairs("0x11a:0x2c4,0x11b:0x2c5"), {}, PortRule::flow_label);
  ASSERT_EQ(flows.size(), 2U);
  EXPECT_EQ(flows[0].flow_label, 0x30be8U);
  EXPECT_EQ(flows[0].source_port, 52196);
  EXPECT_EQ(flows[1].source_port, 53195);
}

TEST(Flows, OfQpsAreDealtLabelsInTurnAndZeroMeansOfTheQps) {
  const auto flows = flows_of_qps(parse_qp_pairs("0x11a:0x2c4+1*3"), {1, 0}, PortRule::flow_label);
  EXPECT_EQ(flows[0].source_port, 49153);
  EXPECT_EQ(flows[1].source_port, 53195);
  EXPECT_EQ(flows[2].source_port, 49153);
}

TEST(Flows, OfRxeUdQpsTakeThePortOfTheLocalQp) {
  const auto flows = flows_of_qps(parse_qp_pairs("17:99"), {}, PortRule::rxe_ud);
  EXPECT_EQ(flows[0].source_port, 57236);
}

TEST(Flows, OfLabelsRefuseZero) { EXPECT_THROW(flows_of_labels({3, 0}), core::Error); }

TEST(Flows, RunBetweenEveryPairOfAddresses) {
  const AddressPair one = {path::address_bytes("10.0.0.1"), path::address_bytes("10.0.0.2")};
  const AddressPair other = {path::address_bytes("10.0.0.3"), path::address_bytes("10.0.0.4")};
  const auto tuples = five_tuples(flows_of_ports({50000, 50001}), {one, other});
  ASSERT_EQ(tuples.size(), 4U);
  EXPECT_EQ(tuples[2].source, other.source);
  EXPECT_EQ(tuples[3].source_port, 50001);
}

TEST(Flows, WithConsecutiveQpsHaveNearlyAllDifferentPorts) {
  const auto flows = flows_of_qps(parse_qp_pairs("0x100:0x900+1*256"), {}, PortRule::flow_label);
  EXPECT_GE(distinct_ports(flows), 250);
}

TEST(LabelsThatSpread, LoadEveryUplinkEquallyUnderTheModel) {
  const AddressPair pair = {path::address_bytes("10.0.0.1"), path::address_bytes("10.0.0.2")};
  const auto labels = labels_that_spread(32, 16, pair, path::SwitchHash::crc32, 5);
  ASSERT_EQ(labels.size(), 32U);
  const auto uplinks =
      uplinks_of(five_tuples(flows_of_labels(labels), {pair}), path::SwitchHash::crc32, 5, 16);
  EXPECT_DOUBLE_EQ(path::spread_of(uplinks, 16).max_over_mean, 1);
}

TEST(LabelsThatSpread, RefuseNoFlowAndNoUplink) {
  EXPECT_THROW(labels_that_spread(0, 16, {}, path::SwitchHash::crc32, 0), core::Error);
  EXPECT_THROW(labels_that_spread(1, 0, {}, path::SwitchHash::crc32, 0), core::Error);
}

}  // namespace
}  // namespace assay::rdma

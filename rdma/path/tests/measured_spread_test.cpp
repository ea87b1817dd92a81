// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/path/measured_spread.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/error.hpp"

namespace assay::rdma {
namespace {

using testing::HasSubstr;

TEST(MeasuredSpread, ThirtyTwoEvenFlowsOnSixteenUplinksWereSprayed) {
  const MeasuredSpread measured = judge_bandwidths(std::vector<double>(32, 24.5), 16, 2000);
  EXPECT_DOUBLE_EQ(measured.jain_index, 1);
  EXPECT_DOUBLE_EQ(measured.slowest_share, 1);
  EXPECT_LT(measured.ideal_jain_index, 0.9);
  EXPECT_EQ(measured.judgement.verdict, path::SpreadVerdict::better);
  EXPECT_THAT(measured.judgement.reason, HasSubstr("spraying, adaptive routing"));
}

TEST(MeasuredSpread, FlowsThatCollideAsAnIdealHashLetsThemAreWithin) {
  std::vector<int> uplinks;
  for (int flow = 0; flow < 16; ++flow) uplinks.push_back(flow < 4 ? 0 : flow);  // one collision of four
  EXPECT_EQ(judge_bandwidths(path::fair_shares(uplinks, 16), 16, 2000).judgement.verdict,
            path::SpreadVerdict::within);
}

TEST(MeasuredSpread, OneFlowThatGetsNearlyAllIsWorse) {
  std::vector<double> bandwidths(16, 1.0);
  bandwidths[3] = 48;
  const MeasuredSpread measured = judge_bandwidths(bandwidths, 16, 2000);
  EXPECT_EQ(measured.judgement.verdict, path::SpreadVerdict::worse);
  EXPECT_NEAR(measured.slowest_share, 16.0 / 63, 1e-12);
}

TEST(MeasuredSpread, TwoFlowsOnSixteenUplinksTellNothing) {
  EXPECT_EQ(judge_bandwidths(std::vector<double>{48.9, 49.0}, 16, 2000).judgement.verdict,
            path::SpreadVerdict::within);
}

TEST(MeasuredSpread, RefusesNoFlowNoUplinkNegativeAndAllZero) {
  EXPECT_THROW(judge_bandwidths({}, 16), core::Error);
  EXPECT_THROW(judge_bandwidths(std::vector<double>{1}, 0), core::Error);
  EXPECT_THROW(judge_bandwidths(std::vector<double>{1, -1}, 16), core::Error);
  EXPECT_THROW(judge_bandwidths(std::vector<double>{0, 0}, 16), core::Error);
}

}  // namespace
}  // namespace assay::rdma

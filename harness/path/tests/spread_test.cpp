// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/path/spread.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/error.hpp"

namespace assay::path {
namespace {

using testing::ElementsAre;

Spread spread_of_counts(const std::vector<std::int64_t>& counts) {
  return spread_of(std::span<const std::int64_t>(counts));
}

TEST(Spread, OfEvenFlowsIsOne) {
  const Spread spread = spread_of_counts({4, 4, 4, 4});
  EXPECT_EQ(spread.flows, 16);
  EXPECT_EQ(spread.uplinks, 4);
  EXPECT_EQ(spread.idle_uplinks, 0);
  EXPECT_EQ(spread.most_flows, 4);
  EXPECT_DOUBLE_EQ(spread.max_over_mean, 1);
  EXPECT_DOUBLE_EQ(spread.jain_index, 1);
}

TEST(Spread, OfAllFlowsOnOneUplinkIsTheNumberOfUplinks) {
  const Spread spread = spread_of_counts({0, 12, 0, 0});
  EXPECT_EQ(spread.idle_uplinks, 3);
  EXPECT_DOUBLE_EQ(spread.max_over_mean, 4);
  EXPECT_DOUBLE_EQ(spread.jain_index, 0.25);
}

TEST(Spread, OfUnevenFlowsFollowsTheFormulas) {
  const Spread spread = spread_of(std::vector<int>{0, 0, 0, 1, 2, 2}, 4);  // 3 1 2 0
  EXPECT_DOUBLE_EQ(spread.max_over_mean, 2);                               // 3 over 6/4
  EXPECT_DOUBLE_EQ(spread.jain_index, 36.0 / (4 * 14));
  EXPECT_EQ(spread.idle_uplinks, 1);
}

TEST(Spread, RefusesNoFlowNoUplinkAndAFlowBeyondTheUplinks) {
  EXPECT_THROW(spread_of_counts({}), core::Error);
  EXPECT_THROW(spread_of_counts({0, 0}), core::Error);
  EXPECT_THROW(spread_of(std::vector<int>{0}, 0), core::Error);
  EXPECT_THROW(spread_of(std::vector<int>{4}, 4), core::Error);
  EXPECT_THROW(spread_of(std::vector<int>{-1}, 4), core::Error);
}

TEST(JainIndex, OfMeasuredLoadsIsOneWhenTheyAreEqualAndOneOverNWhenOneHasAll) {
  EXPECT_DOUBLE_EQ(jain_index(std::vector<double>{12.5, 12.5}), 1);
  EXPECT_DOUBLE_EQ(jain_index(std::vector<double>{0, 0, 7, 0}), 0.25);
  EXPECT_DOUBLE_EQ(jain_index(std::vector<double>{0, 0}), 0);
}

TEST(FairShares, AreOneOverTheFlowsOfAnUplink) {
  EXPECT_THAT(fair_shares(std::vector<int>{0, 1, 1, 3}, 4), ElementsAre(1, 0.5, 0.5, 1));
}

TEST(Agreement, IsOneForProportionalBandwidthsAndMinusOneForOpposite) {
  EXPECT_NEAR(agreement(std::vector<double>{1, 0.5, 0.5, 1}, std::vector<double>{40, 20, 20, 40}), 1, 1e-12);
  EXPECT_NEAR(agreement(std::vector<double>{1, 0.5}, std::vector<double>{20, 40}), -1, 1e-12);
}

TEST(Agreement, IsZeroWhereNothingVaries) {
  EXPECT_EQ(agreement(std::vector<double>{1, 1, 1}, std::vector<double>{40, 20, 30}), 0);
  EXPECT_EQ(agreement(std::vector<double>{1, 0.5}, std::vector<double>{30, 30}), 0);
  EXPECT_EQ(agreement(std::vector<double>{1}, std::vector<double>{30}), 0);
}

TEST(Agreement, RefusesDifferentNumbersOfFlows) {
  EXPECT_THROW(agreement(std::vector<double>{1, 1}, std::vector<double>{1}), core::Error);
}

}  // namespace
}  // namespace assay::path

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The null distribution by seeded simulation against figures known from elsewhere, and against exact sums.
#include "harness/path/ideal_hash.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "harness/core/error.hpp"

namespace assay::path {
namespace {

using testing::HasSubstr;

struct Known {
  int uplinks;
  int flows_per_uplink;
  double median_max_over_mean, median_jain;
};

class MedianSpread : public testing::TestWithParam<Known> {};

TEST_P(MedianSpread, OfIdealHashesIsTheKnownFigure) {
  const Known& known = GetParam();
  const IdealHash ideal = IdealHash::simulate(known.uplinks * known.flows_per_uplink, known.uplinks);
  EXPECT_NEAR(ideal.max_over_mean(0.5), known.median_max_over_mean, 0.011);
  EXPECT_NEAR(ideal.jain_index(0.5), known.median_jain, 0.0101);
}

// Flows per uplink against median max over mean and Jain index, computed by others for full-load leaves.
INSTANTIATE_TEST_SUITE_P(Sixteen, MedianSpread,
                         testing::Values(Known{16, 1, 3.0, 0.53}, Known{16, 4, 2.0, 0.81},
                                         Known{16, 16, 1.44, 0.95}, Known{16, 32, 1.31, 0.97}));
INSTANTIATE_TEST_SUITE_P(SixtyFour, MedianSpread,
                         testing::Values(Known{64, 1, 4.0, 0.51}, Known{64, 16, 1.62, 0.94},
                                         Known{64, 32, 1.44, 0.97}));

TEST(IdealHash, PutsAThousandFlowsOnSixteenUplinksWithAMeanOf123Hundredths) {
  const IdealHash ideal = IdealHash::simulate(1000, 16);
  EXPECT_NEAR(ideal.mean_max_over_mean(), 1.23, 0.005);
  EXPECT_NEAR(exact_mean_max_over_mean(1000, 16), 1.23, 0.005);
}

TEST(IdealHash, SimulatedMeansAgreeWithExactOnes) {
  for (const auto& [flows, uplinks] : {std::pair{16, 16}, {64, 16}, {7, 3}, {1024, 64}, {2, 2}}) {
    const IdealHash ideal = IdealHash::simulate(flows, uplinks);
    EXPECT_NEAR(ideal.mean_max_over_mean(), exact_mean_max_over_mean(flows, uplinks), 0.02)
        << flows << " flows, " << uplinks << " uplinks";
  }
}

TEST(ExactMean, IsRightWhereItCanBeCountedByHand) {
  EXPECT_DOUBLE_EQ(exact_mean_max_over_mean(1, 5), 5);          // one flow: on one uplink of five
  EXPECT_DOUBLE_EQ(exact_mean_max_over_mean(9, 1), 1);          // one uplink has everything
  EXPECT_NEAR(exact_mean_max_over_mean(2, 2), 1.5, 1e-9);       // together half of the time
  EXPECT_NEAR(exact_mean_max_over_mean(3, 3), 17.0 / 9, 1e-9);  // (6 x 1 + 18 x 2 + 3 x 3) / 27
}

TEST(IdealHash, GivesTheSameFiguresEverywhereForASeed) {
  const IdealHash one = IdealHash::simulate(5, 4, 8, 1);
  std::vector<double> drawn;
  for (int rank = 1; rank <= 8; ++rank) drawn.push_back(one.max_over_mean(rank / 8.0));
  // From the reference implementation of MT19937-64 and multiply-and-shift, in Python.
  EXPECT_THAT(drawn, testing::ElementsAre(1.6, 1.6, 1.6, 1.6, 2.4, 2.4, 2.4, 3.2));
}

TEST(IdealHash, CountsSharesIncludingTheObservedValue) {
  const IdealHash one = IdealHash::simulate(3, 1, 10);
  EXPECT_DOUBLE_EQ(one.share_at_least(1), 1);
  EXPECT_DOUBLE_EQ(one.share_at_most(1), 1);
  EXPECT_DOUBLE_EQ(one.share_at_least(1.1), 0);
}

TEST(IdealHash, RefusesNoFlowNoUplinkNoRoundAndAQuantileOutsideItsRange) {
  EXPECT_THROW(IdealHash::simulate(0, 16), core::Error);
  EXPECT_THROW(IdealHash::simulate(16, 0), core::Error);
  EXPECT_THROW(IdealHash::simulate(16, 16, 0), core::Error);
  EXPECT_THROW(IdealHash::simulate(16, 1 << 21, 1), core::Error);
  EXPECT_THROW(exact_mean_max_over_mean(0, 4), core::Error);
  const IdealHash ideal = IdealHash::simulate(4, 4, 10);
  EXPECT_THROW(ideal.max_over_mean(0), core::Error);
  EXPECT_THROW(ideal.jain_index(1.5), core::Error);
}

TEST(Judge, ASpreadOfTheMedianIsWithin) {
  const SpreadJudgement judgement = judge(3.0, IdealHash::simulate(16, 16));
  EXPECT_EQ(judgement.verdict, SpreadVerdict::within);
  EXPECT_THAT(judgement.reason,
              HasSubstr("within what ideal hashes give (max over mean 3.00; ideal hashes: median 3.00"));
}

TEST(Judge, HalfOfTheFlowsOnOneOfSixteenUplinksIsWorse) {
  const SpreadJudgement judgement = judge(8.0, IdealHash::simulate(16, 16));
  EXPECT_EQ(judgement.verdict, SpreadVerdict::worse);
  EXPECT_LT(judgement.share_as_bad, 0.001);
  EXPECT_THAT(judgement.reason, HasSubstr("worse than 95 % of ideal hashes"));
}

TEST(Judge, OneFlowOnEachOfSixteenUplinksIsBetter) {
  const SpreadJudgement judgement = judge(1.0, IdealHash::simulate(16, 16));
  EXPECT_EQ(judgement.verdict, SpreadVerdict::better);
  EXPECT_THAT(judgement.reason, HasSubstr("spraying, adaptive routing or chosen labels"));
}

TEST(Judge, TwoFlowsOnTwoUplinksCanTellNothing) {
  const IdealHash ideal = IdealHash::simulate(2, 2);
  EXPECT_EQ(judge(1.0, ideal).verdict, SpreadVerdict::within);
  EXPECT_EQ(judge(2.0, ideal).verdict, SpreadVerdict::within);
}

TEST(Judge, AnIdealHashIsCalledWorseOrBetterInAtMostATenthOfTheCases) {
  const IdealHash ideal = IdealHash::simulate(64, 16);
  int outside = 0;
  constexpr int tries = 400;
  for (int seed = 1; seed <= tries; ++seed) {
    const double drawn = IdealHash::simulate(64, 16, 1, static_cast<std::uint64_t>(seed)).max_over_mean(1);
    outside += judge(drawn, ideal).verdict == SpreadVerdict::within ? 0 : 1;
  }
  EXPECT_LT(outside, tries / 10 + 20);
}

}  // namespace
}  // namespace assay::path
